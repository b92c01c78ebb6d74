import { sql, TestCluster } from '@app/testing';
import type { CitusCluster } from './citus';

export { sql } from '@app/testing';

/** The coordinator of a Citus cluster, where the run is to use one; see docs/scaling.md. */
const { TEST_CITUS_URL: CITUS_URL } = process.env;

/** Loaded only then: it brings the whole service, two seconds of a processor for each test file. */
function citusCluster(url: string): CitusCluster {
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- run-sources.js finds no import('./citus.js')
  return new (require('./citus') as typeof import('./citus')).CitusCluster(url);
}

/** The run's cluster, which the global set-up has started. */
export function runCluster(): TestCluster {
  return TestCluster.at(process.env.TEST_CLUSTER_URL!);
}

/** Connection URL of a database of the run's cluster. */
export function urlOf(database: string): string {
  return runCluster().urlOf(database);
}

/** A fresh, migrated database (an empty one where `migrated` is false) of its own. */
export async function createDatabase(migrated = true): Promise<string> {
  if (CITUS_URL) return citusCluster(CITUS_URL).createDatabase(migrated);
  const url = await runCluster().createDatabase(migrated);
  if (process.env.TEST_PGBOUNCER_URL)
    await setTimeouts(url, { lock_timeout: '5s', statement_timeout: '30s' });
  return url;
}

/** Gives a database the time-outs that the service cannot set through PgBouncer, as the README tells operators to. */
export async function setTimeouts(databaseUrl: string, timeouts: Record<string, string>): Promise<void> {
  const database = new URL(databaseUrl).pathname.slice(1);
  for (const [name, value] of Object.entries(timeouts))
    await sql(databaseUrl, `ALTER DATABASE ${database} SET ${name} = '${value}'`);
}

export async function dropDatabase(url: string): Promise<void> {
  if (CITUS_URL) return citusCluster(CITUS_URL).dropDatabase(url);
  return runCluster().dropDatabase(url);
}

/**
 * Settings with which a service reaches a database of a Citus cluster, or of the run's cluster by way of PgBouncer, where
 * the run is to (`TEST_CITUS_URL`, `TEST_PGBOUNCER`). What a URL asks for in its query becomes the database's: PgBouncer takes no such parameters.
 */
export async function settingsOfServer(databaseUrl: string | undefined): Promise<Record<string, string>> {
  // A generic plan of a join cannot be routed; see docs/scaling.md.
  if (CITUS_URL) return { DATABASE_PREPARED: 'off' };
  const { TEST_CLUSTER_URL: cluster, TEST_PGBOUNCER_URL: pgBouncer } = process.env;
  if (!pgBouncer || !databaseUrl?.startsWith(new URL('/', cluster).href)) return {};
  const url = new URL(databaseUrl);
  await setTimeouts(databaseUrl, Object.fromEntries(url.searchParams));
  url.search = '';
  url.host = new URL(pgBouncer).host;
  return { DATABASE_URL: url.href, DATABASE_PREPARED: 'off' };
}
