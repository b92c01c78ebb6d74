import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import ts from 'typescript';

export const ROOT = join(__dirname, '../..');

/** One TypeScript file of the service or its libraries. It is read when a rule asks for more than its path. */
export class Source {
  #text?: string;
  #tree?: ts.SourceFile;
  #imports?: string[];

  /** @param path relative to the repository, with forward slashes */
  constructor(readonly path: string) {}

  get text(): string {
    return (this.#text ??= readFileSync(join(ROOT, this.path), 'utf8'));
  }

  get tree(): ts.SourceFile {
    return (this.#tree ??= ts.createSourceFile(this.path, this.text, ts.ScriptTarget.ES2022, true));
  }

  /** What it imports, loads or re-exports: a path without its extension for a file of ours, else the package. */
  get imports(): string[] {
    return (this.#imports ??= this.#named().map((name) => targetOf(this.path, name)));
  }

  /** Those of them that are there when the service runs: a type is gone by then. */
  get runtimeImports(): string[] {
    const types = this.tree.statements.filter(ts.isImportDeclaration).filter(importsTypesOnly);
    const erased = new Set(types.map(({ moduleSpecifier }) => (moduleSpecifier as ts.StringLiteral).text));
    const left = this.#named().filter((name) => !erased.has(name));
    return left.map((name) => targetOf(this.path, name));
  }

  #named(): string[] {
    return ts.preProcessFile(this.text, true, true).importedFiles.map(({ fileName }) => fileName);
  }
}

function filesUnder(folder: string): string[] {
  const entries = readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(ROOT, join(entry.parentPath, entry.name)));
}

function importsTypesOnly({ importClause }: ts.ImportDeclaration): boolean {
  if (importClause?.phaseModifier === ts.SyntaxKind.TypeKeyword) return true;
  const bindings = importClause?.namedBindings;
  if (!bindings || importClause.name || !ts.isNamedImports(bindings)) return false;
  return bindings.elements.every(({ isTypeOnly }) => isTypeOnly);
}

/** `@app/x` and `@app/x/y` are entries of libs: `libs/x` and `libs/x/y`. */
function targetOf(path: string, name: string): string {
  if (name.startsWith('.')) return join(dirname(path), name).replace(/\.js$/, '');
  return name.replace(/^@app\//, 'libs/');
}

const isBuilt = (path: string) => /(^|\/)(node_modules|dist)\//.test(path);

/** Every file of the service and its libraries, without what is installed or built. */
export const ALL_SOURCES: Source[] = [...filesUnder('apps'), ...filesUnder('libs'), 'ormconfig.ts']
  .filter((path) => /\.tsx?$/.test(path) && !path.endsWith('.d.ts') && !isBuilt(path))
  .sort()
  .map((path) => new Source(path));

const isOfTests = ({ path }: Source) => /\.spec\.ts$|\/(__fixtures__|src\/testing)\//.test(path);

/** What is built and shipped. */
export const SOURCES: Source[] = ALL_SOURCES.filter((source) => !isOfTests(source));

/** The part of the house a path belongs to: `libs/x`, a domain's folder, or what is around the domains. */
export function unitOf(path: string): string {
  const [unit] = /^libs\/[a-z-]+|^apps\/web|^apps\/api\/src\/[a-z-]+(?=\/)/.exec(path) ?? ['apps/api/src'];
  return unit;
}

/** A domain is a folder with a module. */
export const DOMAINS: string[] = SOURCES.filter(({ path }) =>
  /^apps\/api\/src\/[a-z-]+\/[a-z-]+\.module\.ts$/.test(path),
).map(({ path }) => unitOf(path));

export const LIBS: string[] = [
  ...new Set(SOURCES.map(({ path }) => unitOf(path)).filter((unit) => unit.startsWith('libs/'))),
];

export function sourcesOf(unit: string): Source[] {
  return SOURCES.filter(({ path }) => unitOf(path) === unit);
}

/** Whether an import leads to a file or a library of ours. */
export function isOurs(target: string): boolean {
  return /^(apps|libs|test)\//.test(target);
}

/** Files that import what a rule forbids, as `file → import`; empty where the rule holds. */
export function breaches(
  sources: Source[],
  isForbidden: (target: string, source: Source) => boolean,
): string[] {
  return sources.flatMap((source) =>
    source.imports
      .filter((target) => isForbidden(target, source))
      .map((target) => `${source.path} → ${target}`),
  );
}

/** Files in which some node is what a rule forbids: a comment or a string is none. */
export function filesWith(sources: Source[], isForbidden: (node: ts.Node) => boolean): string[] {
  const holds = (node: ts.Node): boolean => isForbidden(node) || ts.forEachChild(node, holds) === true;
  return sources.filter(({ tree }) => holds(tree)).map(({ path }) => path);
}
