import {
  type DynamicModule,
  Global,
  Inject,
  Logger,
  Module,
  type OnApplicationShutdown,
} from '@nestjs/common';
import { keptSecret, type Secrets, SECRETS, ServiceConfig } from '@app/config';
import { DataSource } from 'typeorm';
import { Connector } from './connection/connector';
import { createDataSource } from './connection/data-source-options';
import { Database, DATABASE_SETTINGS, type DatabaseSettings } from './connection/database';
import { Housekeeping } from './operations/housekeeping';
import { IdempotencyKeys } from './operations/idempotency-keys';
import { EmbeddedPostgres } from './embedded/embedded-postgres';
import type { Schema } from './schema/schema';
import { Storage } from './operations/storage';

const EMBEDDED = Symbol('the embedded PostgreSQL, where there is one');

/**
 * Provides the data source, connected and migrated, and {@link Database}, which runs statements on it.
 *
 * Without `DATABASE_URL`, it starts an embedded PostgreSQL and stops it after the application has closed.
 */
@Global()
@Module({})
export class DatabaseModule implements OnApplicationShutdown {
  constructor(
    private readonly connector: Connector,
    @Inject(EMBEDDED) private readonly embedded: EmbeddedPostgres | undefined,
  ) {}

  static forRoot(schema: Schema): DynamicModule {
    const log = new Logger('Database');
    return {
      module: DatabaseModule,
      providers: [
        {
          provide: EMBEDDED,
          inject: [ServiceConfig],
          useFactory: (config: ServiceConfig) => startEmbedded(config, (line) => log.log(line)),
        },
        {
          provide: DataSource,
          inject: [ServiceConfig, EMBEDDED],
          useFactory: (config: ServiceConfig, embedded?: EmbeddedPostgres) =>
            createDataSource(config, config.readDatabaseUrl ?? embedded!.url, schema),
        },
        {
          provide: Connector,
          inject: [DataSource, SECRETS, ServiceConfig],
          useFactory: async (dataSource: DataSource, secrets: Secrets, config: ServiceConfig) => {
            const connector = new Connector(
              dataSource,
              secrets,
              config.migrateAtStart,
              (line) => log.warn(line),
              (error) => {
                log.fatal(error.message);
                process.kill(process.pid, 'SIGTERM');
                process.exitCode = 1;
              },
            );
            await connector.connect();
            return connector;
          },
        },
        {
          provide: DATABASE_SETTINGS,
          inject: [ServiceConfig],
          useFactory: (config: ServiceConfig): DatabaseSettings => ({
            prepared: config.databasePrepared,
            replica: config.readDatabaseReplicaUrl
              ? {
                  url: config.readDatabaseReplicaUrl,
                  warn: (line) => log.warn(line),
                }
              : undefined,
            quotas: {
              records: config.quotaRecords,
              bytes: config.quotaBytes,
              newBytes: config.quotaBytesNew,
              days: config.quotaDays,
            },
          }),
        },
        Database,
        Housekeeping,
        IdempotencyKeys,
        Storage,
      ],
      exports: [Database, DataSource, Housekeeping, Storage],
    };
  }

  async onApplicationShutdown(): Promise<void> {
    await this.connector.close();
    await this.embedded?.stop();
  }
}

async function startEmbedded(
  config: ServiceConfig,
  log: (line: string) => void,
): Promise<EmbeddedPostgres | undefined> {
  if (config.databaseUrl) return undefined;
  const password = keptSecret(config.dataDir, 'postgres');
  return EmbeddedPostgres.start({ dataDir: config.dataDir, password, log });
}
