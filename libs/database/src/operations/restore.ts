import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import type { Client } from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { DataSource } from 'typeorm';
import { newClient } from '../connection/current-client';
import type { PostgresOptions } from '../connection/data-source-options';
import { type MigrationClass, migrationName } from '../schema/schema';
import { BEGIN_EPOCH } from './epoch';
import { BackupError, type BackupManifest, type BackupTable, readBackup, tablePath } from './backup-manifest';
import {
  completedMigrations,
  migrate,
  unlimitedConfig,
  unlimitedOptions,
  underMigrationLock,
} from './migrator';
import { counting, Progress } from './progress';

/**
 * A restore raises each token version by this number. Otherwise tokens issued after the backup could become
 * valid again.
 */
const VERSIONS_SKIPPED = 1_000;

/** What must not come back to life: sessions, known devices, and invitations that may be used already. */
const ENDED = ['sessions', 'device_tokens', 'invites'];

/** The tombstones of erasures. */
const ERASURES = 'erasures';

export interface RestoreRequest {
  /** The folder of the backup. */
  folder: string;
  /** The folder of a newer backup, of which only the erasures count. */
  erasures?: string;
  log: (line: string) => void;
}

export interface Restored {
  manifest: BackupManifest;
  /** The new epoch. */
  epoch: string;
  /** Accounts of the backup that were erased again. */
  erased: number;
}

/**
 * Loads a backup into an empty database, applies all known erasures again, ends every session, device token and
 * invitation, and begins a new epoch. The data and these changes are one transaction. Then the migrations run that the backup lacks.
 *
 * @throws BackupError if the backup is not complete, is of a newer version, or if the database has accounts.
 */
export async function restore(options: PostgresOptions, request: RestoreRequest): Promise<Restored> {
  const manifest = await checkBackup(options.migrations as MigrationClass[], request.folder);
  const newer = request.erasures === undefined ? undefined : await readBackup(request.erasures);
  return underMigrationLock(options, async () => {
    await makeSchema(options, manifest, request.log);
    const client = newClient(unlimitedConfig(options));
    client.on('error', () => undefined); // Without a listener, Node would end the process. The statements fail too.
    await client.connect();
    try {
      await client.query('BEGIN');
      await load(client, request, manifest.tables);
      const tombstones = newer?.tables.find(({ name }) => name === ERASURES);
      if (tombstones) await addErasures(client, request.erasures!, tombstones);
      const erased = await eraseAgain(client, manifest.tables);
      for (const table of ENDED) await client.query(`DELETE FROM ${table}`);
      await client.query(`UPDATE accounts SET token_version = token_version + ${VERSIONS_SKIPPED}`);
      const { rows } = await client.query<{ id: string }>(BEGIN_EPOCH);
      await client.query('COMMIT');
      await inDataSource(unlimitedOptions(options), (dataSource) => migrate(dataSource, request.log));
      return { manifest, epoch: rows[0].id, erased };
    } finally {
      await client.end();
    }
  });
}

/**
 * Checks that this version can restore a backup, without a database.
 *
 * @throws BackupError if the backup is not complete, or is of a newer version.
 */
export async function checkBackup(all: readonly MigrationClass[], folder: string): Promise<BackupManifest> {
  const manifest = await readBackup(folder);
  if (!manifest.tables.some(({ name }) => name === ERASURES))
    throw new BackupError(
      'The backup is of a database that lacks migrations. Start the service on that database once, and back it up again.',
    );
  const known = all.map(migrationName);
  const unknown = manifest.migrations.find((name) => !known.includes(name));
  if (unknown !== undefined)
    throw new BackupError(
      `The backup has the migration ${unknown}, which this program does not know. Use the commands of the service that made it, ` +
        'of its version or a newer one, and with its modules.',
    );
  return manifest;
}

/** Runs the migrations of the backup, and no later ones. */
async function makeSchema(
  options: PostgresOptions,
  { migrations }: BackupManifest,
  log: (line: string) => void,
): Promise<void> {
  const all = options.migrations as MigrationClass[];
  const wanted = all.filter((migration) => migrations.includes(migrationName(migration)));
  await inDataSource({ ...unlimitedOptions(options), migrations: wanted }, async (dataSource) => {
    const done = await completedMigrations(dataSource);
    if (done.length > 0) {
      const [{ used }] = await dataSource.query<{ used: boolean }[]>(
        'SELECT EXISTS (SELECT FROM accounts) AS used',
      );
      if (used) throw new BackupError('The database has accounts: restore into an empty one.');
    }
    if (done.some((name) => !migrations.includes(name)))
      throw new BackupError(
        'The tables of the database are newer than the backup: restore into an empty one.',
      );
    await migrate(dataSource, log);
  });
}

