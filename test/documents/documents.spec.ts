import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BuiltService, startBuiltService } from '../support/built-service';
import { createDatabase, dropDatabase } from '../support/databases';
import { runIn } from '../support/packed-service';

const ESBUILD = join(__dirname, '../../node_modules/.bin/esbuild');
/** Each step is a tool of its own, on what may be a busy machine. */
const STEP_MS = 600_000;

const GENERATORS: Record<string, [tool: string, ...args: string[]]> = {
  'openapi-typescript': ['openapi-typescript', 'openapi.json', '-o', 'generated/openapi-typescript.d.ts'],
  'hey-api': ['openapi-ts', '-i', 'openapi.json', '-o', 'generated/hey-api'],
  orval: ['orval', '--config', 'orval.json'],
};

/** What every day prints, see `days/day.ts`. */
const DAY = {
  blobs: [{ ciphertext: 'q83vEjRWeJCrze8S', iv: 'AAECAwQFBgcICQoL' }, 'q83vEjRWeJCrze8S'],
  adherence: 1,
  status: 'scheduled',
  measurements: 1,
  findings: ['major'],
  left: 1,
  refusal: 'not_found',
};

let databaseUrl: string;
let service: BuiltService;
/** A folder with the served document and the programs that use it. */
let folder: string;
beforeAll(async () => {
  await installTools();
  databaseUrl = await createDatabase();
  service = await startBuiltService({ DATABASE_URL: databaseUrl });
  folder = mkdtempSync(join(tmpdir(), 'hrs-documents-'));
  for (const name of ['days', 'orval.json', 'tsconfig.json', 'redocly.yaml', 'spectral.json', 'postman.mjs'])
    cpSync(join(__dirname, name), join(folder, name), { recursive: true });
  symlinkSync(join(__dirname, 'node_modules'), join(folder, 'node_modules'));
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  writeFileSync(join(folder, 'openapi.json'), (await service.api.get('/api/openapi.json')).text);
  for (const command of Object.values(GENERATORS)) await run(...command);
}, STEP_MS);
afterAll(async () => {
  await service?.end();
  await dropDatabase(databaseUrl);
  rmSync(folder, { recursive: true, force: true });
});

/** Installs the tools that the lock file names, unless they are installed. Nothing of them runs at the install. */
async function installTools(): Promise<void> {
  const hash = createHash('sha256')
    .update(readFileSync(join(__dirname, 'package-lock.json')))
    .digest('hex');
  const stamp = join(__dirname, 'node_modules/.installed');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === hash) return;
  await runIn(__dirname, 'npm', 'ci', '--prefer-offline');
  writeFileSync(stamp, hash);
}

/** Runs a tool in the folder, without its telemetry. @returns what it prints. */
function run(tool: string, ...args: string[]): Promise<string> {
  const quiet = ['REDOCLY_TELEMETRY=off', 'REDOCLY_SUPPRESS_UPDATE_NOTICE=true', 'DO_NOT_TRACK=1'];
  return runIn(folder, 'env', ...quiet, join('node_modules/.bin', tool), ...args);
}

describe('the OpenAPI document, for tools', () => {
  it(
    'has neither an error nor a warning by the recommended rules of Redocly',
    async () => {
      const answer = await run(
        'redocly',
        'lint',
        '--config',
        'redocly.yaml',
        '--format=json',
        'openapi.json',
      );
      expect(JSON.parse(answer)).toMatchObject({
        totals: { errors: 0, warnings: 0, ignored: 0 },
        problems: [],
      });
    },
    STEP_MS,
  );

  it(
    'has not even a hint by the rules of Spectral for OpenAPI',
    async () => {
      const options = ['--ruleset', 'spectral.json', '--fail-severity=hint', '--format=json', '--quiet'];
      expect(JSON.parse(await run('spectral', 'lint', ...options, 'openapi.json'))).toEqual([]);
    },
    STEP_MS,
  );

  it('becomes clients that compile in strict TypeScript', () => run('tsc', '-p', 'tsconfig.json'), STEP_MS);

  it.each(Object.keys(GENERATORS))(
    "becomes a client by %s that lives through a family's day",
    async (name) => {
      const program = `days/${name}.mjs`;
      const bundle = ['--bundle', '--platform=node', '--format=esm', '--log-level=warning'];
      await runIn(folder, ESBUILD, `days/${name}.ts`, ...bundle, `--outfile=${program}`);
      expect(JSON.parse(await runIn(folder, 'node', program, service.api.url))).toEqual(DAY);
    },
    STEP_MS,
  );

  it(
    'becomes a Postman collection that carries ids and tokens from answer to request',
    async () => {
      await runIn(folder, 'node', 'postman.mjs', 'openapi.json', 'collection.json');
      const text = readFileSync(join(folder, 'collection.json'), 'utf8');
      const { paths } = JSON.parse(readFileSync(join(folder, 'openapi.json'), 'utf8')) as {
        paths: Record<string, Record<string, unknown>>;
      };
      const operations = Object.entries(paths).flatMap(([path, item]) =>
        Object.keys(item).map((method) => `${method.toUpperCase()} ${path.replace(/\{(\w+)\}/g, ':$1')}`),
      );
      expect(requestsOf(JSON.parse(text)).sort()).toEqual(operations.sort());
      const { variable } = JSON.parse(text) as { variable: { key: string }[] };
      const used = new Set([...text.matchAll(/\{\{(\w+)\}\}/g)].map(([, name]) => name));
      expect(new Set(variable.map(({ key }) => key))).toEqual(used);
      expect(used).toContain('medication_id');
      expect(text).not.toContain('01994c5e-9f52-7d6b-b1a4-6a1f0f0e7c11');
      expect(statSync(join(folder, 'collection.json')).size).toBeLessThan(300_000);
    },
    STEP_MS,
  );
});

interface Item {
  item?: Item[];
  request?: { method: string; url: { path: string[] } };
}

function requestsOf({ item = [], request }: Item): string[] {
  const own = request ? [`${request.method} /${request.url.path.join('/')}`] : [];
  return [...own, ...item.flatMap(requestsOf)];
}
