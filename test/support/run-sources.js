/** Lets this process require the TypeScript of the repository, compiled as Jest compiles it. */
const { readFileSync } = require('node:fs');
const { join } = require('node:path');
const { transformSync } = require('@swc/core');
const { projects } = require('../../jest.config');
const { compilerOptions } = require('../../tsconfig.json');

const [[, [, swc]]] = Object.entries(projects[0].transform);
const jsc = { ...swc.jsc, baseUrl: join(__dirname, '../..'), paths: compilerOptions.paths };

require.extensions['.ts'] = (module, filename) => {
  const source = readFileSync(filename, 'utf8');
  module._compile(transformSync(source, { ...swc, jsc, filename, swcrc: false }).code, filename);
};
