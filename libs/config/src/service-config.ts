import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { type Environment, SETTINGS, type Setting, type SettingName } from './settings';

type Value<N extends SettingName> = ReturnType<(typeof SETTINGS)[N]['parse']>;

/** A start that cannot go on: the message is one sentence that names every bad setting. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

/**
 * The settings of one process, read once and validated as a whole.
 *
 * Throws a {@link ConfigError} that names every bad key, never a value: a value may be a secret.
 */
export class ServiceConfig {
  readonly nodeEnv: Value<'NODE_ENV'>;
  readonly host: string;
  readonly port: number;
  /** Absent: the embedded database. */
  readonly databaseUrl: string | undefined;
  readonly databasePrepared: boolean;
  readonly databasePoolSize: number;
  /** Absolute path. */
  readonly dataDir: string;
  /** Absent outside production until `resolveSecrets` has made one. */
  readonly jwtSecret: string | undefined;
  readonly decoySecret: string | undefined;
  readonly logLevel: Value<'LOG_LEVEL'>;
  readonly corsOrigins: string[];
  readonly trustProxyHops: number;
  readonly rateLimits: boolean;
  readonly metricsPort: number | undefined;
  readonly passwordHashIterations: number;
  readonly quotaRecords: number;
  readonly quotaBytes: number;
  readonly webConcurrency: number;
  readonly shutdownDelaySeconds: number;
  readonly databasePartitions: number;
  readonly databaseReplicaUrl: string | undefined;

  constructor(env: Environment = process.env) {
    const problems: string[] = [];
    const read = <N extends SettingName>(name: N): Value<N> => {
      const setting = SETTINGS[name] as Setting<Value<N>>;
      try {
        return setting.parse(rawValue(name, setting, env), env);
      } catch (problem) {
        if (typeof problem !== 'string') throw problem;
        problems.push(`${name} ${problem}`);
        return undefined as Value<N>;
      }
    };
    this.nodeEnv = read('NODE_ENV');
    this.host = read('HOST');
    this.port = read('PORT');
    this.databaseUrl = read('DATABASE_URL');
    this.databasePrepared = read('DATABASE_PREPARED');
    this.databasePoolSize = read('DATABASE_POOL_SIZE');
    this.dataDir = resolve(read('DATA_DIR') ?? '.data');
    this.jwtSecret = read('JWT_SECRET');
    this.decoySecret = read('DECOY_SECRET');
    this.logLevel = read('LOG_LEVEL');
    this.corsOrigins = read('CORS_ORIGINS');
    this.trustProxyHops = read('TRUST_PROXY_HOPS');
    this.rateLimits = read('RATE_LIMITS');
    this.metricsPort = read('METRICS_PORT');
    this.passwordHashIterations = read('PASSWORD_HASH_ITERATIONS');
    this.quotaRecords = read('QUOTA_RECORDS');
    this.quotaBytes = read('QUOTA_BYTES');
    this.webConcurrency = read('WEB_CONCURRENCY');
    this.shutdownDelaySeconds = read('SHUTDOWN_DELAY_SECONDS');
    this.databasePartitions = read('DATABASE_PARTITIONS');
    this.databaseReplicaUrl = read('DATABASE_REPLICA_URL');
    if (!this.databasePrepared && (this.databaseReplicaUrl || this.databasePartitions)) {
      problems.push(
        'DATABASE_PREPARED must be on where DATABASE_REPLICA_URL or DATABASE_PARTITIONS is given',
      );
    }
    if (problems.length > 0) throw new ConfigError(`The service cannot start: ${problems.join('; ')}.`);
  }
}

function rawValue(name: string, setting: Setting<unknown>, env: Environment): string | undefined {
  // An empty value is how many shells and orchestrators say "not set".
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
