import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import {
  ALL_SOURCES,
  breaches,
  DOMAINS,
  filesWith,
  isOurs,
  LIBS,
  ROOT,
  type Source,
  SOURCES,
  sourcesOf,
  unitOf,
} from './sources';

const SUPPORTING = ['libs/common', 'libs/config', 'libs/opaque'];

/** Which library may import which. */
const ALLOWED_IN_LIBS: Record<string, string[]> = {
  'libs/common': [],
  'libs/interactions': [],
  'libs/config': ['libs/common'],
  'libs/opaque': ['libs/common'],
  'libs/http': ['libs/common', 'libs/opaque'],
  'libs/database': SUPPORTING,
  'libs/extension': ['libs/config', 'libs/database'],
  'libs/security': [...SUPPORTING, 'libs/database', 'libs/http'],
  'libs/client': ['libs/common', 'libs/interactions'],
  'libs/records': ['libs/common', 'libs/database', 'libs/http', 'libs/security'],
  'libs/schematics': [],
  'libs/testing': [...SUPPORTING, 'libs/database'],
};

/** Which domain may know which other: only upwards to the root of ownership. */
const ALLOWED_BETWEEN_DOMAINS: Record<string, string[]> = {
  recovery: ['auth', 'profiles'],
  spaces: ['auth'],
  auth: ['profiles'],
  medications: ['profiles'],
  appointments: ['profiles'],
  'health-stats': ['profiles'],
};

const domainPath = (name: string) => `apps/api/src/${name}`;

