import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { compileFiles } from '../build/compile-knowledge';
import { readKnowledgeFiles } from '../build/knowledge-reader';
import type { KnowledgeBase } from '../compiled-base';

const LIBRARY = join(__dirname, '..', '..');
const BUILT = join(LIBRARY, '..', '..', 'dist', 'libs', 'interactions', 'knowledge-base.json');

/**
 * The whole base. Takes the built one when no source is newer: to compile it takes half a minute under Jest. The
 * build writes nothing when the base has problems.
 */
export function compileWholeBase(): { base: KnowledgeBase; problems: string[] } {
  const sources = [join(LIBRARY, 'knowledge'), join(LIBRARY, 'src')];
  if (existsSync(BUILT) && sources.every((folder) => newestIn(folder) < statSync(BUILT).mtimeMs))
    return { base: JSON.parse(readFileSync(BUILT, 'utf8')) as KnowledgeBase, problems: [] };
  return compileFiles(readKnowledgeFiles(sources[0]));
}

/** When the newest file in a folder was written, in milliseconds; specs do not count. */
function newestIn(folder: string): number {
  return Math.max(
    ...readdirSync(folder, { withFileTypes: true })
      .filter(({ name }) => !name.endsWith('.spec.ts'))
      .map((entry) => {
        const path = join(folder, entry.name);
        return entry.isDirectory() ? newestIn(path) : statSync(path).mtimeMs;
      }),
  );
}
