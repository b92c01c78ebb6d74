import { randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EmbeddedPostgres } from '@app/database/embedded/embedded-postgres';
import { Client, Pool } from 'pg';

/** The database that is copied to make the other databases. */
const TEMPLATE = 'template_migrated';
/** A crash may lose the data of a test cluster, so durability is off. */
const SETTINGS = { fsync: 'off', full_page_writes: 'off', synchronous_commit: 'off', max_connections: '300' };

/** Connections to databases of a {@link TestCluster}. Tests ask often, and a new connection takes longer than a statement. */
const pools = new Map<string, Pool>();
/** An open connection keeps nothing alive: neither a database that is to be copied or dropped, nor the process. */
const OF_POOL = { idleTimeoutMillis: 1000, allowExitOnIdle: true };
const isOfCluster = (url: string) => /^\/test_[0-9a-f]{12}$/.test(new URL(url).pathname);

function poolOf(url: string): Pool {
  const known = pools.get(url);
  if (known) return known;
  const pool = new Pool({ connectionString: url, ...OF_POOL });
  // PostgreSQL has ended an idle connection: the pool opens another.
  pool.on('error', () => undefined);
  pools.set(url, pool);
  return pool;
}

function closePool(url: string): void {
  void pools.get(url)?.end();
  pools.delete(url);
}

/** Runs SQL on a database. A connection may have run statements before: end what begins a transaction, and use `SET LOCAL`. */
export async function sql<R extends object>(url: string, text: string, values: unknown[] = []): Promise<R[]> {
  if (isOfCluster(url)) return (await poolOf(url).query<R>(text, values)).rows;
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<R>(text, values)).rows;
  } finally {
    await client.end();
  }
}

/** A PostgreSQL for tests. Each test file gets a separate database in it. */
export class TestCluster {
  private constructor(
    /** URL of the database `postgres`. The role may create databases. */
    readonly url: string,
    private readonly end: () => Promise<void>,
  ) {}

  /** Starts an embedded PostgreSQL in a temporary folder, on a free port of loopback. */
  static async start(): Promise<TestCluster> {
    const dataDir = mkdtempSync(join(tmpdir(), 'hrs-test-'));
    const password = randomBytes(12).toString('hex');
    const postgres = await EmbeddedPostgres.start({ dataDir, password, settings: SETTINGS });
    return new TestCluster(postgres.urlOf('postgres'), async () => {
      await postgres.stop();
      removeDataDir(dataDir);
    });
  }

  /** Uses a server that already runs, and does not stop it. */
  static at(url: string): TestCluster {
    return new TestCluster(url, () => Promise.resolve());
  }

  /** Connection URL of a database of the cluster. */
  urlOf(database: string): string {
    const url = new URL(this.url);
    url.pathname = `/${database}`;
    return url.href;
  }

  /** Replaces the template: `migrate` gets the URL of an empty database and leaves no connection open. */
  async makeTemplate(migrate: (databaseUrl: string) => Promise<void>): Promise<void> {
    await sql(this.url, `DROP DATABASE IF EXISTS ${TEMPLATE} WITH (FORCE)`);
    await sql(this.url, `CREATE DATABASE ${TEMPLATE}`);
    await migrate(this.urlOf(TEMPLATE));
    // The service has stored fingerprints of its secrets. Other services may have other secrets.
    await sql(this.urlOf(TEMPLATE), 'DELETE FROM secret_fingerprints');
  }

  /**
   * Creates a database and returns its URL. It is a copy of the template if a template exists and `migrated`
   * is true. Otherwise it is empty.
   */
  async createDatabase(migrated = true): Promise<string> {
    const name = `test_${randomBytes(6).toString('hex')}`;
    const copies = migrated && (await this.hasTemplate());
    await poolOf(this.url).query(`CREATE DATABASE ${name} ${copies ? `TEMPLATE ${TEMPLATE}` : ''}`);
    return this.urlOf(name);
  }

  /** Drops a database with all that is connected to it. */
  async dropDatabase(url: string): Promise<void> {
    closePool(url);
    await poolOf(this.url).query(`DROP DATABASE ${new URL(url).pathname.slice(1)} WITH (FORCE)`);
  }

  /** Stops the server and removes its files, if `start` has started it. */
  stop(): Promise<void> {
    closePool(this.url);
    return this.end();
  }

  private async hasTemplate(): Promise<boolean> {
    const text = 'SELECT 1 FROM pg_database WHERE datname = $1';
    return (await poolOf(this.url).query(text, [TEMPLATE])).rows.length > 0;
  }
}

/**
 * Removes a data directory and its cluster, if there is one. As root, `postgres` is a link
 * to a cluster in another folder.
 */
export function removeDataDir(dataDir: string): void {
  const cluster = join(dataDir, 'postgres');
  const folders = existsSync(cluster) ? [realpathSync(cluster), dataDir] : [dataDir];
  for (const folder of folders) rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}
