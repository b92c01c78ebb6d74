import type { ServiceConfig } from '@app/config';
import { DataSource, type DataSourceOptions, DefaultNamingStrategy, type Table } from 'typeorm';
import { clientThatReads, type ConnectionConfig, currentUrl, type DatabaseUrl } from './current-client';
import type { Schema } from '../schema/schema';

/** Number of pipelined connections of a process for short reads, in addition to the pool. */
export const READ_CONNECTIONS = 4;
/** Connections for long reads. A process runs at most one on each of them. */
export const LONG_READ_CONNECTIONS = 2;
/** Connections for statements of requests without a token: counters of addresses, and accounts by email. */
export const STRANGER_CONNECTIONS = 2;
/** The limit for a long read. Other accounts wait for the same connection. */
const LONG_READ_STATEMENT_TIMEOUT_MS = 5_000;
/** Firewalls drop idle connections. Keep-alive packets prevent this. */
const KEPT_ALIVE = { keepAlive: true, keepAliveInitialDelayMillis: 60_000 };
const APPLICATION_NAME = 'health-records-service';
/** Short, because the primary can answer instead. */
const REPLICA_CONNECT_TIMEOUT_MS = 1_000;
const CONNECT_TIMEOUT_MS = 5_000;
const STATEMENT_TIMEOUT_MS = 30_000;
const LOCK_TIMEOUT_MS = 5_000;
const IDLE_TRANSACTION_TIMEOUT_MS = 30_000;
/** Client time-out for a dead peer; the server's own time-outs come first. */
const ANSWER_TIMEOUT_MS = STATEMENT_TIMEOUT_MS + 5_000;

export type PostgresOptions = Extract<DataSourceOptions, { type: 'postgres' }>;

/** Uses the names that PostgreSQL itself generates, so that migrations in plain SQL and entities agree. */
class PostgresNames extends DefaultNamingStrategy {
  override primaryKeyName(table: Table | string): string {
    return `${this.getTableName(table).split('.').pop()}_pkey`;
  }
}

export type ConnectionSettings = Pick<ServiceConfig, 'databasePoolSize' | 'databasePrepared'> &
  Partial<Pick<ServiceConfig, 'databasePartitions' | 'databaseReplicaUrl'>>;

/** The options with which the service, its tests and TypeORM's command line connect to the database. */
export function dataSourceOptions(
  config: ConnectionSettings,
  url: DatabaseUrl,
  schema: Schema,
): PostgresOptions {
  // Options in the URL are added to the settings of the service. They do not replace them.
  const asked = config.databasePrepared
    ? take('options', currentUrl(url))
    : { url: currentUrl(url), value: null };
  return {
    type: 'postgres',
    url: asked.url,
    entities: [...schema.entities],
    migrations: [...schema.migrations],
    migrationsTableName: 'migrations',
    namingStrategy: new PostgresNames(),
    synchronize: false,
    poolSize: config.databasePoolSize,
    connectTimeoutMS: CONNECT_TIMEOUT_MS,
    applicationName: APPLICATION_NAME,
    // The service needs no extension, and its role may not be allowed to create one.
    installExtensions: false,
    extra: {
      ...KEPT_ALIVE,
      ...(typeof url === 'string' ? {} : { Client: clientThatReads(url) }),
      // Startup parameters. A PgBouncer that does not support prepared statements refuses these as well.
      ...(config.databasePrepared
        ? {
            statement_timeout: STATEMENT_TIMEOUT_MS,
            lock_timeout: LOCK_TIMEOUT_MS,
            idle_in_transaction_session_timeout: IDLE_TRANSACTION_TIMEOUT_MS,
            query_timeout: ANSWER_TIMEOUT_MS,
            options: `${asked.value ?? ''} ${sessionSettings(config)}`.trim(),
          }
        : { query_timeout: STATEMENT_TIMEOUT_MS }),
    },
  };
}

/** Creates a data source that is not connected. For TypeORM's command line, tests and tools. */
export function createDataSource(config: ConnectionSettings, url: DatabaseUrl, schema: Schema): DataSource {
  return new DataSource(dataSourceOptions(config, url, schema));
}

/** The options of a `pg` connection to the database of the data source. */
export function connectionOptions(options: PostgresOptions): ConnectionConfig {
  return {
    connectionString: options.url,
    application_name: options.applicationName,
    connectionTimeoutMillis: options.connectTimeoutMS,
    ...(options.extra as ConnectionConfig),
  };
}

/** The options of a pipelined connection. */
export function pipelinedOptions(options: PostgresOptions): ConnectionConfig {
  return withoutQueryTimeout(connectionOptions(options));
}

/** The options of a pipelined connection for long reads. Each uses one processor at most. */
export function longReadOptions(options: PostgresOptions): ConnectionConfig {
  const config = pipelinedOptions(options);
  const { url } = take('statement_timeout', config.connectionString!);
  return {
    ...config,
    connectionString: url,
    statement_timeout: LONG_READ_STATEMENT_TIMEOUT_MS,
    options: `${config.options ?? ''} ${asOptions(ONE_PROCESSOR)}`.trim(),
  };
}

/**
 * With this time-out, `pg` starts a timer for each statement. A pipelined connection has one timer for all of
 * them.
 */
function withoutQueryTimeout(config: ConnectionConfig): ConnectionConfig {
  const { url, value } = take('query_timeout', config.connectionString!);
  return {
    ...config,
    connectionString: url,
    query_timeout: value === null ? config.query_timeout : Number(value),
  };
}

/** Removes a parameter from a URL. `pg` prefers the parameters of the URL to the ones in its options. */
function take(name: string, from: string): { url: string; value: string | null } {
  const [base, query] = from.split('?', 2);
  const parameters = new URLSearchParams(query);
  const value = parameters.get(name);
  if (value === null) return { url: from, value };
  parameters.delete(name);
  return { url: `${base}?${parameters.toString()}`, value };
}

/** Settings of every session, also on a replica. */
const READ_SETTINGS = {
  TimeZone: 'UTC',
  // Random reads cost the same as sequential ones. A read in index order is never slower than a sort, which
  // may use the disk.
  random_page_cost: '1',
  // No statement gets a better plan from its values, so each is planned once. test/operation/plans.spec.ts
  // checks the plans.
  plan_cache_mode: 'force_generic_plan',
};

const ONE_PROCESSOR = { max_parallel_workers_per_gather: '0' };

/** The options of a pipelined connection to a replica. */
export function replicaOptions(url: DatabaseUrl): ConnectionConfig {
  return withoutQueryTimeout({
    connectionString: currentUrl(url),
    ...(typeof url === 'string' ? {} : { Client: clientThatReads(url) }),
    connectionTimeoutMillis: REPLICA_CONNECT_TIMEOUT_MS,
    ...KEPT_ALIVE,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    query_timeout: ANSWER_TIMEOUT_MS,
    options: asOptions(READ_SETTINGS),
    application_name: APPLICATION_NAME,
  });
}

function sessionSettings(config: ConnectionSettings): string {
  const settings: Record<string, string> = { ...READ_SETTINGS };
  if (config.databasePartitions) settings['health_records.partitions'] = String(config.databasePartitions);
  // A commit returns after the replica has applied it. Reads on the replica then show the caller's own writes
  // and reject revoked tokens.
  if (config.databaseReplicaUrl) settings.synchronous_commit = 'remote_apply';
  return asOptions(settings);
}

function asOptions(settings: Record<string, string>): string {
  return Object.entries(settings)
    .map(([name, value]) => `-c ${name}=${value}`)
    .join(' ');
}