async function inDataSource<T>(
  options: PostgresOptions,
  work: (dataSource: DataSource) => Promise<T>,
): Promise<T> {
  const dataSource = await new DataSource(options).initialize();
  try {
    return await work(dataSource);
  } finally {
    await dataSource.destroy();
  }
}

/** The triggers are off meanwhile: the counts and the feed are part of the backup. */
async function load(
  client: Client,
  { folder, log }: Pick<RestoreRequest, 'folder' | 'log'>,
  tables: BackupTable[],
): Promise<void> {
  const { rows } = await client.query<{ schema: string }>(
    `SELECT relnamespace::regnamespace::text AS schema FROM pg_class WHERE oid = 'accounts'::regclass`,
  );
  const named = (name: string) => `${rows[0].schema}.${client.escapeIdentifier(name)}`;
  const setTriggers = async (state: 'ENABLE' | 'DISABLE') => {
    for (const { name } of tables) await client.query(`ALTER TABLE ${named(name)} ${state} TRIGGER USER`);
  };
  await setTriggers('DISABLE');
  await client.query(`TRUNCATE ${tables.map(({ name }) => named(name)).join(', ')}`);
  const progress = new Progress('Loaded', await bytesOf(folder, tables), log);
  for (const table of tables) {
    const target = client.query(
      copyFrom(`COPY ${named(table.name)} (${table.columns.join(', ')}) FROM STDIN`),
    );
    const file = createReadStream(tablePath(folder, table));
    await pipeline(
      file,
      counting((bytes) => progress.add(bytes)),
      createGunzip(),
      target,
    );
  }
  await setTriggers('ENABLE');
}

async function bytesOf(folder: string, tables: BackupTable[]): Promise<number> {
  const files = await Promise.all(tables.map((table) => stat(tablePath(folder, table))));
  return files.reduce((sum, { size }) => sum + size, 0);
}

async function addErasures(client: Client, folder: string, table: BackupTable): Promise<void> {
  await client.query(`CREATE TEMP TABLE newer_erasures (LIKE ${ERASURES}) ON COMMIT DROP`);
  const target = client.query(copyFrom(`COPY newer_erasures (${table.columns.join(', ')}) FROM STDIN`));
  await pipeline(createReadStream(tablePath(folder, table)), createGunzip(), target);
  await client.query(`INSERT INTO ${ERASURES} SELECT * FROM newer_erasures ON CONFLICT DO NOTHING`);
}

/**
 * Erases accounts again, and takes them out of their spaces. A space without a member is erased, too.
 *
 * @returns the number of accounts.
 */
async function eraseAgain(client: Client, tables: BackupTable[]): Promise<number> {
  const { rowCount } = await client.query(
    `DELETE FROM accounts a USING ${ERASURES} e WHERE e.account_id = a.id`,
  );
  if (!tables.some(({ name }) => name === 'space_members')) return rowCount ?? 0;
  await client.query(`
    DELETE FROM space_members m USING ${ERASURES} e WHERE e.account_id = m.member_id;
    DELETE FROM space_invitations i USING ${ERASURES} e WHERE e.account_id IN (i.created_by, i.accepted_by);
    DELETE FROM accounts a USING spaces s WHERE s.account_id = a.id
      AND NOT EXISTS (SELECT FROM space_members m WHERE m.account_id = a.id);
    UPDATE spaces s SET keeper_id = o.member_id FROM (
      SELECT DISTINCT ON (m.account_id) m.account_id, m.member_id FROM space_members m
        ORDER BY m.account_id, m.role = 'owner' DESC, m.joined_at, m.member_id
    ) o WHERE o.account_id = s.account_id AND NOT EXISTS (
      SELECT FROM space_members k WHERE k.account_id = s.account_id AND k.member_id = s.keeper_id)`);
  return rowCount ?? 0;
}
