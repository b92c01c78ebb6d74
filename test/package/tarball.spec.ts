import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SOURCES } from '../architecture/sources';
import { packClient, type PackedService, packService, runIn } from '../support/packed-service';

const ROOT = join(__dirname, '../..');
/** A third are the word lists with which the page judges a new secret, a third the knowledge base in three languages. */
const MAX_BYTES = 4_400_000;
const MAX_UNPACKED_BYTES = 10_600_000;

/** What is for people, and read from the root of a package. */
const AT_THE_ROOT = ['LICENSE', 'NOTICE', 'README.md', 'package.json'];

/** Bundles for a page that has no bundler: they are ES modules only. */
const BUNDLES = ['./bundle', './offline-bundle'];

/** What publint and are-the-types-wrong find in a tarball. Resolution of before `exports` (node10) is not offered,
 * and no `type` is suggested: with one, the bundler of the page reads the sources as CommonJS. */
async function faultsOf(tarball: string): Promise<unknown[]> {
  const program = `
    import { readFileSync } from 'node:fs';
    import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
    import { publint } from 'publint';
    const bytes = readFileSync(${JSON.stringify(tarball)});
    const { messages } = await publint({ pack: { tarball: new Uint8Array(bytes).buffer } });
    const { problems } = await checkPackage(createPackageFromTarballData(bytes), { excludeEntrypoints: ${JSON.stringify(BUNDLES)} });
    const wrong = problems.filter(({ resolutionKind }) => resolutionKind !== 'node10');
    const bad = messages.filter(({ type }) => type !== 'suggestion');
    console.log(JSON.stringify([...bad, ...wrong]));`;
  return JSON.parse(
    await runIn(ROOT, process.execPath, '--input-type=module', '--eval', program),
  ) as unknown[];
}

describe('the package', () => {
  let folder: string;
  let packed: PackedService;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'hrs-pack-'));
    packed = await packService(folder);
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('holds what is built, and for people four files, the documents and the examples', async () => {
    const kept = (await runIn(ROOT, 'git', 'ls-files', 'docs/*.md', 'examples')).trim().split('\n');
    expect(kept.length).toBeGreaterThan(50);
    expect(packed.files.filter((path) => !path.startsWith('dist/')).sort()).toEqual(
      [...AT_THE_ROOT, ...kept].sort(),
    );
  });

  it('holds the code and the declarations of every source but the client, which is a package of its own, the page, which is built, and the tools of the knowledge base', () => {
    const isElsewhere = (path: string) => /^(apps\/web|libs\/(client|interactions\/src\/build))\//.test(path);
    const sources = SOURCES.map(({ path }) => path.replace(/\.ts$/, '')).filter((path) => !isElsewhere(path));
    expect(sources.length).toBeGreaterThan(150);
    const expected = sources.flatMap((path) => [`dist/${path}.js`, `dist/${path}.d.ts`]);
    expect(expected.filter((path) => !packed.files.includes(path))).toEqual([]);
  });

  it('holds the built page', () => {
    const ofPage = packed.files.filter((path) => path.startsWith('dist/apps/web/'));
    expect(ofPage).toEqual(
      expect.arrayContaining(
        ['index.html', 'manifest.webmanifest', 'service-worker.js'].map((name) => `dist/apps/web/${name}`),
      ),
    );
    const allowed =
      /\/(index\.html|manifest\.webmanifest|service-worker\.js|assets\/[\w.-]+\.(js|css|svg|png|woff2)(\.br)?)$/;
    expect(ofPage.filter((path) => !allowed.test(path))).toEqual([]);
  });

  it('holds the compiled knowledge base', () => {
    expect(packed.files).toContain('dist/libs/interactions/knowledge-base.json');
  });

  it('holds no test, no source, no map and nothing of the build or of a running service', () => {
    const allowed =
      /(?<!\.spec)\.js$|(?<!\.spec)\.d\.ts$|\/knowledge-base\.json$|^dist\/libs\/schematics\/.*\.(json|template)$/;
    const isMisplaced = (path: string) =>
      (!allowed.test(path) && !path.startsWith('dist/apps/web/')) ||
      /(^|\/)(test|__fixtures__|node_modules|\.[^/]*)(\/|$)/.test(path);
    expect(packed.files.filter((path) => path.startsWith('dist/') && isMisplaced(path))).toEqual([]);
  });

  it('holds no secret and no path of the machine that built it', async () => {
    await runIn(folder, 'tar', '-xzf', packed.tarball);
    const suspicious = [ROOT, tmpdir() + '/', '-----BEGIN', 'PRIVATE KEY'];
    // The others are in the repository as they are.
    const built = packed.files.filter((path) => path.startsWith('dist/'));
    const found = built.flatMap((path) => {
      const text = readFileSync(join(folder, 'package', path), 'utf8');
      return suspicious.filter((sign) => text.includes(sign)).map((sign) => `${path}: ${sign}`);
    });
    expect(found).toEqual([]);
  });

  it('stays small', () => {
    expect(packed.bytes).toBeLessThan(MAX_BYTES);
    expect(packed.unpackedBytes).toBeLessThan(MAX_UNPACKED_BYTES);
  });

  it('names as entries only files that it holds, each with its types', () => {
    const { exports } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
      exports: Record<string, string | { types: string; default: string }>;
    };
    const entries = Object.values(exports);
    expect(entries.length).toBeGreaterThan(5);
    const named = entries.flatMap((entry) => (typeof entry === 'string' ? [entry] : Object.values(entry)));
    expect(named.filter((path) => !packed.files.includes(path.replace('./', '')))).toEqual([]);
    expect(entries.filter((entry) => typeof entry === 'object' && !entry.types.endsWith('.d.ts'))).toEqual(
      [],
    );
  });

  it('is found with its types by every kind of import', async () => {
    expect(await faultsOf(packed.tarball)).toEqual([]);
  });

  it('installs without a script of its own', () => {
    const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
      scripts: Record<string, string>;
    };
    // `prepare` runs in a checkout only, not where the tarball is installed.
    expect(['preinstall', 'install', 'postinstall'].filter((name) => name in scripts)).toEqual([]);
  });
});

