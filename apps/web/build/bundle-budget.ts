import { gzipSync } from 'node:zlib';
import type { Plugin, Rolldown } from 'vite';

/**
 * What a person needs to see and answer what is due: the way in, today, the cabinet, and one language. Charts, the
 * sheet for the doctor, files and the engine of the checks are loaded when they are opened.
 */
const FIRST =
  /\/src\/(?:main\.tsx|i18n\/en\/catalogue\.ts|screens\/(?:welcome|sign-in|unlock|today|cabinet)\/[^/]+\.tsx)$/;

/** Fails the build if the scripts of the first screens, with all that they import, are larger than promised. */
export function bundleBudget({ maxGzippedBytes }: { maxGzippedBytes: number }): Plugin {
  return {
    name: 'bundle-budget',
    apply: 'build',
    generateBundle(_options, bundle) {
      const chunks = new Map<string, Rolldown.OutputChunk>();
      for (const part of Object.values(bundle)) if (part.type === 'chunk') chunks.set(part.fileName, part);
      const counted = new Set<string>();
      const count = (name: string): void => {
        const chunk = chunks.get(name);
        if (!chunk || counted.has(name)) return;
        counted.add(name);
        chunk.imports.forEach(count);
      };
      const isFirst = ({ isEntry, facadeModuleId }: Rolldown.OutputChunk) =>
        isEntry || FIRST.test(facadeModuleId ?? '');
      for (const chunk of chunks.values()) if (isFirst(chunk)) count(chunk.fileName);
      const bytesOf = (name: string) => gzipSync(chunks.get(name)!.code, { level: 9 }).length;
      for (const name of chunks.keys()) this.info(`${name}: ${bytesOf(name)} bytes gzipped`);
      const total = [...counted].reduce((sum, name) => sum + bytesOf(name), 0);
      this.info(`scripts of the first screens: ${total} bytes gzipped (at most ${maxGzippedBytes})`);
      if (total > maxGzippedBytes)
        this.error(`The scripts of the first screens have ${total} bytes gzipped.`);
    },
  };
}
