import { join } from 'node:path';
import type { Rule } from '@angular-devkit/schematics';

/** Formats the written files with the Prettier of the project, if the project has Prettier. */
export function formatWritten(): Rule {
  return async (tree) => {
    const prettier = await import('prettier').catch(() => undefined);
    if (!prettier) return;
    for (const { path, kind } of tree.actions) {
      if (kind === 'd' || !path.endsWith('.ts')) continue;
      const filepath = join(process.cwd(), path);
      const options = await prettier.resolveConfig(filepath, { editorconfig: true });
      const text = tree.readText(path);
      const formatted = await prettier.format(text, { ...options, filepath });
      if (formatted !== text) tree.overwrite(path, formatted);
    }
  };
}