describe('the package of the client', () => {
  const STEP_MS = 300_000;
  let folder: string;
  let packed: PackedService;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'hrs-pack-client-'));
    packed = await packClient(folder);
    writeFileSync(join(folder, 'package.json'), '{ "name": "somebody", "private": true }');
    await runIn(folder, 'npm', 'install', '--prefer-offline', '--no-audit', packed.tarball, 'react@19.3.1');
  }, STEP_MS);
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('brings nothing of the service', () => {
    const { packages } = JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8')) as {
      packages: Record<string, unknown>;
    };
    const installed = Object.keys(packages).map((path) => path.replace('node_modules/', ''));
    expect(installed).toContain('@health-records/client');
    expect(installed.length).toBeLessThan(21);
    expect(installed.filter((name) => /nest|fastify|typeorm|^pg/.test(name))).toEqual([]);
  });

  it('is found with its types by every kind of import', async () => {
    expect(await faultsOf(packed.tarball)).toEqual([]);
  });

  it('can be required, with one class for each error, where there is only what jsdom has', async () => {
    const program = `
      for (const name of ['TextEncoder', 'TextDecoder', 'crypto', 'fetch', 'structuredClone', 'BroadcastChannel']) delete globalThis[name];
      const { HealthRecordsClient, LockedError } = require('@health-records/client');
      const { memoryOfflineStore } = require('@health-records/client/offline');
      for (const entry of ['documents', 'fhir', 'interactions', 'node', 'passkeys', 'react', 'spaces', 'testing']) require('@health-records/client/' + entry);
      // An import needs nothing; a client needs random bytes, which jsdom has.
      const { webcrypto } = require('node:crypto');
      globalThis.crypto = { getRandomValues: (bytes) => webcrypto.getRandomValues(bytes) };
      const client = new HealthRecordsClient({ baseUrl: 'https://health.example', fetch: () => {}, offline: memoryOfflineStore() });
      client.profiles.list().catch((error) => console.log(client.state, error instanceof LockedError));`;
    writeFileSync(join(folder, 'try.cjs'), program);
    expect((await runIn(folder, process.execPath, 'try.cjs')).trim()).toBe('signed-out true');
  });

  it(
    'offers each of its entries to plain Node, and makes a phrase there',
    async () => {
      const { name, exports } = JSON.parse(readFileSync(join(ROOT, 'libs/client/package.json'), 'utf8')) as {
        name: string;
        exports: Record<string, unknown>;
      };
      const entries = Object.keys(exports).filter((entry) => !entry.endsWith('.json'));
      const program = `
        for (const entry of ${JSON.stringify(entries)}) await import('${name}' + entry.slice(1));
        const { generateRecoveryPhrase, HealthRecordsClient } = await import('${name}');
        new HealthRecordsClient({ baseUrl: 'https://health.example' });
        console.log((await generateRecoveryPhrase()).split(' ').length);`;
      writeFileSync(join(folder, 'try.mjs'), program);
      expect((await runIn(folder, process.execPath, 'try.mjs')).trim()).toBe('12');
    },
    STEP_MS,
  );
});
