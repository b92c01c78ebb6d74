/**
 * Builds the package into dist: one ES module bundle, the type declarations, and a check of the size that is promised.
 * Run from anywhere: node libs/client/build.mjs
 */
import { execFileSync } from 'node:child_process';
import { copyFileSync, cpSync, existsSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build, transform } from 'esbuild';

const here = dirname(fileURLToPath(import.meta.url));
const dist = join(here, 'dist');
const maxGzippedBytes = 50_000;

rmSync(dist, { recursive: true, force: true });
// The rule of the service, which lies outside of this package.
const adherence = join(here, '../common/src/adherence/index.ts');
const common = {
  bundle: true,
  // What is imported on demand (the word lists of the strength estimate) is a file of its own.
  splitting: true,
  outdir: dist,
  chunkNames: 'chunks/[name]-[hash]',
  format: 'esm',
  target: ['es2022'],
  platform: 'browser',
  sourcemap: true,
  legalComments: 'external',
  tsconfig: join(here, 'tsconfig.json'),
  logLevel: 'warning',
};
// For applications with a bundler of their own, and for Node: dependencies stay imports.
// Shared profiles and the offline part are apart, since not every page needs them; what several entries use lies in a chunk,
// so that errors are of one class.
const entryPoints = {
  index: join(here, 'src/index.ts'),
  offline: join(here, 'src/offline/index.ts'),
  passkeys: join(here, 'src/passkeys/index.ts'),
  spaces: join(here, 'src/spaces/index.ts'),
  node: join(here, 'src/node.ts'),
  testing: join(here, 'src/testing/index.ts'),
  react: join(here, 'src/react/index.ts'),
  documents: join(here, 'src/documents/index.ts'),
  fhir: join(here, 'src/fhir/index.ts'),
};
const external = {
  packages: 'external',
  external: ['node:*'],
  alias: { '@app/common/adherence': adherence },
};
await build({ ...common, ...external, entryPoints });
// The engine for checks on the device, apart: a page that checks nothing does not load it.
const interactions = join(here, 'src/interactions/device-engine.ts');
// For Jest and others that know no ES modules: the same files, and chunks, as CommonJS. What has no such form is inside.
const requirable = [
  'idb',
  'react',
  '@hpke/*',
  '@simplewebauthn/browser',
  '@zxcvbn-ts/*',
  'valibot',
  'node:*',
];
const cjs = join(dist, 'cjs');
await build({
  ...common,
  ...external,
  packages: 'bundle',
  external: requirable,
  entryPoints,
  outdir: cjs,
  sourcemap: false,
});
await build({ ...common, entryPoints: { interactions }, minify: true, outdir: cjs, sourcemap: false });
for (const path of readdirSync(cjs, { recursive: true }).filter((each) => each.endsWith('.js'))) {
  const file = join(cjs, path);
  const options = {
    format: 'cjs',
    target: common.target,
    platform: 'node',
    supported: { 'dynamic-import': false },
  };
  writeFileSync(file, (await transform(readFileSync(file, 'utf8'), options)).code);
}
// For a page without a bundler: one file, one with the word lists, and one with the offline part.
await build({ ...common, entryPoints: { 'health-records-client.min': entryPoints.index }, minify: true });
await build({ ...common, entryPoints: { 'offline.min': entryPoints.offline }, minify: true });
await build({ ...common, entryPoints: { interactions }, minify: true });

const tsc = createRequire(import.meta.url).resolve('typescript/bin/tsc');
execFileSync(process.execPath, [tsc, '-p', join(here, 'tsconfig.build.json')], { stdio: 'inherit' });
// Without extensions the declarations would only resolve in bundlers, not in Node's own resolution.
for (const entry of readdirSync(join(dist, 'types'), { recursive: true, withFileTypes: true })) {
  if (!entry.isFile()) continue;
  const file = join(entry.parentPath, entry.name);
  const text = readFileSync(file, 'utf8').replace(
    /((?:from|import\()\s*['"]\.{1,2}\/[^'"]+?)(['"])/g,
    '$1.js$2',
  );
  writeFileSync(file, text);
}
// Written by hand, since their own declarations refer to sources outside of this package, or to Node.
writeFileSync(
  join(dist, 'types/offline/index.d.ts'),
  "import type { OfflineStore } from './offline-store.js';\n" +
    "import type { RowStore } from './row-store.js';\n" +
    "export type { Row, RowChanges, RowStore } from './row-store.js';\n" +
    '/** Makes an offline store for the client from rows of your own. */\n' +
    'export declare function offlineStore(rows: RowStore): OfflineStore;\n' +
    '/** A store in IndexedDB, shared by the tabs of the origin. Several names keep several accounts apart. */\n' +
    'export declare function indexedDbStore(name?: string): OfflineStore;\n' +
    '/** A store that ends with the process. */\n' +
    'export declare function memoryOfflineStore(): OfflineStore;\n',
);
writeFileSync(
  join(dist, 'types/node.d.ts'),
  "import type { OfflineStore } from './offline/offline-store.js';\n" +
    '/** A store in one file, for one process of Node. */\n' +
    'export declare function fileStore(path: string): OfflineStore;\n',
);
writeFileSync(
  join(dist, 'types/interactions/device-engine.d.ts'),
  "import type { InteractionEngineFactory } from './interaction-types.js';\n" +
    '/** The engine for checks on the device: `interactionEngine` of the client. */\n' +
    'export declare const deviceInteractionEngine: InteractionEngineFactory;\n',
);
// The sources are checked as the rest of the repository is; only what is built is declared an ES module.
writeFileSync(join(dist, 'package.json'), '{ "type": "module" }\n');
cpSync(join(dist, 'types'), join(cjs, 'types'), { recursive: true });
writeFileSync(join(cjs, 'package.json'), '{ "type": "commonjs" }\n');

// The package has the licence of the repository; npm takes these along by their names.
for (const name of ['LICENSE', 'NOTICE']) {
  const original = join(here, '../..', name);
  if (existsSync(original)) copyFileSync(original, join(here, name));
}

const engineGzipped = gzipSync(readFileSync(join(dist, 'interactions.js')), { level: 9 }).length;
console.log(`interaction engine: ${engineGzipped} bytes gzipped, without the knowledge base`);
const offlineGzipped = gzipSync(readFileSync(join(dist, 'offline.min.js')), { level: 9 }).length;
console.log(`offline part: ${offlineGzipped} bytes gzipped`);
const gzipped = gzipSync(readFileSync(join(dist, 'health-records-client.min.js')), { level: 9 }).length;
console.log(`client bundle: ${gzipped} bytes gzipped (at most ${maxGzippedBytes})`);
if (gzipped > maxGzippedBytes) {
  console.error('The client bundle is larger than promised.');
  process.exit(1);
}
