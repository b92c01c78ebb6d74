import { execFile } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { removeDataDir } from '@app/testing';
import { build } from 'esbuild';
import type { Browser } from 'playwright-core';
import { describeInBrowser, launchBrowser, newProfile } from '../browser/browser';
import { type BuiltService, startBuiltService } from '../support/built-service';
import { fhirProblems } from '../../libs/client/src/testing/fhir-validators';
import { createDatabase, dropDatabase, sql } from '../support/databases';
import { aBlob, anAccount, aProfile } from '../support/factories';
import { packClient, packService, runIn, runOurs } from '../support/packed-service';

const ROOT = join(__dirname, '../..');
const PACKAGE = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
  name: string;
  exports: Record<string, unknown>;
  peerDependencies: Record<string, string>;
};
/** Each step is a tool of its own, on what may be a busy machine. */
const STEP_MS = 600_000;

/** A page of the team: React, the packed client, and the client half of its own kind. */
const REACT_PAGE = `
  import { HealthRecordsClient } from '@health-records/client';
  import { useRecords, useSession } from '@health-records/client/react';
  import { createElement as h, StrictMode } from 'react';
  import { createRoot } from 'react-dom/client';
  import { ALLERGY } from './client/allergy.kind';

  const client = new HealthRecordsClient({ baseUrl: SERVICE, kinds: [ALLERGY] });
  function Allergies() {
    const { data, error } = useRecords(client, ['allergy'], (each) => each.collection(ALLERGY).list({ status: 'active' }), []);
    if (error) return h('p', { id: 'error' }, error.code);
    return h('ul', null, (data ?? []).map(({ id, details }) => h('li', { key: id }, details.substance)));
  }
  function App() {
    const { isResumed, state } = useSession(client);
    return h('main', null, h('p', { id: 'state' }, isResumed + ' ' + state), state === 'unlocked' && h(Allergies));
  }
  globalThis.page = { client, ALLERGY };
  createRoot(document.body.appendChild(document.createElement('div'))).render(h(StrictMode, null, h(App)));`;
/** Of the page. */
declare const page: any;

/** The example as somebody else has it: copied out of the repository, beside the tarball. */
let folder: string;
let project: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'hrs-outside-'));
  project = join(folder, 'examples/allergies');
  cpSync(join(ROOT, 'examples'), join(folder, 'examples'), {
    recursive: true,
    filter: (path) => !/\/(node_modules|dist)$/.test(path),
  });
  await packService(folder);
  await packClient(folder);
  await runIn(project, 'npm', 'install', '--prefer-offline', '--no-audit', '--no-package-lock');
}, STEP_MS);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A copy of the project, with the same installed packages. */
function aCopy(name: string): string {
  const copy = join(folder, 'examples', name);
  cpSync(project, copy, { recursive: true, filter: (path) => !/\/(node_modules|dist)$/.test(path) });
  symlinkSync(join(project, 'node_modules'), join(copy, 'node_modules'));
  return copy;
}

/** What the tests of a project have counted, as `node --test` says it. */
const countOf = (output: string, what: string) =>
  Number(new RegExp(`^ℹ ${what} (\\d+)$`, 'm').exec(output)?.[1]);

describe('a service that installs the package', () => {
  it(
    'has one copy of each package that keeps what decorators say',
    async () => {
      const peers = Object.keys(PACKAGE.peerDependencies);
      expect(peers).toEqual(expect.arrayContaining(['@nestjs/common', 'class-validator', 'typeorm']));
      const found = await runIn(project, 'npm', 'ls', ...peers, '--all', '--parseable');
      const names = found
        .trim()
        .split('\n')
        .map((path) => path.split('/node_modules/').slice(1).join(' > '));
      expect([...new Set(names)].filter((name) => name.includes(' > '))).toEqual([]);
      expect(names).toEqual(expect.arrayContaining(peers));
    },
    STEP_MS,
  );

  it(
    'compiles against every entry, in strict TypeScript that checks declarations too',
    async () => {
      const consumer = aCopy('consumer');
      const entries = Object.keys(PACKAGE.exports).filter((entry) => !entry.endsWith('.json'));
      expect(entries.length).toBeGreaterThan(5);
      const imports = entries.map(
        (entry, index) =>
          `import * as e${index} from '${PACKAGE.name}${entry.slice(1)}';\nexport { e${index} };`,
      );
      writeFileSync(join(consumer, 'src/entries.ts'), imports.join('\n'));
      const options = ['--noEmit', '--strict', '--skipLibCheck', 'false', '-p', 'tsconfig.json'];
      await runIn(consumer, 'npx', 'tsc', ...options);
    },
    STEP_MS,
  );
});

