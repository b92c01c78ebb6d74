import { gzipSync } from 'node:zlib';
import type { Plugin } from 'vite';

/** Chunks that a person loads only for one act: they are own downloads and no part of the budget. */
const APART =
  /^assets\/(?:device-engine|strength|zxcvbn|language-|measure-chart|calendar-file|bundle-export|transfer)/;

/**
 * Fails the build if the scripts of the page are larger than promised: all screens together, without the
 * engine of the checks, the word lists of the strength meter, the canvas of charts, what reads and writes
 * files, and the catalogues of further languages.
 */
export function bundleBudget({ maxGzippedBytes }: { maxGzippedBytes: number }): Plugin {
  return {
    name: 'bundle-budget',
    apply: 'build',
    generateBundle(_options, bundle) {
      const sizes = Object.values(bundle).flatMap((part) =>
        part.type === 'chunk'
          ? [{ name: part.fileName, bytes: gzipSync(part.code, { level: 9 }).length }]
          : [],
      );
      const isSecondLanguage = (name: string) => /^assets\/catalogue-(?:de|es)-/.test(name);
      const counted = sizes.filter(({ name }) => !APART.test(name) && !isSecondLanguage(name));
      const total = counted.reduce((sum, { bytes }) => sum + bytes, 0);
      for (const { name, bytes } of sizes) this.info(`${name}: ${bytes} bytes gzipped`);
      this.info(`scripts of the page: ${total} bytes gzipped (at most ${maxGzippedBytes})`);
      if (total > maxGzippedBytes) this.error(`The scripts of the page have ${total} bytes gzipped.`);
    },
  };
}
