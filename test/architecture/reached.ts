import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import ts from 'typescript';
import { ROOT } from './sources';

const CODE = /\.[cm]?[jt]sx?$/;
const { options } = ts.parseJsonConfigFileContent(
  ts.readConfigFile(join(ROOT, 'tsconfig.json'), (path) => ts.sys.readFile(path)).config,
  ts.sys,
  ROOT,
);
const cache = ts.createModuleResolutionCache(ROOT, (name) => name, options);

/** What is built stands for its source. */
const sourceOf = (full: string) => full.replace(/\/dist\/((apps|libs)\/.*)\.js$/, '/$1.ts');
/** Where types are declared beside a program, the program counts as well. */
const withProgram = (full: string) =>
  full.endsWith('.d.ts') ? [full, full.replace('.d.ts', '.js')] : [full];

/** The files that a file imports or loads, as full paths. Packages lie below node_modules. */
function imports(full: string, text: string): string[] {
  const { importedFiles } = ts.preProcessFile(text, true, true);
  return importedFiles.flatMap(({ fileName }) => {
    if (fileName.includes('/dist/')) return [sourceOf(resolve(dirname(full), fileName))];
    const { resolvedModule } = ts.resolveModuleName(fileName, full, options, ts.sys, cache);
    return resolvedModule ? withProgram(resolvedModule.resolvedFileName) : [resolve(dirname(full), fileName)];
  });
}

/** The files that a text names in a string, as full paths: what a test starts, copies or reads. */
function named(full: string, text: string): string[] {
  return [...text.matchAll(/(['"`])([\w./-]+\.\w+)\1/g)].flatMap(([, , name]) =>
    [resolve(dirname(full), name), resolve(ROOT, name)].map(sourceOf),
  );
}

/** What each file leads to, by its path: many specs reach the same ones. */
const known = new Map<string, string[]>();

function nextOf(path: string): string[] {
  // What lies at the root is configuration, of all programs.
  if (!CODE.test(path) || !path.includes('/')) return [];
  let next = known.get(path);
  if (!next) {
    const full = join(ROOT, path);
    const text = readFileSync(full, 'utf8');
    const isOfTests = path.startsWith('test/') || path.endsWith('.spec.ts');
    next = [...imports(full, text), ...(isOfTests ? named(full, text) : [])].filter(isOurs).map(toPath);
    known.set(path, next);
  }
  return next;
}

/**
 * The files of the repository that specs reach, as far as it can be computed: by imports, and by strings in tests that
 * are the path of a file. What a program reads whose name it puts together is not seen.
 */
export function reachedBy(specs: string[]): string[] {
  const reached = new Set<string>();
  const next = [...specs];
  for (let path = next.pop(); path !== undefined; path = next.pop()) {
    if (reached.has(path)) continue;
    reached.add(path);
    next.push(...nextOf(path));
  }
  return [...reached].sort();
}

const toPath = (full: string) => relative(ROOT, full);
const isOurs = (full: string) =>
  !toPath(full).startsWith('..') &&
  !full.includes('/node_modules/') &&
  existsSync(full) &&
  statSync(full).isFile();
