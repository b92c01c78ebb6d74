import { cpSync, existsSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SERVICE_KINDS } from '@app/testing';
import { runIn, runOurs } from '../support/packed-service';

const ROOT = join(__dirname, '../..');
/** What the service and its tests are made of. */
const TREE = ['apps', 'libs', 'test', 'docs', 'dist', 'README.md'];
const CONFIG =
  /^(package(-lock)?|nest-cli|tsconfig.*|\.prettierrc)\.json$|\.(m?js|ts)$|^\.(prettierignore|editorconfig)$/;
/** Each step is a tool of its own, on what may be a busy machine. */
const STEP_MS = 600_000;

const GENERATED = ['allergy', 'emergency contact'];
/** Of the suites that loop over all kinds, what is about others. */
const OTHERS = `^(?!an? (${SERVICE_KINDS.map(({ name }) => name).join('|')}) )`;
/** What knows the service's own sources. The other checks of records are those of a project outside: outside.spec.ts. */
const SUITES = [
  ...['allergies', 'emergency-contacts', 'record-kinds'].map((name) => `test/e2e/${name}.spec.ts`),
  'test/security/routes.spec.ts',
  'test/migrations/schema.spec.ts',
  'test/operation/(scaling-docs|openapi).spec.ts',
  'test/architecture/(controllers|files|imports|names).spec.ts',
  'libs/client/src/open-api.spec.ts',
];

interface Results {
  numPassedTests: number;
  numFailedTests: number;
  numFailedTestSuites: number;
  testResults: { message: string; assertionResults: { fullName: string; status: string }[] }[];
}

describe('two record kinds, generated in a copy of this repository', () => {
  let tree: string;
  /** Under way at once: the types, and the build with the tests that need it. */
  let types: Promise<string>;
  let results: Promise<Results>;

  beforeAll(async () => {
    tree = mkdtempSync(join(tmpdir(), 'hrs-tree-'));
    const isSource = (path: string) => !/\/(node_modules|client\/dist)$/.test(path);
    const names = [...TREE, ...readdirSync(ROOT).filter((name) => CONFIG.test(name))];
    for (const name of names)
      cpSync(join(ROOT, name), join(tree, name), { recursive: true, filter: isSource });
    symlinkSync(join(ROOT, 'node_modules'), join(tree, 'node_modules'));
    const generate = (...args: string[]) => runIn(tree, 'npm', 'run', 'generate:record', '--', ...args);
    await generate('allergy', '--filters=status');
    await generate('emergency-contact', '--owner=account');
    types = runOurs(tree, 'typescript/bin/tsc', '--noEmit', '-p', 'tsconfig.json', '--incremental', 'false');
    results = buildAndTest();
    // Their tests look at how they end.
    await Promise.allSettled([types, results]);
  }, STEP_MS);
  afterAll(() => rmSync(tree, { recursive: true, force: true }));

  async function buildAndTest(): Promise<Results> {
    await runOurs(tree, '@nestjs/cli/bin/nest.js', 'build');
    // As `npm run openapi` does: the document of the routes is committed.
    const refresh = [
      'env',
      'UPDATE_OPENAPI=1',
      process.execPath,
      join(ROOT, 'node_modules/jest/bin/jest.js'),
    ] as const;
    const options = ['--json', '--maxWorkers=2', `--testNamePattern=${OTHERS}`, ...SUITES];
    const output = await runIn(tree, ...refresh, ...options).catch((error: Error) => error.message);
    const json = output.split('\n').find((line) => line.startsWith('{"'));
    if (!json) throw new Error(output);
    return JSON.parse(json) as Results;
  }

  it('have all their files, and stand in the list of domains and in the registry', () => {
    for (const plural of ['allergies', 'emergency-contacts']) {
      const files = readdirSync(join(tree, 'apps/api/src', plural), { recursive: true });
      expect(files.length).toBeGreaterThan(10);
      expect(existsSync(join(tree, `test/e2e/${plural}.spec.ts`))).toBe(true);
    }
  });

  it('have types that fit', async () => expect(await types).toBe(''));

  it(
    'are clean by the formatter and the linter',
    async () => {
      const written = ['allergies', 'emergency-contacts'].flatMap((plural) => [
        `apps/api/src/${plural}`,
        `test/e2e/${plural}.spec.ts`,
      ]);
      const edited = ['apps/api/src/domains.ts', 'libs/testing/src/service-kinds.ts'];
      await runOurs(tree, 'prettier/bin/prettier.cjs', '--check', ...written, ...edited);
      await runOurs(tree, 'eslint/bin/eslint.js', ...written, ...edited);
    },
    STEP_MS,
  );

  it('pass the suites of records, routes, security, migrations and architecture', async () => {
    const { testResults, numFailedTests, numFailedTestSuites, numPassedTests } = await results;
    expect(testResults.map(({ message }) => message).filter((message) => message !== '')).toEqual([]);
    expect([numFailedTests, numFailedTestSuites]).toEqual([0, 0]);
    expect(numPassedTests).toBeGreaterThan(400);
  });

  it.each(GENERATED)('have a suite for each convention: %s', async (name) => {
    const passed = (await results).testResults
      .flatMap(({ assertionResults }) => assertionResults)
      .filter(({ status, fullName }) => status === 'passed' && new RegExp(`\\ba ${name} `).test(fullName));
    expect(passed.length).toBeGreaterThan(150);
  });
});
