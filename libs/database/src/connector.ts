import { createHmac } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { ServiceError } from '@app/common';
import { ConfigError, type Secrets } from '@app/config';
import type { Pool, PoolClient } from 'pg';
import { DataSource, type DataSourceOptions } from 'typeorm';
import { isRefusedLogin, translateDatabaseError } from './database-errors';

/** Serialises the migrations of replicas that start together; a transaction's lock, so that it passes through PgBouncer. */
const MIGRATION_LOCK = 0x68727301;
const LOCK_RETRY_MS = 50;
const RETRY_MS = 1_000;

/** Connects, migrates and checks the secrets; while the database is away the service runs and answers 503. */
export class Connector {
  private stopped = false;
  private ready: Promise<void> | undefined;

  constructor(
    private readonly dataSource: DataSource,
    private readonly secrets: Secrets,
    private readonly log: (line: string) => void,
    private readonly onFatal: (error: Error) => void,
  ) {}

  /**
   * Returns once the database is ready or known to be away; in the second case it goes on trying.
   *
   * @throws ConfigError for a wrong secret; Error for a migration that fails: neither is mended by waiting.
   */
  async connect(): Promise<void> {
    if (await this.attempt()) return;
    this.log('The database is away; trying again every second.');
    this.ready = this.keepTrying();
  }

  async close(): Promise<void> {
    this.stopped = true;
    await this.ready;
    if (this.dataSource.isInitialized) await this.dataSource.destroy();
  }

  private async keepTrying(): Promise<void> {
    while (!this.stopped) {
      await sleep(RETRY_MS);
      try {
        if (this.stopped || (await this.attempt())) return;
      } catch (error) {
        return this.onFatal(error as Error);
      }
    }
  }

  private async attempt(): Promise<boolean> {
    try {
      // Migrations run on a data source of their own: the service's own one is "initialised" only when all is well.
      const migrator = await new DataSource(migratorOptions(this.dataSource.options)).initialize();
      try {
        await migrate(migrator);
        await checkSecrets(migrator, this.secrets);
      } finally {
        await migrator.destroy();
      }
      await this.dataSource.initialize();
      return true;
    } catch (error) {
      if (isRefusedLogin(error)) throw error;
      const translated = translateDatabaseError(error);
      if (translated instanceof ServiceError) return false;
      throw error;
    }
  }
}

/** A migration may take as long as it must. */
function migratorOptions(options: DataSourceOptions): DataSourceOptions {
  const extra = {
    ...(options.extra as object),
    statement_timeout: 0,
    query_timeout: 0,
    idle_in_transaction_session_timeout: 0,
  };
  return { ...options, poolSize: 2, extra } as DataSourceOptions;
}

async function migrate(dataSource: DataSource): Promise<void> {
  const pool = (dataSource.driver as unknown as { master: Pool }).master;
  const guard = await pool.connect();
  // Its statements say what broke; unheard, it would end the process.
  guard.on('error', () => undefined);
  try {
    while (!(await takesLock(guard))) await sleep(LOCK_RETRY_MS);
    await dataSource.runMigrations({ transaction: 'each' });
  } finally {
    guard.release(true); // ends the transaction, and with it the lock
  }
}

/** Asks and does not wait: behind PgBouncer whoever waits keeps a connection from the one that migrates. */
async function takesLock(guard: PoolClient): Promise<boolean> {
  await guard.query('BEGIN');
  const { rows } = await guard.query<{ taken: boolean }>('SELECT pg_try_advisory_xact_lock($1) AS taken', [
    MIGRATION_LOCK,
  ]);
  if (!rows[0].taken) await guard.query('ROLLBACK');
  return rows[0].taken;
}

async function checkSecrets(dataSource: DataSource, secrets: Secrets): Promise<void> {
  for (const [name, setting, secret] of [
    ['jwt', 'JWT_SECRET', secrets.jwtSecret],
    ['decoy', 'DECOY_SECRET', secrets.decoySecret],
  ] as const) {
    const fingerprint = createHmac('sha256', secret)
      .update(`fingerprint of the ${name} secret`)
      .digest('base64url');
    await dataSource.query(
      'INSERT INTO secret_fingerprints (name, fingerprint) VALUES ($1, $2) ON CONFLICT DO NOTHING',
      [name, fingerprint],
    );
    const rows = await dataSource.query<{ fingerprint: string }[]>(
      'SELECT fingerprint FROM secret_fingerprints WHERE name = $1',
      [name],
    );
    if (rows[0]?.fingerprint !== fingerprint) {
      throw new ConfigError(
        `The service cannot start: ${setting} is not the secret that this database was set up with. ` +
          `To replace it on purpose, delete the row '${name}' of secret_fingerprints first.`,
      );
    }
  }
}