describe('the package by its name', () => {
  it(
    'begins a service in an empty folder, which compiles with a generated kind',
    async () => {
      const begun = join(folder, 'begun');
      mkdirSync(begun);
      writeFileSync(join(begun, 'package.json'), JSON.stringify({ name: 'clinic', type: 'module' }));
      symlinkSync(join(project, 'node_modules'), join(begun, 'node_modules'));
      const generate = (...args: string[]) => runIn(begun, 'npx', 'schematics', ...args);
      await generate(`${PACKAGE.name}:project`, 'clinic');
      writeFileSync(join(begun, 'src/main.ts'), '// Of the team.\n');
      await generate(`${PACKAGE.name}:project`, 'clinic');
      expect(readFileSync(join(begun, 'src/main.ts'), 'utf8')).toBe('// Of the team.\n');
      await generate(`${PACKAGE.name}:record`, 'immunization', '--filters=status');
      const manifest = JSON.parse(readFileSync(join(begun, 'package.json'), 'utf8')) as object;
      expect(manifest).toMatchObject({ name: 'clinic', scripts: { ops: 'node dist/src/ops.js' } });
      expect(manifest).not.toHaveProperty('type');
      const written = ['src/domains.ts', 'test/registry.ts'].map((path) =>
        readFileSync(join(begun, path), 'utf8'),
      );
      expect(written.join()).not.toMatch(/allerg/i);
      await runIn(begun, 'npx', 'tsc', '--noEmit', '-p', 'tsconfig.json');
    },
    STEP_MS,
  );

  it(
    'starts one process with a data folder of its own, and has the commands of the operator',
    async () => {
      const program = join(project, 'node_modules/.bin', PACKAGE.name);
      const home = mkdtempSync(join(tmpdir(), 'hrs-home-'));
      const environment = { HOME: home, XDG_DATA_HOME: '' };
      const service = await startBuiltService(environment, { main: program });
      await anAccount(service.api);
      const ops = (...args: string[]) =>
        runIn(project, 'env', `HOME=${home}`, 'XDG_DATA_HOME=', process.execPath, program, ...args);
      expect(JSON.parse(await ops('ops', '--json', 'status'))).toMatchObject({ accounts: 1 });
      expect(await service.end()).toBe(0);
      const data = join(home, '.local/share', PACKAGE.name);
      expect(existsSync(join(data, 'postgres'))).toBe(true);
      expect(await ops('--help')).toContain(data);
      await expect(ops('no-such-word')).rejects.toThrow('Usage: health-records-service');
      removeDataDir(data);
      rmSync(home, { recursive: true });
    },
    STEP_MS,
  );
});

describe('a service with a sign-in of its own', () => {
  it(
    'signs in by a provider of OpenID Connect, as its tests say, beside the checks that the package brings',
    async () => {
      const oidc = join(folder, 'examples/oidc');
      await runIn(oidc, 'npm', 'install', '--prefer-offline', '--no-audit', '--no-package-lock');
      const output = await runIn(oidc, 'npm', 'test');
      const counts = ['fail', 'cancelled', 'skipped', 'todo'].map((what) => countOf(output, what));
      expect(counts).toEqual([0, 0, 0, 0]);
      expect(countOf(output, 'pass')).toBeGreaterThan(60);
    },
    STEP_MS,
  );
});