describe('who may import whom', () => {
  it('is told for every library, and for none that is gone', () => {
    expect(Object.keys(ALLOWED_IN_LIBS).sort()).toEqual([...LIBS].sort());
  });

  it.each(Object.entries(ALLOWED_IN_LIBS))('%s imports of ours only %j', (lib, allowed) => {
    const sources = sourcesOf(lib);
    expect(sources.length).toBeGreaterThan(0);
    const isForbidden = (target: string) => isOurs(target) && ![lib, ...allowed].includes(unitOf(target));
    expect(breaches(sources, isForbidden)).toEqual([]);
  });

  it('reaches a library by its entries only, never by a path into it', () => {
    const { compilerOptions } = ts.readConfigFile(join(ROOT, 'tsconfig.json'), (path) =>
      readFileSync(path, 'utf8'),
    ).config;
    const entries = Object.keys(compilerOptions.paths).map((name) => name.replace('@app/', 'libs/'));
    expect(entries).toContain('libs/common');
    const isForbidden = (target: string, source: Source) =>
      target.startsWith('libs/') && unitOf(target) !== unitOf(source.path) && !entries.includes(target);
    expect(breaches(SOURCES, isForbidden)).toEqual([]);
  });

  it('lets the service import every library but the client, the generator and what is for tests', () => {
    const service = SOURCES.filter(({ path }) => path.startsWith('apps/api/'));
    expect(service.length).toBeGreaterThan(50);
    const isForbidden = (target: string) =>
      ['libs/client', 'libs/schematics', 'libs/testing'].includes(unitOf(target));
    expect(breaches(service, isForbidden)).toEqual([]);
  });

  it('lets the page import the client and the types of the checks, and nothing of the service', () => {
    const page = ALL_SOURCES.filter(({ path }) => unitOf(path) === 'apps/web');
    expect(page.length).toBeGreaterThan(50);
    const allowed = ['apps/web', 'libs/client'];
    const isForbidden = (target: string, { runtimeImports }: Source) =>
      isOurs(target) &&
      !allowed.includes(unitOf(target)) &&
      (unitOf(target) !== 'libs/interactions' || runtimeImports.includes(target));
    expect(breaches(page, isForbidden)).toEqual([]);
  });

  it('lets the platform of the page know none of its features, but where it shows them', () => {
    const platform = SOURCES.filter(({ path }) => /^apps\/web\/src\/(ui|i18n|platform\/model)\//.test(path));
    expect(platform.length).toBeGreaterThan(40);
    const isFeature = (target: string) => target.startsWith('apps/web/src/features/');
    expect(breaches(platform, isFeature)).toEqual([]);
  });

  it('lets only the model of the page speak to the service', () => {
    const screens = SOURCES.filter(({ path }) =>
      /^apps\/web\/src\/(ui|platform\/shell|features\/.*\/screens)\//.test(path),
    );
    const isClient = (node: ts.Node) =>
      ts.isIdentifier(node) &&
      ['HealthRecordsClient', 'fetch', 'XMLHttpRequest', 'WebSocket'].includes(node.text);
    expect(screens.length).toBeGreaterThan(20);
    expect(filesWith(screens, isClient)).toEqual([]);
  });

  it('lets nothing that is shipped import the tests', () => {
    expect(
      breaches(SOURCES, (target) => /^test\/|\.spec$|\/(__fixtures__|src\/testing)\//.test(target)),
    ).toEqual([]);
  });

  it('lets no library import anything of the tests, in its specs neither', () => {
    const ofLibs = ALL_SOURCES.filter(({ path }) => path.startsWith('libs/'));
    expect(ofLibs.some(({ path }) => path.endsWith('.spec.ts'))).toBe(true);
    expect(breaches(ofLibs, (target) => target.startsWith('test/'))).toEqual([]);
  });

  it('knows every domain of its table', () => {
    const named = [...Object.keys(ALLOWED_BETWEEN_DOMAINS), ...Object.values(ALLOWED_BETWEEN_DOMAINS).flat()];
    for (const name of named) expect(DOMAINS).toContain(domainPath(name));
  });

  it.each(DOMAINS)('%s imports other domains only in the allowed direction', (domain) => {
    const name = domain.split('/').pop()!;
    const allowed = [domain, ...(ALLOWED_BETWEEN_DOMAINS[name] ?? []).map(domainPath)];
    const isForbidden = (target: string) =>
      DOMAINS.includes(unitOf(target)) && !allowed.includes(unitOf(target));
    expect(breaches(sourcesOf(domain), isForbidden)).toEqual([]);
  });

  it('lets a domain see of another only its module and the services that the module exports', () => {
    const between = (target: string, source: Source) =>
      DOMAINS.includes(unitOf(source.path)) &&
      DOMAINS.includes(unitOf(target)) &&
      unitOf(target) !== unitOf(source.path);
    const seen = SOURCES.flatMap((source) => source.imports.filter((target) => between(target, source)));
    expect(seen.length).toBeGreaterThan(2);
    const allowed = DOMAINS.flatMap((domain) => [
      moduleOf(domain).path.replace(/\.ts$/, ''),
      ...exportedServices(domain),
    ]);
    expect(
      breaches(SOURCES, (target, source) => between(target, source) && !allowed.includes(target)),
    ).toEqual([]);
  });

  it('lets a domain see nothing of the application around it', () => {
    const domainSources = SOURCES.filter(({ path }) => DOMAINS.includes(unitOf(path)));
    const isAround = (target: string) => target.startsWith('apps/') && !DOMAINS.includes(unitOf(target));
    expect(breaches(domainSources, isAround)).toEqual([]);
  });

  it('has no cycle: no file imports itself through others, not even for a type', () => {
    expect(importCycles()).toEqual([]);
  });
});

describe('what is imported where', () => {
  it('typeorm: only in entities, repositories, migrations and libs/database', () => {
    const isTypeOrm = (target: string) => /^typeorm(\/|$)/.test(target);
    const mayImport = ({ path }: Source) =>
      /\.(entity|repository)\.ts$/.test(path) || isMigration({ path }) || unitOf(path) === 'libs/database';
    expect(
      SOURCES.filter((source) => mayImport(source) && source.imports.some(isTypeOrm)).length,
    ).toBeGreaterThan(8);
    expect(breaches(SOURCES, (target, source) => isTypeOrm(target) && !mayImport(source))).toEqual([]);
  });

  it('the database driver: only in libs/database, and in the tests that teams outside use', () => {
    const allowed = ['libs/database', 'libs/testing'];
    expect(
      breaches(SOURCES, (target, { path }) => target === 'pg' && !allowed.includes(unitOf(path))),
    ).toEqual([]);
  });

  it('OpenTelemetry: only where traces are sent, and loaded only then', () => {
    const isOpenTelemetry = (target: string) => target.startsWith('@opentelemetry/');
    const users = SOURCES.filter(({ imports }) => imports.some(isOpenTelemetry));
    expect(users.map(({ path }) => path)).toEqual(['apps/api/src/process/tracing.ts']);
    const loaded = users[0].tree.statements
      .filter(ts.isImportDeclaration)
      .filter(({ importClause }) => importClause?.phaseModifier !== ts.SyntaxKind.TypeKeyword)
      .map(({ moduleSpecifier }) => (moduleSpecifier as ts.StringLiteral).text);
    expect(loaded.filter(isOpenTelemetry)).toEqual([]);
  });

  it('Nest and TypeORM: neither in common, nor in interactions, nor in the client', () => {
    const pure = ['libs/common', 'libs/interactions', 'libs/client'].flatMap(sourcesOf);
    expect(breaches(pure, (target) => /^(@nestjs\/|typeorm|fastify)/.test(target))).toEqual([]);
  });

  it.each(['libs/interactions', 'libs/client'])('%s: nothing of Node in what a browser loads', (lib) => {
    const reached = reachableFrom(`${lib}/src/index`);
    expect(reached.length).toBeGreaterThan(5);
    expect(breaches(reached, (target) => target.startsWith('node:'))).toEqual([]);
  });

  it('migrations: no code of the application, but what never changes', () => {
    const migrations = SOURCES.filter(isMigration);
    expect(migrations.length).toBeGreaterThan(0);
    const isVersioned = (target: string, source: Source) =>
      /-v\d+$/.test(target) ||
      (target === 'libs/database' && namesFrom(source, '@app/database').every((name) => /V\d+$/.test(name)));
    expect(
      breaches(migrations, (target, source) => target !== 'typeorm' && !isVersioned(target, source)),
    ).toEqual([]);
    const versioned = SOURCES.filter(({ path }) => /-v\d+\.ts$/.test(path));
    expect(versioned.length).toBeGreaterThan(0);
    const mayImport = ['typeorm', 'libs/common'];
    expect(breaches(versioned, (target) => !mayImport.includes(target) && !/-v\d+$/.test(target))).toEqual(
      [],
    );
  });

  it('the domains: one list of them, in domains.ts', () => {
    const named = SOURCES.find(({ path }) => path === 'apps/api/src/domains.ts')!.imports;
    const definitions = DOMAINS.map((domain) => `${domain}/${domain.split('/').pop()!}.domain`);
    expect(named.filter((target) => target.startsWith('apps/')).sort()).toEqual(definitions.sort());
    const isDefinition = (target: string) => definitions.includes(target);
    expect(
      breaches(SOURCES, (target, { path }) => isDefinition(target) && path !== 'apps/api/src/domains.ts'),
    ).toEqual([]);
  });
});

describe('what is written nowhere else', () => {
  it('process.env: only in libs/config', () => {
    const isProcess = (node: ts.Node) => ts.isIdentifier(node) && node.text === 'process';
    const isEnvironment = (node: ts.Node) =>
      (ts.isPropertyAccessExpression(node) && node.name.text === 'env' && isProcess(node.expression)) ||
      (ts.isElementAccessExpression(node) && isProcess(node.expression)) ||
      (ts.isVariableDeclaration(node) && node.initializer !== undefined && isProcess(node.initializer)) ||
      (ts.isImportDeclaration(node) &&
        /^(node:)?process$/.test((node.moduleSpecifier as ts.StringLiteral).text));
    const readers = filesWith(SOURCES, isEnvironment);
    expect(readers.length).toBeGreaterThan(0);
    expect(readers.filter((path) => unitOf(path) !== 'libs/config')).toEqual([]);
  });

  it('forwardRef: nowhere', () => {
    expect(filesWith(SOURCES, (node) => ts.isIdentifier(node) && node.text === 'forwardRef')).toEqual([]);
  });

  it('relations: an entity has columns and foreign keys, and no property of another entity', () => {
    const relations = ['OneToOne', 'OneToMany', 'ManyToOne', 'ManyToMany', 'JoinColumn', 'JoinTable'];
    expect(filesWith(SOURCES, (node) => ts.isIdentifier(node) && relations.includes(node.text))).toEqual([]);
  });

  it('barrels: none inside the application but its entry', () => {
    const application = SOURCES.filter(
      ({ path }) => path.startsWith('apps/') && path !== 'apps/api/src/index.ts',
    );
    expect(application.filter(({ path }) => path.endsWith('/index.ts'))).toEqual([]);
    expect(
      filesWith(application, (node) => ts.isExportDeclaration(node) && node.moduleSpecifier !== undefined),
    ).toEqual([]);
  });

  it('synchronize: never true', () => {
    const isSynchronizing = (node: ts.Node) =>
      ts.isPropertyAssignment(node) &&
      (node.name as ts.Identifier).text === 'synchronize' &&
      node.initializer.kind !== ts.SyntaxKind.FalseKeyword;
    expect(filesWith(SOURCES, isSynchronizing)).toEqual([]);
  });
});

/** What a file imports by name from a module. */
function namesFrom({ tree }: Source, module: string): string[] {
  const imports = tree.statements
    .filter(ts.isImportDeclaration)
    .filter(({ moduleSpecifier }) => (moduleSpecifier as ts.StringLiteral).text === module);
  return imports.flatMap(({ importClause }) => {
    const bindings = importClause?.namedBindings;
    return bindings && ts.isNamedImports(bindings)
      ? bindings.elements.map(({ name }) => name.text)
      : ['everything'];
  });
}

function isMigration({ path }: { path: string }): boolean {
  return /\/migrations\/\d+-[a-z0-9-]+\.ts$/.test(path);
}

function moduleOf(domain: string): Source {
  return sourcesOf(domain).find(({ path }) => path.endsWith('.module.ts'))!;
}

/** The files of the classes under `exports` of a domain's module. */
function exportedServices(domain: string): string[] {
  const { tree, imports } = moduleOf(domain);
  const names = /exports: \[([^\]]*)\]/.exec(tree.text)?.[1].match(/\w+/g) ?? [];
  return imports.filter((target) => {
    const [, kebab] = /\/([a-z-]+)\.service$/.exec(target) ?? [];
    const name = kebab?.replace(/(^|-)(\w)/g, (_, __, letter: string) => letter.toUpperCase());
    return name !== undefined && (names as string[]).includes(`${name}Service`);
  });
}

const byTarget = new Map(SOURCES.map((source) => [source.path.replace(/\.tsx?$/, ''), source]));

/** The file that an import leads to; an entry of a library leads to its index. */
function sourceOf(target: string): Source | undefined {
  return (
    byTarget.get(target) ??
    byTarget.get(`${target}/src/index`) ??
    byTarget.get(target.replace(/^(libs\/[a-z-]+)/, '$1/src'))
  );
}

function reachableFrom(entry: string): Source[] {
  const reached = new Set<Source>();
  const visit = (source: Source | undefined): void => {
    if (!source || reached.has(source)) return;
    reached.add(source);
    source.runtimeImports.forEach((target) => visit(sourceOf(target)));
  };
  visit(sourceOf(entry));
  return [...reached];
}

/** Each cycle once, as `a → b → a`. Imports of types count. */
function importCycles(): string[] {
  const done = new Set<Source>();
  const found: string[] = [];
  const visit = (source: Source, path: Source[]): void => {
    if (path.includes(source)) {
      found.push([...path.slice(path.indexOf(source)), source].map((one) => one.path).join(' → '));
    } else if (!done.has(source)) {
      for (const target of source.imports) {
        const next = sourceOf(target);
        if (next) visit(next, [...path, source]);
      }
      done.add(source);
    }
  };
  for (const source of SOURCES) visit(source, []);
  return found;
}
