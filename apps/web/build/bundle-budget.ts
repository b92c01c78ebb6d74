import { gzipSync } from 'node:zlib';
import type { Plugin, Rolldown } from 'vite';

/**
 * What a person needs to see and answer what is due: the way in, today, the cabinet, and one language. Charts, the
 * sheet for the doctor, files and the engine of the checks are loaded when they are opened.
 */
const FIRST = [
  'main.tsx',
  'i18n/en/catalogue.ts',
  ...['welcome/welcome', 'sign-in/sign-in', 'unlock/unlock'].map(
    (name) => `features/account/screens/${name}.tsx`,
  ),
  'features/doses/screens/today.tsx',
  'features/medications/screens/cabinet/cabinet.tsx',
];

/** What a sign-up loads beside them, to judge the new password. The large word lists come where a doubt is left. */
const SIGN_UP = /\/account\/small-estimator\.ts$/;

/** The most bytes, gzipped. */
interface Budget {
  /** The scripts of the first screens, with all that they import. */
  first: number;
  /** What a sign-up loads beside them. */
  signUp: number;
}

/** Fails the build if the scripts are larger than promised. */
export function bundleBudget({ first, signUp }: Budget): Plugin {
  return {
    name: 'bundle-budget',
    apply: 'build',
    generateBundle(_options, bundle) {
      const chunks = new Map<string, Rolldown.OutputChunk>();
      for (const part of Object.values(bundle)) if (part.type === 'chunk') chunks.set(part.fileName, part);
      const bytesOf = (name: string) => gzipSync(chunks.get(name)!.code, { level: 9 }).length;
      for (const name of chunks.keys()) this.info(`${name}: ${bytesOf(name)} bytes gzipped`);
      const withImports = (isIn: (chunk: Rolldown.OutputChunk) => boolean): Set<string> => {
        const counted = new Set<string>();
        const count = (name: string): void => {
          const chunk = chunks.get(name);
          if (!chunk || counted.has(name)) return;
          counted.add(name);
          chunk.imports.forEach(count);
        };
        for (const chunk of chunks.values()) if (isIn(chunk)) count(chunk.fileName);
        return counted;
      };
      const check = (what: string, names: Iterable<string>, most: number) => {
        const total = [...names].reduce((sum, name) => sum + bytesOf(name), 0);
        this.info(`${what}: ${total} bytes gzipped (at most ${most})`);
        if (total > most || total === 0) this.error(`${what} have ${total} bytes gzipped.`);
      };
      const has = (chunk: Rolldown.OutputChunk, name: string) =>
        chunk.moduleIds.some((id) => id.endsWith(`/src/${name}`));
      const gone = FIRST.find((name) => ![...chunks.values()].some((chunk) => has(chunk, name)));
      if (gone) this.error(`No script holds ${gone}.`);
      const ofFirst = withImports((chunk) => chunk.isEntry || FIRST.some((name) => has(chunk, name)));
      check('scripts of the first screens', ofFirst, first);
      const ofSignUp = withImports(({ facadeModuleId }) => SIGN_UP.test(facadeModuleId ?? ''));
      check(
        'word lists of a sign-up',
        [...ofSignUp].filter((name) => !ofFirst.has(name)),
        signUp,
      );
    },
  };
}
