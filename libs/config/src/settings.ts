import { createECDH } from 'node:crypto';
import { isIP } from 'node:net';
import { checkDatabaseUrl } from './database-url';
import { isGuessable } from './secret-strength';

/**
 * Describes how one setting is read. `parse` returns the value or throws a sentence fragment that follows the
 * key's name.
 */
export interface Setting<T> {
  /** One line for the table of docs/settings.md. */
  description: string;
  /** As shown in that table. */
  defaultText: string;
  /** A secret may also be given as `NAME_FILE`, the path of a file that contains it. */
  secret?: true;
  /** The value of the text. @throws Error with a sentence for one that cannot be used. */
  parse: (text: string | undefined, env: Environment) => T;
}

/** The environment variables of the process: `process.env`, or those of a test. */
export type Environment = Record<string, string | undefined>;

const isProduction = (env: Environment) => env.NODE_ENV === 'production';

/** Parses a whole number. @throws a sentence fragment for anything else, or a number outside the limits. */
export function integer(fallback: number, min: number, max: number) {
  return (text: string | undefined): number => {
    if (text === undefined) return fallback;
    const value = Number(text);
    if (!/^\d+$/.test(text) || value < min || value > max)
      throw `must be a whole number from ${min} to ${max}`;
    return value;
  };
}

/** Parses one of a few words, by default `fallback`. @throws a sentence fragment for any other word. */
export function oneOf<const T extends string>(fallback: T, ...values: T[]) {
  return (text: string | undefined): T => {
    if (text === undefined) return fallback;
    if (!(values as string[]).includes(text)) throw `must be one of ${values.join(', ')}`;
    return text as T;
  };
}

/** Parses `on` (the default) and `off`. */
export function onOff(text: string | undefined): boolean {
  return oneOf('on', 'on', 'off')(text) === 'on';
}

/** Parses `off` (the default) and `on`. */
function offOn(text: string | undefined): boolean {
  return oneOf('off', 'on', 'off')(text) === 'on';
}

function postgresUrl(text: string | undefined): string | undefined {
  if (text !== undefined) checkDatabaseUrl(text);
  return text;
}

