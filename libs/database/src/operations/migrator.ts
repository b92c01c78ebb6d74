import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'pg';
import type { DataSource } from 'typeorm';
import { type ConnectionConfig, newClient } from '../connection/current-client';
import { connectionOptions, type PostgresOptions } from '../connection/data-source-options';
import { tablesOf } from '../schema/tables';

/**
 * Serialises the migrations of replicas that start together, and restores. The lock belongs to a transaction,
 * so it works through PgBouncer.
 */
const MIGRATION_LOCK = 0x68727301;
const LOCK_RETRY_MS = 50;

/**
 * Invalid indexes, which a failed `CREATE INDEX CONCURRENTLY` has left. PostgreSQL updates such an index and
 * never reads it. An index that is being built now is not one of them.
 */
const FIND_HALF_MADE = `
  SELECT i.indexrelid::regclass::text AS name FROM pg_index i
    JOIN pg_class c ON c.oid = i.indexrelid AND c.relkind = 'i' AND NOT c.relispartition
    WHERE NOT i.indisvalid AND c.relnamespace = current_schema()::regnamespace
      AND NOT EXISTS (SELECT FROM pg_stat_progress_create_index p WHERE p.index_relid = i.indexrelid)`;

/** The options of a connection for work that may take long: no statement of it has a time limit. */
export function unlimitedOptions(options: PostgresOptions): PostgresOptions {
  const extra = {
    ...(options.extra as object),
    statement_timeout: 0,
    query_timeout: 0,
    idle_in_transaction_session_timeout: 0,
  };
  return { ...options, extra };
}

/** {@link unlimitedOptions} for a connection of `pg`. */
export function unlimitedConfig(options: PostgresOptions): ConnectionConfig {
  return connectionOptions(unlimitedOptions(options));
}

/** Runs `work` while no other process migrates or restores this database. */
export async function underMigrationLock<T>(options: PostgresOptions, work: () => Promise<T>): Promise<T> {
  const guard = newClient(unlimitedConfig(options));
  // Without a listener, an 'error' event ends the process. The statements report the failure anyway.
  guard.on('error', () => undefined);
  await guard.connect();
  try {
    while (!(await takesLock(guard))) await sleep(LOCK_RETRY_MS);
    return await work();
  } finally {
    await guard.end(); // ends the transaction, and with it the lock
  }
}

/**
 * Tries the lock without waiting. Behind PgBouncer, a waiting session would hold a connection that the
 * migration may need.
 *
 * The statement has no parameters. With parameters, PostgreSQL would keep its snapshot until the end of the
 * transaction, and `CREATE INDEX CONCURRENTLY` waits for every snapshot.
 */
async function takesLock(guard: Client): Promise<boolean> {
  await guard.query('BEGIN');
  const { rows } = await guard.query<{ taken: boolean }>(
    `SELECT pg_try_advisory_xact_lock(${MIGRATION_LOCK}) AS taken`,
  );
  if (!rows[0].taken) await guard.query('ROLLBACK');
  return rows[0].taken;
}

/**
 * Runs the migrations that have not run. Call it under the lock.
 *
 * An invalid index that an earlier attempt has left is dropped first, so that its migration can make it
 * again.
 *
 * @param dataSource connected, with {@link unlimitedOptions}.
 * @returns the names of the migrations.
 */
export async function migrate(dataSource: DataSource, log: (line: string) => void): Promise<string[]> {
  const halfMade = await dataSource.query<{ name: string }[]>(FIND_HALF_MADE);
  for (const { name } of halfMade) {
    await dataSource.query(`DROP INDEX IF EXISTS ${name}`);
    log(`Dropped the index ${name}, which was half-made.`);
  }
  const names = (await dataSource.runMigrations({ transaction: 'each' })).map(({ name }) => name);
  await addAuthors(dataSource);
  return names;
}

/**
 * Adds `author_id` to the tables of records that lack it: those of modules, because the form of `ownedTableV1` never
 * changes.
 */
async function addAuthors(dataSource: DataSource): Promise<void> {
  const names = tablesOf(dataSource).flatMap(({ isRecord, name }) => (isRecord ? [name] : []));
  const lacking = await dataSource.query<{ name: string }[]>(
    `SELECT c.oid::regclass::text AS name FROM pg_class c
      WHERE c.relname = ANY ($1) AND c.relnamespace = current_schema()::regnamespace AND NOT EXISTS (
        SELECT FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attname = 'author_id' AND NOT a.attisdropped)`,
    [names],
  );
  for (const { name } of lacking)
    await dataSource.query(`ALTER TABLE ${name} ADD COLUMN IF NOT EXISTS author_id uuid`);
}

/** The migrations that have run, oldest first. Empty for an empty database. */
export async function completedMigrations(dataSource: DataSource): Promise<string[]> {
  const [{ exists }] = await dataSource.query<{ exists: boolean }[]>(
    `SELECT to_regclass('migrations') IS NOT NULL AS exists`,
  );
  if (!exists) return [];
  const rows = await dataSource.query<{ name: string }[]>('SELECT name FROM migrations ORDER BY id');
  return rows.map(({ name }) => name);
}
