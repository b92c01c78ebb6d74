/**
 * The tests that take long and depend on a closed set of files. The gate runs one only when a file of its set is not as
 * it was when the test was last green, see covered.js. test/architecture/covered.spec.ts checks the sets.
 *
 * `specs`, `suites` (specs that a test runs in a copy) and `files` are globs of git, from the root of the repository. `!`
 * takes files out of all globs of its list.
 */

/** On what the result of each of them depends, besides its own set: the packages, and how Jest runs. */
const ALL = [
  '.npmrc',
  'jest.config.js',
  'package-lock.json',
  'tsconfig.json',
  'test/support/cheap-derivation.js',
];

/** The helpers of all tests that start a service. */
const HELPERS = [
  'built-service.ts',
  'citus.ts',
  'databases.ts',
  'debian-program.js',
  'factories.ts',
  'free-port.*',
  'global-*.js',
  'pgbouncer.*',
  'run-sources.js',
  'service-here.ts',
  'service-host.js',
  'service.ts',
  'until.ts',
].map((name) => `test/support/${name}`);

/** The service, what else lies in `libs`, their build, and the helpers. */
const BUILT = [
  'apps/api/**',
  'libs/**',
  '!**/*.spec.ts',
  // What a drug does decides none of these tests.
  '!libs/interactions/*.*',
  '!libs/interactions/evaluation/**',
  '!libs/interactions/knowledge/**',
  'nest-cli.json',
  'ormconfig.ts',
  'package.json',
  'tsconfig.build.json',
  ...HELPERS,
  // The helpers take the statements for Citus from it.
  'docs/scaling.md',
];
const SERVICE = [...BUILT, '!libs/client/**', '!libs/schematics/**'];

const TESTS = {
  image: {
    why: 'builds the Dockerfile, and lives a day in the image; needs root and Debian',
    specs: ['test/image/image.spec.ts'],
    // Not the sources of the page and of the client: they are built here as they are there, and reach only what the
    // image has, see test/architecture/covered.spec.ts.
    files: [
      ...BUILT,
      'apps/web/**',
      '!apps/web/src/**',
      '!libs/client/src/**',
      '.dockerignore',
      'Dockerfile',
      'LICENSE',
      'NOTICE',
      'test/image/**',
      'test/operation/whole-day.ts',
      'test/support/node-lts/*',
      'test/support/node-of-image.ts',
    ],
  },
  outside: {
    why: 'installs the packages in projects of other teams, and runs their tests',
    specs: ['test/package/outside.spec.ts'],
    // Not the page, which no such project opens.
    files: [
      ...BUILT,
      'eslint.config.mjs',
      'examples/**',
      'test/browser/browser.ts',
      'test/browser/page/**',
      'test/support/chromium.*',
      'test/support/packed-service.ts',
      'test/support/proxy.ts',
    ],
  },
  generator: {
    why: 'generates two kinds of records in a copy of the repository, builds it, and runs its tests',
    specs: ['test/package/generator.spec.ts'],
    suites: [
      'libs/client/src/open-api.spec.ts',
      ...['controllers', 'files', 'imports', 'names'].map((name) => `test/architecture/${name}.spec.ts`),
      'test/e2e/record-kinds.spec.ts',
      'test/migrations/schema.spec.ts',
      'test/operation/openapi.spec.ts',
      'test/operation/scaling-docs.spec.ts',
      'test/security/routes.spec.ts',
    ],
    files: [
      ...BUILT,
      'test/architecture/sources.ts',
      'test/operation/statements.ts',
      'test/support/checks.ts',
      'test/support/packed-service.ts',
      '.editorconfig',
      '.prettierignore',
      '.prettierrc.json',
      'eslint.config.mjs',
    ],
  },
  documents: {
    why: 'makes clients from the OpenAPI document with the generators of others, and lives a day with each',
    specs: ['test/documents/documents.spec.ts'],
    files: [...SERVICE, 'test/documents/**', 'test/support/packed-service.ts'],
  },
  compose: {
    why: 'runs the scripts of deploy/compose, from nothing to a new PostgreSQL and back from backups',
    specs: ['test/operation/compose-scripts.spec.ts'],
    files: [
      ...SERVICE,
      'deploy/*',
      'deploy/compose/**',
      'test/support/compose-host.ts',
      'test/support/docker-stand-in.js',
      'test/support/shell-programs.*',
    ],
  },
  postgresql: {
    why: 'works by way of PgBouncer, with a replica, and with statements for tables that are spread over servers',
    specs: ['pgbouncer', 'replica', 'routing'].map((name) => `test/operation/${name}.spec.ts`),
    // With the helpers of those specs.
    files: [
      ...SERVICE,
      'test/architecture/sources.ts',
      'test/operation/*.ts',
      'test/support/breakable-link.ts',
      'test/support/observed-work.ts',
      'test/support/standby.ts',
    ],
  },
  operator: {
    why: 'lives a year of an operator with the built service, and ends it in the middle of its start and of its work',
    specs: ['early-signals', 'killed-services', 'year'].map((name) => `test/operation/${name}.spec.ts`),
    files: [
      ...SERVICE,
      'test/operation/backup-of-db8b944/*',
      'test/operation/year.ts',
      'test/support/ops.ts',
      'test/support/standby.ts',
    ],
  },
  swagger: {
    why: 'clicks through the page of the documentation, which a browser needs seconds to draw',
    specs: ['test/browser/swagger-ui.spec.ts'],
    files: [
      ...BUILT,
      'test/browser/browser.ts',
      'test/browser/page/**',
      'test/support/chromium.*',
      'test/support/proxy.ts',
    ],
  },
  spaces: {
    why: 'runs the longest tests of records a second time, with each profile shared',
    specs: ['test/e2e/spaces-again-long.spec.ts', 'test/e2e/spaces-kinds.spec.ts'],
    // The specs of AGAIN.long, see test/support/specs-again.ts.
    suites: [
      ...['conventions-idempotency', 'sync-writers', 'whole-lists'].map((name) => `test/e2e/${name}.spec.ts`),
      ...['faults', 'foreign-bytes', 'request-budgets', 'stored-bytes'].map(
        (name) => `test/security/${name}.spec.ts`,
      ),
    ],
    files: [
      ...SERVICE,
      'test/support/breakable-link.ts',
      'test/support/checks.ts',
      'test/support/clients.ts',
      'test/support/feed-writers.ts',
      'test/support/in-space.ts',
      'test/support/limit-counters.ts',
      'test/support/record-kinds.ts',
      'test/support/specs-again.ts',
    ],
  },
  knowledge: {
    why: 'asks the whole knowledge base of interactions',
    specs: ['libs/interactions/**/*.slow.spec.ts'],
    files: ['libs/interactions/**'],
  },
  strength: {
    why: 'judges 600 secrets by the large and by the small word lists',
    specs: ['libs/client/src/account/strength.slow.spec.ts'],
    files: [
      'libs/client/common-words.mjs',
      'libs/client/src/account/common-words.ts',
      'libs/client/src/account/small-estimator.ts',
      'libs/client/src/account/strength*.ts',
      'libs/client/src/errors.ts',
    ],
  },
};

module.exports = { ALL, TESTS };
