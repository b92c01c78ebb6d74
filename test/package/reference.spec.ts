import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import ts from 'typescript';
import { runOurs } from '../support/packed-service';

const ROOT = join(__dirname, '../..');
const CLIENT = join(ROOT, 'libs/client');
const STEP_MS = 300_000;

const typedoc = (folder: string, ...options: string[]) =>
  runOurs(folder, 'typedoc/bin/typedoc', '--emit', 'none', '--treatWarningsAsErrors', ...options);

/** With comments, as TypeDoc reads it. */
function configOf(folder: string): { entryPoints: string[] } {
  const path = join(folder, 'typedoc.json');
  return ts.parseConfigFileTextToJson(path, readFileSync(path, 'utf8')).config;
}

/** The sources of the entries of a package, by the declarations that it names. */
function entriesOf(folder: string): string[] {
  const { exports } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    exports: Record<string, string | { types?: string; import?: { types: string } }>;
  };
  const types = Object.values(exports).flatMap((entry) =>
    typeof entry === 'string' ? [] : [entry.types ?? entry.import!.types],
  );
  const sources = types.map((path) => path.replace(/^\.\/dist\/(types\/)?/, '').replace('.d.ts', '.ts'));
  return [...new Set(sources)].sort();
}

describe('the reference of what is public', () => {
  it.each([
    ['the service', ROOT, ''],
    ['the client', CLIENT, 'src/'],
  ])('of %s is of all its entries', (_name, folder, root) => {
    const entries = entriesOf(folder);
    expect(entries.length).toBeGreaterThan(7);
    expect(
      configOf(folder)
        .entryPoints.map((path) => path.slice(root.length))
        .sort(),
    ).toEqual(entries);
  });

  it.each([
    ['the service', ROOT],
    ['the client', CLIENT],
  ])(
    'of %s is made without a warning: each name has a docstring',
    (_name, folder) => typedoc(folder),
    STEP_MS,
  );

  it(
    'is not made of a name without one',
    async () => {
      const folder = mkdtempSync(join(tmpdir(), 'hrs-reference-'));
      writeFileSync(join(folder, 'entry.ts'), 'export const SILENT = 1;\n');
      writeFileSync(
        join(folder, 'tsconfig.json'),
        '{ "files": ["entry.ts"], "compilerOptions": { "types": [] } }',
      );
      const { requiredToBeDocumented, validation } = configOf(CLIENT) as Record<string, any>;
      const options = {
        name: 'silent',
        entryPoints: ['entry.ts'],
        readme: 'none',
        disableSources: true,
        requiredToBeDocumented,
        validation,
      };
      writeFileSync(join(folder, 'typedoc.json'), JSON.stringify(options));
      await expect(typedoc(folder)).rejects.toThrow(/SILENT.*does not have any documentation/);
      rmSync(folder, { recursive: true });
    },
    STEP_MS,
  );
});
