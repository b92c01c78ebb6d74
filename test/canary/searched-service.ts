import { chmodSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { keptSecret } from '@app/config';
import { EmbeddedPostgres } from '@app/database';
import { Client, Query } from 'pg';
import { type BuiltService, startBuiltService } from '../support/built-service';
import { freePort } from '../support/free-port';
import { LIMITED } from '../support/clients';
import { sql } from '../support/databases';
import type { Secret } from '../support/traces';

/** PostgreSQL writes down all that it can, and keeps its whole write-ahead log. */
const TALKATIVE = {
  log_statement: 'all',
  log_min_duration_statement: '0',
  log_min_messages: 'debug5',
  log_connections: 'all',
  log_disconnections: 'on',
  log_lock_waits: 'on',
  log_line_prefix: '%m [%p] %q%u@%d %h %a %i ',
  wal_level: 'logical',
  wal_keep_size: '1GB',
};
/** What the service sets on the command line, over which only settings of a role win. */
const TALKATIVE_ON_ERROR = {
  log_min_error_statement: 'debug5',
  log_error_verbosity: 'verbose',
  log_parameter_max_length: '-1',
  log_parameter_max_length_on_error: '-1',
};

/** A place that is searched, with all that is in it. */
export type Place = readonly [name: string, bytes: Buffer];

/** The built service on its own embedded PostgreSQL, with its log at its most verbose, and all that it leaves behind. */
export class SearchedService {
  private constructor(
    private readonly dataDir: string,
    private readonly service: BuiltService,
    private readonly metricsPort: number,
    readonly databaseUrl: string,
  ) {}

  static async start(
    settings: Record<string, string> = {},
    databaseLog: 'all that it can' | 'as the service sets it' = 'all that it can',
  ): Promise<SearchedService> {
    const dataDir = mkdtempSync(join(tmpdir(), 'hrs-canary-'));
    chmodSync(dataDir, 0o711); // as root: for the database's own user
    if (databaseLog === 'all that it can') await makeTalkative(dataDir);
    const metricsPort = await freePort();
    const service = await startBuiltService({
      ...LIMITED,
      DATA_DIR: dataDir,
      JWT_SECRET: '',
      DECOY_SECRET: '',
      SECOND_STEP_SECRET: '',
      VAPID_PRIVATE_KEY: '',
      LOG_LEVEL: 'trace',
      METRICS_PORT: String(metricsPort),
      ...settings,
    });
    const [, , , port] = readFileSync(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8').split('\n');
    const password = keptSecret(dataDir, 'postgres');
    const databaseUrl = `postgres://postgres:${password}@127.0.0.1:${port}/health_records`;
    return new SearchedService(dataDir, service, metricsPort, databaseUrl);
  }

  get url(): string {
    return this.service.api.url;
  }

  /** What the service made for itself at its first start. */
  get secrets(): Secret[] {
    return ['jwt', 'decoy', 'second-step', 'vapid', 'postgres'].map((name) => ({
      what: `secret ${name}`,
      value: keptSecret(this.dataDir, name),
    }));
  }

  /** Ends the service, so that everything is on disk, and reads all of it. */
  async end(): Promise<Place[]> {
    const metrics = await fetch(`http://127.0.0.1:${this.metricsPort}/metrics`);
    const places: Place[] = [
      ['metrics', Buffer.from(await metrics.text())],
      ...(await tablesOf(this.databaseUrl)),
    ];
    await this.service.end();
    return [...places, ["the service's log", Buffer.from(this.service.output())], ...filesOf(this.dataDir)];
  }

  async remove(): Promise<void> {
    if (this.service.process.exitCode === null) await this.service.end();
    for (const folder of topOf(this.dataDir)) rmSync(folder, { recursive: true, force: true });
    rmSync(this.dataDir, { recursive: true, force: true });
  }
}

/** Makes the cluster as the service would, and has it log everything from the service's first connection on. */
async function makeTalkative(dataDir: string): Promise<void> {
  const embedded = await EmbeddedPostgres.start({ dataDir, password: keptSecret(dataDir, 'postgres') });
  const client = new Client({ connectionString: embedded.urlOf('postgres') });
  await client.connect();
  for (const [name, value] of Object.entries(TALKATIVE))
    await client.query(`ALTER SYSTEM SET ${name} = '${value}'`);
  for (const [name, value] of Object.entries(TALKATIVE_ON_ERROR)) {
    for (const role of ['postgres', 'health_records'])
      await client.query(`ALTER ROLE ${role} SET ${name} = '${value}'`);
  }
  await client.end();
  await embedded.stop();
}

/** Every table of every database by `COPY`: of any schema, unlogged, partitions, what is kept aside, sequences. */
async function tablesOf(databaseUrl: string): Promise<Place[]> {
  const places: Place[] = [];
  const databases = await sql<{ datname: string }>(
    databaseUrl,
    'SELECT datname FROM pg_database WHERE datallowconn',
  );
  for (const { datname } of databases) {
    const client = new Client({ connectionString: databaseUrl.replace(/[^/]+$/, datname) });
    await client.connect();
    // What the planner notes about values is a table too.
    await client.query('ANALYZE');
    const { rows } = await client.query<{ name: string; own: boolean }>(
      `SELECT format('%I.%I', nspname, relname) AS name, nspname NOT IN ('pg_catalog', 'pg_toast') AS own
        FROM pg_class JOIN pg_namespace n ON n.oid = relnamespace
        WHERE relkind IN ('r', 'm', 't', 'S') ORDER BY 1`,
    );
    for (const { name, own } of rows) {
      places.push([`table ${name}`, await copyOut(client, name, 'text')]);
      // Bytes as they are and not in hex; some types of the catalogs know no such form.
      if (own) places.push([`table ${name}`, await copyOut(client, name, 'binary')]);
    }
    await client.end();
  }
  return places;
}

function copyOut(client: Client, table: string, format: 'text' | 'binary'): Promise<Buffer> {
  const chunks: Buffer[] = [];
  const query = new Query(`COPY (SELECT * FROM ${table}) TO STDOUT (FORMAT ${format})`);
  // pg knows these messages and drops them; their bytes are its buffer's.
  const handleCopyData = ({ chunk }: { chunk: Buffer }) => chunks.push(Buffer.from(chunk));
  client.query(Object.assign(query, { handleCopyData }));
  return new Promise((resolve, reject) => {
    query.once('error', reject);
    query.once('end', () => resolve(Buffer.concat(chunks)));
  });
}

/** The cluster may lie elsewhere, behind a link. */
function topOf(dataDir: string): string[] {
  return readdirSync(dataDir).map((name) => realpathSync(join(dataDir, name)));
}

function filesOf(dataDir: string): Place[] {
  return topOf(dataDir)
    .flatMap((folder) => readdirSync(folder, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => [placeOf(path), readFileSync(path)] as const);
}

function placeOf(path: string): string {
  const names = { secrets: 'the secrets', pg_wal: 'the write-ahead log', log: "PostgreSQL's log" };
  return names[basename(dirname(path)) as keyof typeof names] ?? 'the data files';
}
