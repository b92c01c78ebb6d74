import { ConfigError, keptSecret, type ServiceConfig } from '@app/config';
import { DataSource } from 'typeorm';
import { causeOfFailure } from '../connection/database-failure';
import { distributeTables } from '../schema/citus';
import { dataSourceOptions, type PostgresOptions } from '../connection/data-source-options';
import { openEmbedded } from '../embedded/running-database';
import type { Schema } from '../schema/schema';
import { tablesOf } from '../schema/tables';
import { backUp } from './backup';
import type { BackupManifest } from './backup-manifest';
import { BEGIN_EPOCH } from './epoch';
import { compact, type Compacted } from './compact';
import { NOTE_WORK, type Work } from './done-work';
import { completedMigrations, migrate, unlimitedOptions, underMigrationLock } from './migrator';
import { restore, type Restored, type RestoreRequest } from './restore';
import { type VerifyFindings, verify } from './verify';

/** The result of the command `status`. */
export interface DatabaseStatus {
  postgres: string;
  /** Names. */
  completed_migrations: string[];
  pending_migrations: string[];
  /** Null before the tables exist, as are the following. */
  epoch: string | null;
  accounts: number | null;
  bytes: number;
}

/** Work on a database beside the service: it neither migrates nor checks secrets unless it is asked to. */
export class Maintenance {
  private constructor(
    private readonly options: PostgresOptions,
    /** Connection URL. Security: it may contain a password. */
    readonly url: string,
    private readonly dataSource: DataSource,
    private readonly log: (line: string) => void,
    /** Stops the embedded database, if this process has started it. */
    private readonly closeEmbedded: () => Promise<void>,
  ) {}

  /**
   * Connects to `DATABASE_URL`, or to the embedded database, whether a service uses it or not.
   *
   * @throws ConfigError that names why it cannot.
   */
  static async open(
    config: ServiceConfig,
    schema: Schema,
    log: (line: string) => void,
  ): Promise<Maintenance> {
    const embedded =
      config.databaseUrl === undefined
        ? await openEmbedded(config.dataDir, keptSecret(config.dataDir, 'postgres'), log)
        : undefined;
    const url = config.databaseUrl ?? embedded!.url;
    const options = dataSourceOptions(config, config.readDatabaseUrl ?? url, schema);
    const closeEmbedded = async () => embedded?.close();
    try {
      const dataSource = await new DataSource(unlimitedOptions(options))
        .initialize()
        .catch((error: unknown) => {
          throw new ConfigError(`The database cannot be used: ${causeOfFailure(error)}. Nothing was done.`);
        });
      return new Maintenance(options, url, dataSource, log, closeEmbedded);
    } catch (error) {
      await closeEmbedded();
      throw error;
    }
  }

  async close(): Promise<void> {
    await this.dataSource.destroy();
    await this.closeEmbedded();
  }

  async status(): Promise<DatabaseStatus> {
    const completed = await completedMigrations(this.dataSource);
    const known = this.dataSource.migrations.map(({ name }) => name!);
    const [{ postgres, bytes }] = await this.dataSource.query<{ postgres: string; bytes: string }[]>(
      `SELECT current_setting('server_version') AS postgres, pg_database_size(current_database()) AS bytes`,
    );
    const isMade = completed.length > 0;
    return {
      postgres,
      completed_migrations: completed,
      pending_migrations: known.filter((name) => !completed.includes(name)),
      epoch: isMade ? await this.one('SELECT id FROM epochs ORDER BY started_at DESC, id LIMIT 1') : null,
      accounts: isMade ? Number(await this.one('SELECT count(*) FROM accounts')) : null,
      bytes: Number(bytes),
    };
  }

  /** @returns the names of the migrations that another program has run: of a module, or of a newer version. */
  async unknownMigrations(): Promise<string[]> {
    const known = this.dataSource.migrations.map(({ name }) => name);
    return (await completedMigrations(this.dataSource)).filter((name) => !known.includes(name));
  }

  /** @returns the names of the migrations that it ran. */
  migrate(): Promise<string[]> {
    return underMigrationLock(this.options, () => migrate(this.dataSource, this.log));
  }

  /** @returns the id of the new epoch. */
  async newEpoch(): Promise<string> {
    return this.one(BEGIN_EPOCH);
  }

  /** @returns the names of the tables that it distributed over the Citus cluster. */
  distribute(): Promise<string[]> {
    return distributeTables(this.dataSource, this.log);
  }

  /** Writes the indexes anew, while the service runs. */
  compact(): Promise<Compacted> {
    return compact(this.options, tablesOf(this.dataSource), this.log);
  }

  async backUp(folder: string, only?: readonly string[]): Promise<BackupManifest> {
    const manifest = await backUp(this.options, folder, only, this.log);
    // A backup of a replica, or of a full disk, is good all the same.
    await this.noteWork(only ? 'erasures' : 'backup', manifest.made_at).catch((error: Error) =>
      this.log(`The backup is complete. Its time could not be noted for the metrics (${error.name}).`),
    );
    return manifest;
  }

  /** Notes that work was done well, for the metrics. */
  async noteWork(work: Work, at = new Date().toISOString()): Promise<void> {
    await this.dataSource.query(NOTE_WORK, [work, at]);
  }

  restore(request: Omit<RestoreRequest, 'log'>): Promise<Restored> {
    return restore(this.options, { ...request, log: this.log });
  }

  /** @param mend corrects what can be corrected without a loss; `mended` counts it. */
  async verify(mend = false): Promise<VerifyFindings & { mended?: number }> {
    return verify(this.dataSource, tablesOf(this.dataSource), mend, this.log);
  }

  private async one(query: string): Promise<string> {
    const rows = await this.dataSource.query<Record<string, string>[]>(query);
    return Object.values(rows[0])[0];
  }
}
