import { setTimeout as sleep } from 'node:timers/promises';
import { ExtensionError, ServiceError } from '@app/common';
import { ConfigError, type Secrets } from '@app/config';
import { DataSource } from 'typeorm';
import type { PostgresOptions } from './data-source-options';
import { translateDatabaseError } from './database-errors';
import { causeOfFailure, isRefusedLogin, isTlsFailure } from './database-failure';
import { completedMigrations, migrate, unlimitedOptions, underMigrationLock } from '../operations/migrator';
import { findUncounted } from '../schema/schema-faults';
import { secretFingerprintOf, hasFingerprint, isFast } from '../operations/secret-fingerprint';
import { tablesOf } from '../schema/tables';

const RETRY_MS = 1_000;

/**
 * Connects, migrates and checks the secrets. While the database is unavailable, the service runs and answers
 * 503.
 */
export class Connector {
  private stopped = false;
  /** Why the last attempt failed. */
  private cause = '';
  private ready: Promise<void> | undefined;

  constructor(
    private readonly dataSource: DataSource,
    private readonly secrets: Secrets,
    private readonly migrates: boolean,
    private readonly log: (line: string) => void,
    private readonly onFatal: (error: Error) => void,
  ) {}

  /**
   * Returns when the database is ready or known to be unavailable. In the second case, it keeps trying to
   * connect.
   *
   * @throws ConfigError for a wrong secret; ExtensionError for a table whose records are not counted; Error
   *   for a migration that fails. Waiting does not correct any of these.
   */
  async connect(): Promise<void> {
    if (await this.attempt()) return;
    this.log(`The database is away: ${this.cause}. Trying again every second.`);
    this.ready = this.keepTrying();
  }

  /** Waits for the database. @returns whether it is ready: not if the service closes first. */
  async whenReady(): Promise<boolean> {
    await this.ready;
    return this.dataSource.isInitialized;
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
        const before = this.cause;
        if (this.stopped) return;
        if (await this.attempt()) return this.log('The database is back.');
        if (this.cause !== before) this.log(`The database is away: ${this.cause}.`);
      } catch (error) {
        return this.onFatal(error as Error);
      }
    }
  }

  private async attempt(): Promise<boolean> {
    try {
      // Migrations use a separate data source. The service's data source is initialised only after all checks
      // pass.
      const options = this.dataSource.options as PostgresOptions;
      const migrator = await new DataSource(unlimitedOptions(options)).initialize();
      try {
        if (this.migrates) await underMigrationLock(options, () => migrate(migrator, this.log));
        else if (await lacksMigrations(migrator)) {
          this.cause =
            'it lacks migrations of this version, and MIGRATE_AT_START is off: run the command migrate';
          return false;
        }
        await checkCounters(migrator);
        await checkSecrets(migrator, this.secrets);
      } finally {
        await migrator.destroy();
      }
      await this.dataSource.initialize();
      return true;
    } catch (error) {
      this.cause = causeOfFailure(error);
      if (isRefusedLogin(error) || isTlsFailure(error))
        throw new ConfigError(
          `The service cannot start: the database of DATABASE_URL cannot be used, ${this.cause}.`,
        );
      const translated = translateDatabaseError(error);
      if (translated instanceof ServiceError) return false;
      throw error;
    }
  }
}

async function lacksMigrations(dataSource: DataSource): Promise<boolean> {
  const done = await completedMigrations(dataSource);
  return dataSource.migrations.some(({ name }) => !done.includes(name!));
}

/** A quota must count every record. */
async function checkCounters(dataSource: DataSource): Promise<void> {
  const [fault] = await findUncounted(dataSource, tablesOf(dataSource));
  if (fault) throw new ExtensionError(fault);
}

async function checkSecrets(dataSource: DataSource, secrets: Secrets): Promise<void> {
  for (const [name, setting, secret, previous] of [
    ['jwt', 'JWT_SECRET', secrets.jwtSecret, secrets.jwtSecretPrevious],
    ['decoy', 'DECOY_SECRET', secrets.decoySecret, undefined],
    ['second-step', 'SECOND_STEP_SECRET', secrets.secondStepSecret, secrets.secondStepSecretPrevious],
  ] as const) {
    const stored = await storedFingerprint(dataSource, name, secret);
    const isCurrent = await hasFingerprint(secret, name, stored);
    if (!isCurrent && !(previous !== undefined && (await hasFingerprint(previous, name, stored)))) {
      throw new ConfigError(
        `The service cannot start: ${setting} is not the secret that this database was set up with. ` +
          `To replace it on purpose, delete the row '${name}' of secret_fingerprints first.`,
      );
    }
    if (isFast(stored) || !isCurrent) {
      await dataSource.query(
        'UPDATE secret_fingerprints SET fingerprint = $3 WHERE name = $1 AND fingerprint = $2',
        [name, stored, await secretFingerprintOf(secret)],
      );
    }
  }
}

/** The fingerprint in the database. If there is none, the one of `secret` is stored. */
async function storedFingerprint(dataSource: DataSource, name: string, secret: string): Promise<string> {
  const find = () =>
    dataSource.query<{ fingerprint: string }[]>(
      'SELECT fingerprint FROM secret_fingerprints WHERE name = $1',
      [name],
    );
  const [stored] = await find();
  if (stored) return stored.fingerprint;
  // Another replica may store one at the same time: the first one counts.
  await dataSource.query(
    'INSERT INTO secret_fingerprints (name, fingerprint) VALUES ($1, $2) ON CONFLICT DO NOTHING',
    [name, await secretFingerprintOf(secret)],
  );
  return (await find())[0].fingerprint;
}
