import type { ServiceConfig } from '@app/config';
import type { ClientConfig } from 'pg';
import { type DataSourceOptions, DefaultNamingStrategy, type Table } from 'typeorm';
import { MIGRATIONS } from './migrations';
import { SecretFingerprintEntity } from './secret-fingerprint.entity';

/** Connections of a process that only reads use, beside the pool: pipelined, they need to be few. */
export const READ_LANES = 4;
/** And those of writes that share commits: while one waits for the disk, another works. */
export const WRITE_LANES = 2;
/** A write that waits for a lock holds up others: after this it goes alone. Longer than a commit takes on a usual disk. */
const SHARED_LOCK_TIMEOUT_MS = 25;
/** So that no firewall forgets a connection that is silent. */
const KEPT_ALIVE = { keepAlive: true, keepAliveInitialDelayMillis: 60_000 };
const APPLICATION_NAME = 'health-records-service';
/** The primary is there to be asked instead. */
const REPLICA_CONNECT_TIMEOUT_MS = 1_000;
const CONNECT_TIMEOUT_MS = 5_000;
const STATEMENT_TIMEOUT_MS = 30_000;
const LOCK_TIMEOUT_MS = 5_000;
const IDLE_TRANSACTION_TIMEOUT_MS = 30_000;
/** For a server that has vanished without a word: its own time-outs, which come first, would never be heard of. */
const ANSWER_TIMEOUT_MS = STATEMENT_TIMEOUT_MS + 5_000;

export type PostgresOptions = Extract<DataSourceOptions, { type: 'postgres' }>;

/** The classes of every `*.entity.ts`. */
export type EntityClasses = (abstract new () => object)[];

/** Names as PostgreSQL itself gives them, so that migrations in plain SQL and entities agree. */
class PostgresNames extends DefaultNamingStrategy {
  override primaryKeyName(table: Table | string): string {
    return `${this.getTableName(table).split('.').pop()}_pkey`;
  }
}

export type ConnectionSettings = Pick<ServiceConfig, 'databasePoolSize' | 'databasePrepared'> &
  Partial<Pick<ServiceConfig, 'databasePartitions' | 'databaseReplicaUrl'>>;

/** How the service, its tests and TypeORM's own command line reach the database: one description for all. */
export function dataSourceOptions(
  config: ConnectionSettings,
  url: string,
  entities: EntityClasses,
): PostgresOptions {
  // What a URL asks for as options comes beside the settings of the service, not in their place.
  const asked = config.databasePrepared ? take('options', url) : { url, value: null };
  return {
    type: 'postgres',
    url: asked.url,
    entities: [...entities, SecretFingerprintEntity],
    migrations: MIGRATIONS,
    migrationsTableName: 'migrations',
    namingStrategy: new PostgresNames(),
    synchronize: false,
    poolSize: config.databasePoolSize,
    connectTimeoutMS: CONNECT_TIMEOUT_MS,
    applicationName: APPLICATION_NAME,
    // No extension is needed, and a service's role may not be allowed to make one.
    installExtensions: false,
    extra: {
      ...KEPT_ALIVE,
      // Startup parameters; a PgBouncer that knows no prepared statements refuses these as well.
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

/** How a lane for reads reaches the database that the data source describes. */
export function readLaneOptions({
  url,
  applicationName,
  connectTimeoutMS,
  extra,
}: PostgresOptions): ClientConfig {
  return {
    connectionString: url,
    application_name: applicationName,
    connectionTimeoutMillis: connectTimeoutMS,
    ...(extra as ClientConfig),
  };
}

/** And one for writes that share commits. */
export function writeLaneOptions(options: PostgresOptions): ClientConfig {
  const { url } = take('lock_timeout', options.url!);
  return { ...readLaneOptions({ ...options, url }), lock_timeout: SHARED_LOCK_TIMEOUT_MS };
}

/** Takes a parameter out of a URL, since `pg` prefers what it finds there to what it is told. */
function take(name: string, from: string): { url: string; value: string | null } {
  const [base, query] = from.split('?', 2);
  const parameters = new URLSearchParams(query);
  const value = parameters.get(name);
  if (value === null) return { url: from, value };
  parameters.delete(name);
  return { url: `${base}?${parameters.toString()}`, value };
}

/** What every session is told, on a replica too. */
const READ_SETTINGS = {
  TimeZone: 'UTC',
  // No disk turns: to read in the order of an index is never dearer than to sort, which may need the disk.
  random_page_cost: '1',
  // No statement is better planned for its values, so none is planned anew; test/operation/plans.spec.ts has the plans.
  plan_cache_mode: 'force_generic_plan',
};

/** How a lane reaches a replica. */
export function replicaOptions(url: string): ClientConfig {
  return {
    connectionString: url,
    connectionTimeoutMillis: REPLICA_CONNECT_TIMEOUT_MS,
    ...KEPT_ALIVE,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    query_timeout: ANSWER_TIMEOUT_MS,
    options: asOptions(READ_SETTINGS),
    application_name: APPLICATION_NAME,
  };
}

function sessionSettings(config: ConnectionSettings): string {
  const settings: Record<string, string> = { ...READ_SETTINGS };
  if (config.databasePartitions) settings['health_records.partitions'] = String(config.databasePartitions);
  // A commit returns when the replica shows it: reads there see one's own writes, and no token that was revoked.
  if (config.databaseReplicaUrl) settings.synchronous_commit = 'remote_apply';
  return asOptions(settings);
}

function asOptions(settings: Record<string, string>): string {
  return Object.entries(settings)
    .map(([name, value]) => `-c ${name}=${value}`)
    .join(' ');
}
