import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { ExtensionError } from '@app/common';
import { isPlainRemote } from './database-tls';
import { followFile } from './database-url';
import { findMisspelt } from './misspelt-settings';
import type { AddedSettings, SettingValues } from './added-settings';
import { type Environment, SETTINGS, type Setting, type SettingName } from './settings';

type Value<N extends SettingName> = ReturnType<(typeof SETTINGS)[N]['parse']>;

/** The service cannot start. The message is one sentence that names every invalid setting. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

/**
 * The settings of one process, read once and validated together.
 *
 * Throws a {@link ConfigError} that names every invalid key but no value, because a value may be a secret.
 */
export class ServiceConfig {
  readonly nodeEnv: Value<'NODE_ENV'>;
  readonly host: string;
  readonly port: number;
  /** If absent, the service uses the embedded database. */
  readonly databaseUrl: string | undefined;
  /** Reads `databaseUrl` with the user and the password that its file has now. Absent where it is. */
  readonly readDatabaseUrl: (() => string) | undefined;
  /** Whether a connection to another machine must be encrypted. */
  readonly databaseTls: boolean;
  readonly databasePrepared: boolean;
  readonly databasePoolSize: number;
  /** Absolute path. */
  readonly dataDir: string;
  /** Outside production, it is absent until `resolveSecrets` has created one. */
  readonly jwtSecret: string | undefined;
  /** Verifies tokens and never signs any. */
  readonly jwtSecretPrevious: string | undefined;
  readonly decoySecret: string | undefined;
  readonly logLevel: Value<'LOG_LEVEL'>;
  /** Names that the `Host` header may have, in lower case, beside addresses and names without a dot. If absent, any. */
  readonly allowedHosts: string[] | undefined;
  readonly corsOrigins: string[];
  /** Of the page. If absent, there are no passkeys. */
  readonly webOrigin: string | undefined;
  readonly trustProxyHops: number;
  /** Addresses and networks. Empty if `trustProxyHops` counts. */
  readonly trustProxy: string[];
  readonly rateLimits: boolean;
  readonly docs: boolean;
  /** Whether `/` serves the page. */
  readonly web: boolean;
  readonly metricsPort: number | undefined;
  /** If absent, there are no traces. */
  readonly otlpEndpoint: string | undefined;
  readonly passwordHashIterations: number;
  readonly signups: Value<'SIGNUPS'>;
  readonly readOnly: boolean;
  readonly quotaRecords: number;
  readonly quotaBytes: number;
  /** Of a new account. It grows to `quotaBytes` in `quotaDays`. */
  readonly quotaBytesNew: number;
  readonly quotaDays: number;
  readonly storagePath: string | undefined;
  readonly migrateAtStart: boolean;
  readonly storageLimit: number | undefined;
  readonly webConcurrency: number;
  readonly shutdownDelaySeconds: number;
  readonly databasePartitions: number;
  readonly databaseReplicaUrl: string | undefined;
  /** As `readDatabaseUrl`. */
  readonly readDatabaseReplicaUrl: (() => string) | undefined;
  /** Sentences about settings that are valid, but hardly meant. They hold no values. */
  readonly warnings: readonly string[];
  /**
   * By the object of `defineSettings`, so that only validated values can be read. Private, because it may
   * contain secrets.
   */
  readonly #added = new Map<AddedSettings, SettingValues<AddedSettings>>();

