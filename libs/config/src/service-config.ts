import { createECDH } from 'node:crypto';
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

/** Reads settings, and keeps what is wrong with them. */
abstract class SettingsReader {
  readonly #env: Environment;
  /** Sentence fragments that begin with the name of a setting. */
  readonly #problems: string[] = [];

  constructor(env: Environment) {
    this.#env = env;
  }

  /** @internal */
  protected read<N extends SettingName>(name: N): Value<N> {
    return this.parse(name, SETTINGS[name] as Setting<Value<N>>);
  }

  /** @internal */
  protected parse<T>(name: string, setting: Setting<T>): T {
    try {
      return setting.parse(rawValue(name, setting, this.#env), this.#env);
    } catch (problem) {
      if (typeof problem !== 'string') throw problem;
      this.#problems.push(`${name} ${problem}`);
      return undefined as T;
    }
  }

  /** A function that reads `url` with the user and the password that its file has now. @internal */
  protected follow(url: string | undefined, name: SettingName): (() => string) | undefined {
    const file = this.#env[`${name}_FILE`];
    if (url === undefined) return undefined;
    return file ? followFile(url, file) : () => url;
  }

  /** @internal */
  protected refuse(...problems: string[]): void {
    this.#problems.push(...problems);
  }

  /** @throws ConfigError that names every invalid setting. @internal */
  protected assertValid(): void {
    if (this.#problems.length > 0)
      throw new ConfigError(`The service cannot start: ${this.#problems.join('; ')}.`);
  }
}

/**
 * The settings of one process, read once and validated together.
 *
 * Throws a {@link ConfigError} that names every invalid key but no value, because a value may be a secret.
 */
export class ServiceConfig extends SettingsReader {
  readonly nodeEnv = this.read('NODE_ENV');
  readonly host = this.read('HOST');
  readonly port = this.read('PORT');
  /** If absent, the service uses the embedded database. */
  readonly databaseUrl = this.read('DATABASE_URL');
  /** Reads `databaseUrl` with the user and the password that its file has now. Absent where it is. */
  readonly readDatabaseUrl = this.follow(this.databaseUrl, 'DATABASE_URL');
  /** Whether a connection to another machine must be encrypted. */
  readonly databaseTls = this.read('DATABASE_TLS');
  readonly databasePrepared = this.read('DATABASE_PREPARED');
  readonly databasePoolSize = this.read('DATABASE_POOL_SIZE');
  /** Absolute path. */
  readonly dataDir = resolve(this.read('DATA_DIR') ?? '.data');
  /** Outside production, it is absent until `resolveSecrets` has created one. */
  readonly jwtSecret = this.read('JWT_SECRET');
  /** Verifies tokens and never signs any. */
  readonly jwtSecretPrevious = this.read('JWT_SECRET_PREVIOUS');
  readonly decoySecret = this.read('DECOY_SECRET');
  readonly secondStepSecret = this.read('SECOND_STEP_SECRET');
  /** Decrypts and never encrypts. */
  readonly secondStepSecretPrevious = this.read('SECOND_STEP_SECRET_PREVIOUS');
  readonly logLevel = this.read('LOG_LEVEL');
  /** Names that the `Host` header may have, in lower case, beside addresses and names without a dot. If absent, any. */
  readonly allowedHosts = allowedHosts(this.read('ALLOWED_HOSTS'), this.host);
  readonly corsOrigins = this.read('CORS_ORIGINS');
  /** Of the page. If absent, there are no passkeys. */
  readonly webOrigin = this.read('WEB_ORIGIN');
  /** If absent, there is no mail, and no address is confirmed. */
  readonly smtpUrl = this.read('SMTP_URL');
  /** Given where `smtpUrl` is. */
  readonly mailFrom = this.read('MAIL_FROM');
  readonly mailLanguage = this.read('MAIL_LANGUAGE');
  /** Whether reminders are sent where that is possible. */
  readonly push = this.read('PUSH');
  /** Outside production, it is absent until `resolveSecrets` has created one. */
  readonly vapidPrivateKey = this.read('VAPID_PRIVATE_KEY');
  /** Hosts, with a port if it is not 443. */
  readonly pushServices = this.read('PUSH_SERVICES');
  readonly trustProxyHops = this.read('TRUST_PROXY_HOPS');
  /** Addresses and networks. Empty if `trustProxyHops` counts. */
  readonly trustProxy = this.read('TRUST_PROXY');
  readonly rateLimits = this.read('RATE_LIMITS');
  readonly docs = this.read('DOCS');
  /** Whether `/` serves the page. */
  readonly web = this.read('WEB');
  readonly metricsPort = this.read('METRICS_PORT');
  /** If absent, there are no traces. */
  readonly otlpEndpoint = this.read('OTEL_EXPORTER_OTLP_ENDPOINT');
  readonly passwordHashIterations = this.read('PASSWORD_HASH_ITERATIONS');
  readonly signups = this.read('SIGNUPS');
  readonly readOnly = this.read('READ_ONLY');
  readonly quotaRecords = this.read('QUOTA_RECORDS');
  readonly quotaBytes = this.read('QUOTA_BYTES');
  /** Of a new account. It grows to `quotaBytes` in `quotaDays`. */
  readonly quotaBytesNew = this.read('QUOTA_BYTES_NEW');
  readonly quotaDays = this.read('QUOTA_DAYS');
  readonly erasureDays = this.read('ERASURE_DAYS');
  /** 0: they stay. */
  readonly unusedAccountDays = this.read('UNUSED_ACCOUNT_DAYS');
  readonly migrateAtStart = this.read('MIGRATE_AT_START');
  readonly storagePath = this.read('STORAGE_PATH');
  readonly storageLimit = this.read('STORAGE_LIMIT');
  readonly webConcurrency = this.read('WEB_CONCURRENCY');
  readonly shutdownDelaySeconds = this.read('SHUTDOWN_DELAY_SECONDS');
  readonly databasePartitions = this.read('DATABASE_PARTITIONS');
  readonly databaseReplicaUrl = this.read('DATABASE_REPLICA_URL');
  /** As `readDatabaseUrl`. */
  readonly readDatabaseReplicaUrl = this.follow(this.databaseReplicaUrl, 'DATABASE_REPLICA_URL');
  /** Sentences about settings that are valid, but hardly meant. They hold no values. */
  readonly warnings: readonly string[];

  /**
   * By the object of `defineSettings`, so that only validated values can be read. Private, because it may
   * contain secrets.
   */
  readonly #added = new Map<AddedSettings, SettingValues<AddedSettings>>();

  /** @param added settings of modules; see `defineSettings`. */
  constructor(env: Environment = process.env, added: readonly AddedSettings[] = []) {
    super(env);
    this.read('DATABASE_EMBEDDED');
    if (!this.databasePrepared && (this.databaseReplicaUrl || this.databasePartitions))
      this.refuse('DATABASE_PREPARED must be on where DATABASE_REPLICA_URL or DATABASE_PARTITIONS is given');
    if (this.smtpUrl !== undefined && (this.mailFrom === undefined || this.webOrigin === undefined))
      this.refuse('SMTP_URL needs MAIL_FROM and WEB_ORIGIN');
    const vapidPublicKey = this.read('VAPID_PUBLIC_KEY');
    if (vapidPublicKey !== undefined && vapidPublicKey !== vapidPublicKeyOf(this.vapidPrivateKey))
      this.refuse('VAPID_PUBLIC_KEY must belong to VAPID_PRIVATE_KEY');
    if (this.trustProxyHops > 0 && this.trustProxy?.length > 0)
      this.refuse('TRUST_PROXY and TRUST_PROXY_HOPS are both given, give one');
    if (this.nodeEnv === 'production') this.refuse(...this.productionProblems());
    const names = new Set<string>();
    for (const settings of new Set(added)) {
      for (const name of Object.keys(settings)) {
        if (names.has(name)) throw new ExtensionError(`The setting ${name} is defined twice.`);
        names.add(name);
      }
      const values = Object.entries(settings).map(([name, setting]) => [name, this.parse(name, setting)]);
      this.#added.set(settings, Object.fromEntries(values) as SettingValues<AddedSettings>);
    }
    this.warnings = findMisspelt(env, [...settingNames(), ...names]);
    this.assertValid();
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
    const others = [this.jwtSecret, this.decoySecret];
    if (this.secondStepSecret !== undefined && others.includes(this.secondStepSecret))
      problems.push('SECOND_STEP_SECRET must differ from the other secrets');
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

/** Source: RFC 8292 section 3.2. */
export function vapidPublicKeyOf(privateKey: string | undefined): string | undefined {
  if (privateKey === undefined) return undefined;
  const curve = createECDH('prime256v1');
  curve.setPrivateKey(Buffer.from(privateKey, 'base64url'));
  return curve.getPublicKey().toString('base64url');
}