function httpUrl(text: string | undefined): string | undefined {
  if (text !== undefined && !(/^https?:\/\//.test(text) && URL.canParse(text)))
    throw 'must be an http:// or https:// URL';
  return text;
}

function secret(text: string | undefined, env: Environment): string | undefined {
  if (text === undefined) {
    if (isProduction(env)) throw 'must be given in production';
    return undefined;
  }
  if (Buffer.byteLength(text) < 32) throw 'must be at least 32 bytes long';
  if (isProduction(env) && isGuessable(text))
    throw 'must be random in production, such as the output of "openssl rand -hex 32"';
  return text;
}

/** In production, a missing DATABASE_URL is a mistake more often than a choice. */
function databaseEmbedded(text: string | undefined, env: Environment): boolean {
  const isAllowed = offOn(text);
  if (isProduction(env) && !isAllowed && !env.DATABASE_URL && !env.DATABASE_URL_FILE)
    throw 'must be on for production without DATABASE_URL';
  return isAllowed;
}

/** The parts of a comma-separated list. */
function listed(text = ''): string[] {
  const parts = text.split(',').map((part) => part.trim());
  return parts.filter(Boolean);
}

function origins(text: string | undefined): string[] {
  const list = listed(text);
  for (const origin of list) {
    // A wildcard inside of a name is a valid URL, and matches nothing.
    if (origin.includes('*') || !URL.canParse(origin) || new URL(origin).origin !== origin) {
      throw 'must be a comma-separated list of origins such as https://app.example.org, without a path or a wildcard';
    }
  }
  return list;
}

/** Security: a browser gives passkeys to a secure origin only. In development `localhost` counts as one. */
function webOrigin(text: string | undefined, env: Environment): string | undefined {
  if (text === undefined) return isProduction(env) ? undefined : `http://localhost:${env.PORT || 3000}`;
  const isOrigin = /^https?:/.test(text) && URL.canParse(text) && new URL(text).origin === text;
  const isSecure = text.startsWith('https:') || /^http:\/\/localhost(:\d+)?$/.test(text);
  if (!isOrigin || !isSecure) throw 'must be an origin such as https://records.example.org, without a path';
  return text;
}

/** Security: the message about a wrong URL must not hold its password, so it holds no part of it. */
function smtpUrl(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  if (!/^smtps?:\/\//.test(text) || !URL.canParse(text) || new URL(text).hostname === '')
    throw 'must be a URL such as smtps://user:password@mail.example.org';
  return text;
}

/** The private key of VAPID. The public one is computed from it. Source: RFC 8292. */
function vapidKey(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const bytes = Buffer.from(text, /^[\da-f]{64}$/i.test(text) ? 'hex' : 'base64url');
  if (bytes.length !== 32 || !isScalar(bytes))
    throw 'must be 32 bytes in base64url or hexadecimal digits, such as the output of "openssl rand -hex 32"';
  return bytes.toString('base64url');
}

function isScalar(bytes: Buffer): boolean {
  try {
    createECDH('prime256v1').setPrivateKey(bytes);
    return true;
  } catch {
    return false;
  }
}

/** Parses hosts of push services, with a port if it is not 443. */
function pushServices(text: string | undefined): string[] {
  const list = listed(text);
  if (!list.every((host) => URL.canParse(`https://${host}`) && new URL(`https://${host}`).host === host))
    throw 'must be a comma-separated list of hosts such as ntfy.example.org or ntfy.home:8443';
  return list;
}

/** `Name <name@example.org>` or `name@example.org`, on one line: a line break would begin another header. */
function mailFrom(text: string | undefined): string | undefined {
  if (text !== undefined && !/^([^<>@\p{Cc}]*<[^<>@\s]+@[^<>@\s]+>|[^<>@\s]+@[^<>@\s]+)$/u.test(text))
    throw 'must be an address such as records@example.org, with or without a name';
  return text;
}

/** Parses names of hosts, without ports. */
function hosts(text: string | undefined): string[] {
  const list = listed(text);
  if (!list.every((host) => /^[a-z\d-]+(\.[a-z\d-]+)*$/i.test(host)))
    throw 'must be a comma-separated list of host names such as records.example.org, without a port or a wildcard';
  return list.map((host) => host.toLowerCase());
}

/** Parses addresses and networks (`10.0.0.0/8`, `::1`). */
function networks(text: string | undefined): string[] {
  const list = listed(text);
  if (!list.every(isNetwork))
    throw 'must be a comma-separated list of addresses and networks such as 10.0.0.0/8 or 2001:db8::/32';
  return list;
}

/** A network of all addresses would let every client choose its own address. */
function isNetwork(text: string): boolean {
  const [address, prefix, ...rest] = text.split('/');
  const most = { 0: 0, 4: 32, 6: 128 }[isIP(address)]!;
  if (most === 0 || address.includes('%') || rest.length > 0) return false;
  return prefix === undefined || (/^[1-9]\d{0,2}$/.test(prefix) && Number(prefix) <= most);
}

function passwordHashIterations(text: string | undefined, env: Environment): number {
  const fallback = 210_000;
  const value = integer(fallback, 1, 10_000_000)(text);
  if (isProduction(env) && value < fallback) throw `must be at least ${fallback} in production`;
  return value;
}

/** Security: without the limits, passwords can be guessed as fast as the service answers. */
function rateLimits(text: string | undefined, env: Environment): boolean {
  const isOn = onOff(text);
  if (isProduction(env) && !isOn) throw 'must be on in production';
  return isOn;
}

/** Security: who may fill the disk is the operator's decision. */
function signups(text: string | undefined, env: Environment) {
  const value = oneOf('open', 'open', 'invite', 'closed')(text);
  if (isProduction(env) && text === undefined) throw 'must be given in production: closed, invite or open';
  return value;
}

/** Every setting of the service, in the order of docs/settings.md. There is no other list. */
export const SETTINGS = {
  NODE_ENV: {
    description:
      '`production` demands three random secrets and TLS to the database, and refuses a lowered hash cost.',
    defaultText: '`development`',
    parse: oneOf('development', 'development', 'test', 'production'),
  },
  HOST: {
    description: 'Address to listen on.',
    defaultText: '`127.0.0.1`',
    parse: (text) => text ?? '127.0.0.1',
  },
  PORT: {
    description: 'Port to listen on; 0 takes a free one.',
    defaultText: '`3000`',
    parse: integer(3000, 0, 65_535),
  },
  DATABASE_URL: {
    description:
      'PostgreSQL 14 to 18, one host or Unix socket. Without it the service starts its own, under `DATA_DIR`.',
    defaultText: 'embedded',
    secret: true,
    parse: postgresUrl,
  },
  DATABASE_TLS: {
    description:
      'In production, a database on another machine needs `sslmode=verify-full` in its URL; `off` where the network is trusted.',
    defaultText: '`on`',
    parse: onOff,
  },
  DATABASE_PREPARED: {
    description: 'Named prepared statements; `off` behind PgBouncer before 1.21 in transaction mode.',
    defaultText: '`on`',
    parse: onOff,
  },
  DATABASE_POOL_SIZE: {
    description:
      'Connections to the database for each process, beside eight for short and long reads and for strangers.',
    defaultText: '`10`',
    parse: integer(10, 2, 500),
  },
  DATABASE_EMBEDDED: {
    description: '`on` lets production start without `DATABASE_URL`, on the embedded database.',
    defaultText: '`off`',
    parse: databaseEmbedded,
  },
  DATA_DIR: {
    description: 'Folder of the embedded database and of generated secrets.',
    defaultText: '`.data`',
    parse: (text) => text ?? '.data',
  },
  JWT_SECRET: {
    description: 'Signs the tokens; at least 32 bytes, the same on every replica.',
    defaultText: 'generated',
    secret: true,
    parse: secret,
  },
  JWT_SECRET_PREVIOUS: {
    description:
      'Another secret whose tokens are accepted. It signs nothing; see "Secrets" in docs/production.md.',
    defaultText: 'none',
    secret: true,
    parse: (text, env) => (text === undefined ? undefined : secret(text, env)),
  },
  DECOY_SECRET: {
    description: 'Derives login salts and recovery decoys; at least 32 bytes, the same on every replica.',
    defaultText: 'generated',
    secret: true,
    parse: secret,
  },
  SECOND_STEP_SECRET: {
    description:
      'Encrypts the secrets of authenticator apps in the database; at least 32 bytes, the same on every replica.',
    defaultText: 'generated',
    secret: true,
    parse: secret,
  },
  SECOND_STEP_SECRET_PREVIOUS: {
    description: 'What the former one has encrypted is still read, and encrypted anew.',
    defaultText: 'none',
    secret: true,
    parse: (text, env) => (text === undefined ? undefined : secret(text, env)),
  },
  LOG_LEVEL: {
    description: '`fatal`, `error`, `warn`, `info`, `debug`, `trace` or `silent`.',
    defaultText: '`info`',
    parse: oneOf('info', 'fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'),
  },
  ALLOWED_HOSTS: {
    description:
      'Comma-separated names in the `Host` header; others are 421 `host_unknown`. Addresses and names without a dot are allowed always.',
    defaultText: '`HOST`; any if that is `0.0.0.0` or `::`',
    parse: hosts,
  },
  CORS_ORIGINS: {
    description: 'Comma-separated origins of browsers that may call the service; closed when empty.',
    defaultText: 'none',
    parse: origins,
  },
  WEB_ORIGIN: {
    description:
      'Where people open the page: `https://records.example.org`. Without it there are no passkeys.',
    defaultText: '`http://localhost:PORT`; none in production',
    parse: webOrigin,
  },
  SMTP_URL: {
    description:
      'A mail server, `smtps://user:password@mail.example.org`: people confirm their addresses and get notices. Needs `MAIL_FROM` and `WEB_ORIGIN`.',
    defaultText: 'none',
    secret: true,
    parse: smtpUrl,
  },
  MAIL_FROM: {
    description: 'The sender of mail: `Health records <records@example.org>`.',
    defaultText: 'none',
    parse: mailFrom,
  },
  MAIL_LANGUAGE: {
    description: 'The language of mail: `en`, `de` or `es`.',
    defaultText: '`en`',
    parse: oneOf('en', 'en', 'de', 'es'),
  },
  PUSH: {
    description:
      '`off` sends no reminders. They need `WEB_ORIGIN` and, in production, `VAPID_PRIVATE_KEY`; without these they are off.',
    defaultText: '`on`',
    parse: onOff,
  },
  VAPID_PRIVATE_KEY: {
    description:
      'By it push services know this service: 32 random bytes, in base64url or hexadecimal, the same on every replica.',
    defaultText: 'generated; none in production',
    secret: true,
    parse: vapidKey,
  },
  VAPID_PUBLIC_KEY: {
    description: 'Need not be given: it is computed. If it is given, it must belong to `VAPID_PRIVATE_KEY`.',
    defaultText: 'computed',
    parse: (text) => text,
  },
  PUSH_SERVICES: {
    description:
      'Comma-separated hosts of push services beside those of browsers and ntfy.sh, such as an own ntfy. They may have private addresses.',
    defaultText: 'none',
    parse: pushServices,
  },
  TRUST_PROXY_HOPS: {
    description: 'How many proxies in front may be believed about the address of a client.',
    defaultText: '`0`',
    parse: integer(0, 0, 16),
  },
  TRUST_PROXY: {
    description:
      'Instead of `TRUST_PROXY_HOPS`: comma-separated addresses and networks (CIDR) of the proxies.',
    defaultText: 'none',
    parse: networks,
  },
  RATE_LIMITS: {
    description: '`off` only for tests and benchmarks; production refuses it.',
    defaultText: '`on`',
    parse: rateLimits,
  },
  DOCS: {
    description: '`off` serves neither Swagger UI nor the OpenAPI document.',
    defaultText: '`on`, in production `off`',
    parse: (text, env) => (isProduction(env) ? offOn(text) : onOff(text)),
  },
  WEB: {
    description: '`on` serves the page at `/`; `off` shows there where the documentation is.',
    defaultText: '`on`',
    parse: onOff,
  },
  METRICS_PORT: {
    description: 'Port of the Prometheus metrics, on `HOST`; without it there are none.',
    defaultText: 'none',
    parse: (text) => (text === undefined ? undefined : integer(0, 0, 65_535)(text)),
  },
  OTEL_EXPORTER_OTLP_ENDPOINT: {
    description: 'Base URL of an OpenTelemetry collector (OTLP over HTTP), which gets traces.',
    defaultText: 'none',
    parse: httpUrl,
  },
  PASSWORD_HASH_ITERATIONS: {
    description: 'PBKDF2 rounds for secrets at rest; may be lowered for tests only.',
    defaultText: '`210000`',
    parse: passwordHashIterations,
  },
  SIGNUPS: {
    description: 'Who may register: `open`, `invite` (with a code of `npm run ops -- invite`) or `closed`.',
    defaultText: '`open`; none in production',
    parse: signups,
  },
  MIGRATE_AT_START: {
    description:
      '`off`: the start waits until the command `migrate` has run, for a role that may not make tables.',
    defaultText: '`on`',
    parse: onOff,
  },
  READ_ONLY: {
    description:
      '`on`: reads, sign-in, the end of sessions and a new password work, every other write is 503 `read_only`.',
    defaultText: '`off`',
    parse: offOn,
  },
  QUOTA_RECORDS: {
    description: 'Records of all kinds together that one account may store.',
    defaultText: '`1000000`',
    parse: integer(1_000_000, 1, 1_000_000_000),
  },
  QUOTA_BYTES: {
    description: 'Bytes that one account may store, without what the database adds.',
    defaultText: '`268435456`',
    parse: integer(256 * 1024 ** 2, 1, Number.MAX_SAFE_INTEGER),
  },
  QUOTA_BYTES_NEW: {
    description: 'What a new account may store. The limit grows evenly to `QUOTA_BYTES`.',
    defaultText: '`16777216`',
    parse: integer(16 * 1024 ** 2, 1, Number.MAX_SAFE_INTEGER),
  },
  QUOTA_DAYS: {
    description: 'Age in days from which an account may store `QUOTA_BYTES`; 0 gives it to new ones.',
    defaultText: '`7`',
    parse: integer(7, 0, 365),
  },
  ERASURE_DAYS: {
    description:
      'Days for which the erasure of an account waits. It signs out everywhere; a sign-in stops it. 0 erases at once.',
    defaultText: '`0`',
    parse: integer(0, 0, 90),
  },
  UNUSED_ACCOUNT_DAYS: {
    description:
      'An account that has never stored anything is removed after so many days without a session. 0 keeps it.',
    defaultText: '`180`',
    parse: integer(180, 0, 180),
  },
  STORAGE_PATH: {
    description:
      'A folder on the file system of the database, if it is on this machine. With too little free space writes are 503 `storage_low`.',
    defaultText: '`DATA_DIR` if embedded',
    parse: (text) => text,
  },
  STORAGE_LIMIT: {
    description: 'Bytes that the database may use. From there on writes are 503 `storage_low`.',
    defaultText: 'none',
    parse: (text) => (text === undefined ? undefined : integer(0, 1, Number.MAX_SAFE_INTEGER)(text)),
  },
  WEB_CONCURRENCY: {
    description: 'Worker processes behind one port.',
    defaultText: '`1`',
    parse: integer(1, 1, 64),
  },
  SHUTDOWN_DELAY_SECONDS: {
    description:
      'After SIGTERM: how long `/readyz` answers 503 before the service stops taking requests, for balancers to notice.',
    defaultText: '`0`',
    parse: integer(0, 0, 300),
  },
  DATABASE_PARTITIONS: {
    description: 'Hash partitions of each account table; counts only when the schema is first made.',
    defaultText: '`0`',
    parse: integer(0, 0, 1024),
  },
  DATABASE_REPLICA_URL: {
    description: 'A synchronous streaming replica that answers reads.',
    defaultText: 'none',
    secret: true,
    parse: postgresUrl,
  },
} satisfies Record<string, Setting<unknown>>;

export type SettingName = keyof typeof SETTINGS;
