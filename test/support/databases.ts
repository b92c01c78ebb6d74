import { randomBytes } from 'node:crypto';
import { Client } from 'pg';

const TEMPLATE = 'template_migrated';

/** Connection URL of a database of the run's cluster. */
export function urlOf(database: string): string {
  const url = new URL(process.env.TEST_CLUSTER_URL!);
  url.pathname = `/${database}`;
  return url.href;
}

/** Runs SQL on a database, on a connection of its own. */
export async function sql<R extends object>(url: string, text: string, values: unknown[] = []): Promise<R[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<R>(text, values)).rows;
  } finally {
    await client.end();
  }
}

/** A fresh, migrated database (an empty one where `migrated` is false) of its own. */
export async function createDatabase(migrated = true): Promise<string> {
  const name = `test_${randomBytes(6).toString('hex')}`;
  await sql(urlOf('postgres'), `CREATE DATABASE ${name} ${migrated ? `TEMPLATE ${TEMPLATE}` : ''}`);
  if (process.env.TEST_PGBOUNCER_URL)
    await setTimeouts(urlOf(name), { lock_timeout: '5s', statement_timeout: '30s' });
  return urlOf(name);
}

/** Gives a database the time-outs that the service cannot set through PgBouncer, as the README tells operators to. */
export async function setTimeouts(databaseUrl: string, timeouts: Record<string, string>): Promise<void> {
  const database = new URL(databaseUrl).pathname.slice(1);
  for (const [name, value] of Object.entries(timeouts))
    await sql(databaseUrl, `ALTER DATABASE ${database} SET ${name} = '${value}'`);
}

export async function dropDatabase(url: string): Promise<void> {
  await sql(urlOf('postgres'), `DROP DATABASE ${new URL(url).pathname.slice(1)} WITH (FORCE)`);
}

/**
 * Settings with which a service reaches a database of the run's cluster by way of PgBouncer, where the run is to
 * (`TEST_PGBOUNCER`). What a URL asks for in its query becomes the database's: PgBouncer takes no such parameters.
 */
export async function throughPgBouncer(databaseUrl: string | undefined): Promise<Record<string, string>> {
  const { TEST_CLUSTER_URL: cluster, TEST_PGBOUNCER_URL: pgBouncer } = process.env;
  if (!pgBouncer || !databaseUrl?.startsWith(new URL('/', cluster).href)) return {};
  const url = new URL(databaseUrl);
  await setTimeouts(databaseUrl, Object.fromEntries(url.searchParams));
  url.search = '';
  url.host = new URL(pgBouncer).host;
  return { DATABASE_URL: url.href, DATABASE_PREPARED: 'off' };
}