  /** @param added settings of modules; see `defineSettings`. */
  constructor(env: Environment = process.env, added: readonly AddedSettings[] = []) {
    const problems: string[] = [];
    const parse = <T>(name: string, setting: Setting<T>): T => {
      try {
        return setting.parse(rawValue(name, setting, env), env);
      } catch (problem) {
        if (typeof problem !== 'string') throw problem;
        problems.push(`${name} ${problem}`);
        return undefined as T;
      }
    };
    const read = <N extends SettingName>(name: N) => parse(name, SETTINGS[name] as Setting<Value<N>>);
    this.nodeEnv = read('NODE_ENV');
    this.host = read('HOST');
    this.port = read('PORT');
    this.databaseUrl = read('DATABASE_URL');
    this.databaseTls = read('DATABASE_TLS');
    this.databasePrepared = read('DATABASE_PREPARED');
    this.databasePoolSize = read('DATABASE_POOL_SIZE');
    this.dataDir = resolve(read('DATA_DIR') ?? '.data');
    this.jwtSecret = read('JWT_SECRET');
    this.jwtSecretPrevious = read('JWT_SECRET_PREVIOUS');
    this.decoySecret = read('DECOY_SECRET');
    this.logLevel = read('LOG_LEVEL');
    this.allowedHosts = allowedHosts(read('ALLOWED_HOSTS'), this.host);
    this.corsOrigins = read('CORS_ORIGINS');
    this.webOrigin = read('WEB_ORIGIN');
    this.trustProxyHops = read('TRUST_PROXY_HOPS');
    this.trustProxy = read('TRUST_PROXY');
    this.rateLimits = read('RATE_LIMITS');
    this.docs = read('DOCS');
    this.web = read('WEB');
    this.metricsPort = read('METRICS_PORT');
    this.otlpEndpoint = read('OTEL_EXPORTER_OTLP_ENDPOINT');
    this.passwordHashIterations = read('PASSWORD_HASH_ITERATIONS');
    this.signups = read('SIGNUPS');
    this.readOnly = read('READ_ONLY');
    this.quotaRecords = read('QUOTA_RECORDS');
    this.quotaBytes = read('QUOTA_BYTES');
    this.quotaBytesNew = read('QUOTA_BYTES_NEW');
    this.quotaDays = read('QUOTA_DAYS');
    this.migrateAtStart = read('MIGRATE_AT_START');
    this.storagePath = read('STORAGE_PATH');
    this.storageLimit = read('STORAGE_LIMIT');
    this.webConcurrency = read('WEB_CONCURRENCY');
    this.shutdownDelaySeconds = read('SHUTDOWN_DELAY_SECONDS');
    this.databasePartitions = read('DATABASE_PARTITIONS');
    this.databaseReplicaUrl = read('DATABASE_REPLICA_URL');
    read('DATABASE_EMBEDDED');
    this.readDatabaseUrl = follow(this.databaseUrl, env.DATABASE_URL_FILE);
    this.readDatabaseReplicaUrl = follow(this.databaseReplicaUrl, env.DATABASE_REPLICA_URL_FILE);
    if (!this.databasePrepared && (this.databaseReplicaUrl || this.databasePartitions)) {
      problems.push(
        'DATABASE_PREPARED must be on where DATABASE_REPLICA_URL or DATABASE_PARTITIONS is given',
      );
    }
    if (this.trustProxyHops > 0 && this.trustProxy?.length > 0)
      problems.push('TRUST_PROXY and TRUST_PROXY_HOPS are both given, give one');
    if (this.nodeEnv === 'production') problems.push(...this.productionProblems());
    const names = new Set<string>();
    for (const settings of new Set(added)) {
      for (const name of Object.keys(settings)) {
        if (names.has(name)) throw new ExtensionError(`The setting ${name} is defined twice.`);
        names.add(name);
      }
      const values = Object.entries(settings).map(([name, setting]) => [name, parse(name, setting)]);
      this.#added.set(settings, Object.fromEntries(values) as SettingValues<AddedSettings>);
    }
    this.warnings = findMisspelt(env, [...settingNames(), ...names]);
    if (problems.length > 0) throw new ConfigError(`The service cannot start: ${problems.join('; ')}.`);
  }

  /**
   * The settings for a tool beside the service.
   *
   * @param databaseUrl if given, it replaces the setting: the embedded database, which is found already.
   */
  static forTools(added: readonly AddedSettings[], databaseUrl?: string): ServiceConfig {
    const found = { ...process.env, DATABASE_URL: databaseUrl, DATABASE_URL_FILE: undefined };
    const env = databaseUrl === undefined ? process.env : found;
    return new ServiceConfig(env, added);
  }

  /** What is wrong in production with valid settings. */
  private productionProblems(): string[] {
    const problems: string[] = [];
    if (this.jwtSecret !== undefined && this.jwtSecret === this.decoySecret)
      problems.push('DECOY_SECRET must differ from JWT_SECRET');
    for (const [name, url] of [
      ['DATABASE_URL', this.databaseUrl],
      ['DATABASE_REPLICA_URL', this.databaseReplicaUrl],
    ] as const) {
      if (this.databaseTls && url !== undefined && isPlainRemote(url))
        problems.push(
          `${name} must ask for TLS (sslmode=verify-full) in production, unless DATABASE_TLS is off`,
        );
    }
    return problems;
  }

  /**
   * The values of settings that a module added.
   *
   * @throws ExtensionError for settings that were not given to the constructor.
   */
  valuesOf<S extends AddedSettings>(settings: S): SettingValues<S> {
    const values = this.#added.get(settings);
    if (!values)
      throw new ExtensionError(
        `The settings ${Object.keys(settings).join(', ')} were not read: name them in the extension.`,
      );
    return values as SettingValues<S>;
  }
}

/**
 * Security: a web page can let its own name point to the address of the service (DNS rebinding), and then is of
 * the same origin. Behind `0.0.0.0` and `::` the names are unknown here.
 */
function allowedHosts(given: string[] | undefined, host: string): string[] | undefined {
  if (given === undefined) return undefined;
  if (given.length === 0 && /^(0\.0\.0\.0|::)$/.test(host)) return undefined;
  return [host.toLowerCase(), ...given];
}

function follow(url: string | undefined, file: string | undefined): (() => string) | undefined {
  if (url === undefined) return undefined;
  return file ? followFile(url, file) : () => url;
}

/** The names of the variables that the service reads. */
function settingNames(): string[] {
  return Object.entries(SETTINGS).flatMap(([name, setting]: [string, Setting<unknown>]) =>
    setting.secret ? [name, `${name}_FILE`] : [name],
  );
}

function rawValue(name: string, setting: Setting<unknown>, env: Environment): string | undefined {
  // Many shells and orchestrators use an empty value for "not set".
  const direct = env[name] || undefined;
  const file = setting.secret ? env[`${name}_FILE`] || undefined : undefined;
  if (file === undefined) return direct;
  if (direct !== undefined) throw `and ${name}_FILE are both given, give one`;
  try {
    return readFileSync(file, 'utf8').replace(/\r?\n$/, '');
  } catch {
    throw `cannot be read from the file that ${name}_FILE names`;
  }
}
