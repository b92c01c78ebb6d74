import { cpSync, existsSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SERVICE_KINDS } from '@app/testing';
import { runIn, runOurs } from '../support/packed-service';

const ROOT = join(__dirname, '../..');
/** What the service and its tests are made of. */
const TREE = ['apps', 'libs', 'test', 'docs/scaling.md', 'dist'];
const CONFIG =
  /^(package(-lock)?|nest-cli|tsconfig.*|\.prettierrc)\.json$|\.(m?js|ts)$|^\.(prettierignore|editorconfig)$/;
/** Each step is a tool of its own, on what may be a busy machine. */
const STEP_MS = 600_000;

const PLURALS = ['allergies', 'emergency-contacts'];
const SPECS = PLURALS.flatMap((plural) => [`test/e2e/${plural}.spec.ts`, `test/client/${plural}.spec.ts`]);
/**
 * What knows the service's own sources. The checks of records run in the suites of the service, and on what the same
 * templates make in a project outside: outside.spec.ts.
 */
const SUITES = [
  ...SPECS,
  'test/e2e/record-kinds.spec.ts',
  'test/security/routes.spec.ts',
  'test/migrations/schema.spec.ts',
  'test/operation/(scaling-docs|openapi).spec.ts',
  'test/architecture/(controllers|files|imports|names).spec.ts',
  'libs/client/src/open-api.spec.ts',
];
/** All but the checks of single kinds. */
const NAMES = `^(?!an? (${[...SERVICE_KINDS.map(({ name }) => name), 'allergy', 'emergency contact'].join('|')}) )`;

interface Results {
  numPassedTests: number;
  numFailedTests: number;
  numFailedTestSuites: number;
  testResults: { name: string; message: string }[];
}

describe('two record kinds, generated in a copy of this repository', () => {
  let tree: string;
  let results: Results;

  beforeAll(async () => {
    tree = mkdtempSync(join(tmpdir(), 'hrs-tree-'));
    const isSource = (path: string) => !/\/(node_modules|client\/dist)$/.test(path);
    const names = [...TREE, ...readdirSync(ROOT).filter((name) => CONFIG.test(name))];
    for (const name of names)
      cpSync(join(ROOT, name), join(tree, name), { recursive: true, filter: isSource });
    symlinkSync(join(ROOT, 'node_modules'), join(tree, 'node_modules'));
    const generate = (...args: string[]) => runIn(tree, 'npm', 'run', 'generate:record', '--', ...args);
    await generate('allergy', '--filters=status,first_seen', '--details=substance,since:date?,grade:number');
    await generate('emergency-contact', '--owner=account');
    results = await buildAndTest();
  }, STEP_MS);
  afterAll(() => rmSync(tree, { recursive: true, force: true }));

  async function buildAndTest(): Promise<Results> {
    // As the build compiles, with the two suites: their types are checked as well.
    const types = { types: ['node', 'jest'], skipLibCheck: true };
    const project = { extends: './tsconfig.build.json', files: SPECS, compilerOptions: types };
    writeFileSync(join(tree, 'tsconfig.generated.json'), JSON.stringify(project));
    await runOurs(tree, '@nestjs/cli/bin/nest.js', 'build', '--path', 'tsconfig.generated.json');
    // As `npm run openapi` does: the document of the routes is committed.
    const refresh = [
      'env',
      'UPDATE_OPENAPI=1',
      process.execPath,
      join(ROOT, 'node_modules/jest/bin/jest.js'),
    ] as const;
    const options = ['--json', '--maxWorkers=2', `--testNamePattern=${NAMES}`, ...SUITES];
    const output = await runIn(tree, ...refresh, ...options).catch((error: Error) => error.message);
    const json = output.split('\n').find((line) => line.startsWith('{"'));
    if (!json) throw new Error(output);
    return JSON.parse(json) as Results;
  }

  it('have all their files', () => {
    for (const plural of PLURALS) {
      const files = readdirSync(join(tree, 'apps/api/src', plural), { recursive: true });
      expect(files.length).toBeGreaterThan(10);
    }
    const halves = ['allergy', 'emergency-contact'].map((kind) => `libs/client/src/kinds/${kind}.kind.ts`);
    expect([...SPECS, ...halves].filter((path) => !existsSync(join(tree, path)))).toEqual([]);
  });

  it(
    'are clean by the formatter and the linter',
    async () => {
      const written = [...PLURALS.map((plural) => `apps/api/src/${plural}`), ...SPECS];
      const edited = [
        'apps/api/src/domains.ts',
        'libs/testing/src/service-kinds.ts',
        'libs/client/src/index.ts',
        'libs/client/src/kinds',
      ];
      await runOurs(tree, 'prettier/bin/prettier.cjs', '--check', ...written, ...edited);
      await runOurs(tree, 'eslint/bin/eslint.js', ...written, ...edited);
    },
    STEP_MS,
  );

  it('build, and pass the suites of their own, of routes, security, migrations and architecture', () => {
    const { testResults, numFailedTests, numFailedTestSuites, numPassedTests } = results;
    expect(testResults.map(({ message }) => message).filter((message) => message !== '')).toEqual([]);
    expect([numFailedTests, numFailedTestSuites]).toEqual([0, 0]);
    expect(numPassedTests).toBeGreaterThan(120);
    const names = testResults.map(({ name }) => name).join();
    expect([...SPECS, 'openapi', 'scaling-docs', 'open-api'].filter((each) => !names.includes(each))).toEqual(
      [],
    );
  });
});