describe('the generator in a project that installs the package', () => {
  let generated: string;
  let told: string;
  beforeAll(async () => {
    generated = aCopy('generated');
    told = await runIn(generated, 'npx', 'nest', 'generate', 'record', 'food-reaction', '--dry-run');
    const generate = (...options: string[]) =>
      runIn(generated, 'npx', 'schematics', `${PACKAGE.name}:record`, ...options);
    await generate('food-reaction', '--filters=severity', '--details=food,since:date?');
    await generate('emergency-contact', '--owner=account');
  }, STEP_MS);

  it('writes the files that `nest generate` tells', () => {
    const files = [...told.matchAll(/CREATE\S* (\S+)/g)].map(([, path]) => path);
    const written = files.filter((path) => existsSync(join(generated, path)));
    expect(files.length).toBeGreaterThan(10);
    // The migration is named after the time.
    expect(files.filter((path) => !written.includes(path) && !path.includes('/migrations/'))).toEqual([]);
  });

  it(
    'writes what builds, and passes the checks that the package brings, beside the tests of the example',
    async () => {
      const output = await runIn(generated, 'npm', 'test');
      const counts = ['fail', 'cancelled', 'skipped', 'todo'].map((what) => countOf(output, what));
      expect(counts).toEqual([0, 0, 0, 0]);
      expect(countOf(output, 'pass')).toBeGreaterThan(500);
      expect(output).toMatch(/▶ food reaction\n/);
      expect(output).toMatch(/▶ emergency contact\n/);
      for (const kinds of ['food reactions', 'emergency contacts', 'allergies'])
        expect(output).toContain(`▶ ${kinds} in the client\n`);
      expect(output).toContain('▶ Nest in a service of your own\n');
    },
    STEP_MS,
  );

  it(
    'writes, as the example is written, what the linter finds clean',
    () =>
      runOurs(generated, 'eslint/bin/eslint.js', '--config', join(ROOT, 'eslint.config.mjs'), 'src', 'test'),
    STEP_MS,
  );

  describe('as a process', () => {
    let databaseUrl: string;
    let service: BuiltService;
    /** Serves the page of the team, at an origin of its own. */
    let pages: Server;
    let script = '';
    const origin = () => `http://localhost:${(pages.address() as AddressInfo).port}`;
    beforeAll(async () => {
      const html =
        '<!doctype html><link rel="icon" href="data:,"><body><script type="module" src="/app.js"></script>';
      pages = createServer(({ url }, response) => {
        const isScript = url === '/app.js';
        response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html');
        response.end(isScript ? script : html);
      });
      await new Promise<void>((resolve) => pages.listen(0, '127.0.0.1', resolve));
      databaseUrl = await createDatabase(false);
      // The tests above have built it.
      service = await startBuiltService(
        { DATABASE_URL: databaseUrl, CORS_ORIGINS: origin() },
        { main: join(generated, 'dist/src/main.js') },
      );
    }, STEP_MS);
    afterAll(async () => {
      await service?.end();
      await dropDatabase(databaseUrl);
      pages.closeAllConnections();
      pages.close();
    });

    it('answers its routes beside those of the service, and documents them', async () => {
      const { token } = await anAccount(service.api);
      const body = {
        profile_id: await aProfile(service.api, token),
        status: 'active',
        encrypted_data: aBlob(),
      };
      const created = await service.api.post('/api/allergies', body, { token });
      expect([created.status, created.body]).toEqual([201, expect.objectContaining(body)]);
      expect((await service.api.get('/api/allergies', { token })).body).toEqual([created.body]);
      const refused = await service.api.post('/api/allergies', { ...body, status: 'unheard of' }, { token });
      expect([refused.status, refused.body.code]).toEqual([400, 'allergy_status_unknown']);
      const { paths } = (await service.api.get('/api/openapi.json')).body;
      expect(Object.keys(paths)).toEqual(
        expect.arrayContaining(['/api/allergies', '/api/food-reactions', '/api/medications']),
      );
    });

    it(
      'gives a program in Node all records of an account, as JSON and as FHIR',
      async () => {
        const [email, password] = ['saved@example.org', 'correct horse battery staple'];
        const fill = `
          import { HealthRecordsClient } from '@health-records/client';
          const client = new HealthRecordsClient({ baseUrl: '${service.api.url}' });
          const [email, password] = ['${email}', '${password}'];
          await client.register({ email, password, recoveryPhrase: null, profile: { details: { name: 'Ada Canary' } } });
          const [{ id: profileId }] = await client.profiles.list();
          await client.medications.create({ profileId, route: 'oral', schedule: null, details: { name: 'Canarine' } });`;
        const program = join(folder, 'examples/export');
        await runIn(program, 'npm', 'install', '--prefer-offline', '--no-audit', '--no-package-lock');
        await runIn(program, process.execPath, '--input-type=module', '--eval', fill);
        const save = (format: string) => {
          const options = ['--url', service.api.url, '--email', email, '--format', format, '--out', format];
          return runIn(
            program,
            'env',
            `HEALTH_PASSWORD=${password}`,
            'npm',
            'run',
            '--silent',
            'export',
            '--',
            ...options,
          );
        };
        const saved = async (format: string) =>
          (await save(format))
            .trim()
            .split('\n')
            .map((path) => JSON.parse(readFileSync(join(program, path), 'utf8')));
        const [document] = await saved('json');
        expect(document.profiles[0].medications[0].details.name).toBe('Canarine');
        const bundles = await saved('fhir');
        expect(bundles.map(({ resourceType, type }) => [resourceType, type])).toEqual([
          ['Bundle', 'document'],
        ]);
        expect(fhirProblems(bundles[0])).toEqual([]);
        expect(JSON.stringify(bundles)).toContain('Canarine');
        await expect(save('fhir')).rejects.toThrow('EEXIST');
      },
      STEP_MS,
    );

    describeInBrowser('in a page of React', () => {
      let browser: Browser;
      beforeAll(async () => (browser = await launchBrowser()));
      afterAll(() => browser?.close());

      it(
        'shows the records of its own kind, under StrictMode, from another origin',
        async () => {
          const { outputFiles } = await build({
            stdin: { contents: REACT_PAGE, resolveDir: generated },
            bundle: true,
            write: false,
            format: 'esm',
            nodePaths: [join(ROOT, 'node_modules')],
            define: {
              SERVICE: JSON.stringify(service.api.url),
              'process.env.NODE_ENV': '"development"',
            },
          });
          const tab = await (await newProfile(browser)).newPage();
          const complaints: string[] = [];
          tab.on('pageerror', ({ message }) => complaints.push(message));
          tab.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
          script = outputFiles[0].text;
          await tab.goto(origin());
          await tab.locator('#state', { hasText: 'true signed-out' }).waitFor();
          await tab.evaluate(async () => {
            const { client, ALLERGY } = page;
            const profile = { details: { name: 'Ada' } };
            const password = 'correct horse battery staple';
            await client.register({ email: 'react@example.org', password, recoveryPhrase: null, profile });
            const [{ id: profileId }] = await client.profiles.list();
            const allergies = client.collection(ALLERGY);
            await allergies.create({ profileId, status: 'active', details: { substance: 'Latex' } });
            await allergies.create({ profileId, status: 'outgrown', details: { substance: 'Egg' } });
          });
          await tab.locator('li', { hasText: 'Latex' }).waitFor();
          expect(await tab.locator('li').allTextContents()).toEqual(['Latex']);
          expect(complaints).toEqual([]);
        },
        STEP_MS,
      );
    });

    describe('its operator', () => {
      const BARE = join('node_modules', PACKAGE.name, 'dist/apps/api/src/ops/main.js');
      let backup: string;

      /** @returns the exit code and all that was said. */
      const ops = (program: string, database: string, ...args: string[]) =>
        new Promise<{ code: number; said: string }>((resolve) => {
          const env = { ...process.env, DATABASE_URL: database, NODE_ENV: 'development' };
          execFile(
            process.execPath,
            [program, '--json', '--yes', ...args],
            { cwd: generated, env },
            (error, out, err) => resolve({ code: Number(error?.code ?? 0), said: out + err }),
          );
        });
      const countOfAllergies = (database: string) =>
        sql<{ count: string }>(database, 'SELECT count(*) FROM allergies');

      beforeAll(() => (backup = join(folder, 'backup')));

      it(
        'verifies, saves and restores the tables of its modules',
        async () => {
          const [{ count }] = await countOfAllergies(databaseUrl);
          expect(Number(count)).toBeGreaterThan(0);
          expect(await ops('dist/src/ops.js', databaseUrl, 'verify')).toMatchObject({ code: 0 });
          expect(await ops('dist/src/ops.js', databaseUrl, 'backup', backup)).toMatchObject({ code: 0 });
          const other = await createDatabase(false);
          try {
            expect(await ops('dist/src/ops.js', other, 'restore', backup)).toMatchObject({ code: 0 });
            expect(await ops('dist/src/ops.js', other, 'verify')).toMatchObject({ code: 0 });
            expect(await countOfAllergies(other)).toEqual([{ count }]);
          } finally {
            await dropDatabase(other);
          }
        },
        STEP_MS,
      );

      it(
        'is told by the commands of the bare package that they are not for this database, and nothing is changed',
        async () => {
          for (const command of [['verify', '--mend'], ['backup', `${backup}-bare`], ['migrate']]) {
            const { code, said } = await ops(BARE, databaseUrl, ...command);
            expect([command[0], code, said]).toEqual([
              command[0],
              1,
              expect.stringContaining('does not know'),
            ]);
          }
          expect(existsSync(`${backup}-bare`)).toBe(false);
          const other = await createDatabase(false);
          try {
            const { code, said } = await ops(BARE, other, 'restore', backup);
            expect([code, said]).toEqual([1, expect.stringContaining('migration')]);
            expect(await sql(other, "SELECT 1 FROM pg_tables WHERE schemaname = 'public'")).toEqual([]);
          } finally {
            await dropDatabase(other);
          }
          expect(await ops('dist/src/ops.js', databaseUrl, 'verify')).toMatchObject({ code: 0 });
        },
        STEP_MS,
      );
    });
  });
});
