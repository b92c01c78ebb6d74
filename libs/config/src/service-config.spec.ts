import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { ConfigError, ServiceConfig } from './service-config';
import { type Environment, SETTINGS } from './settings';

const SECRET = 'a secret of at least thirty-two bytes';
const PRODUCTION = {
  NODE_ENV: 'production',
  JWT_SECRET: SECRET,
  DECOY_SECRET: `${SECRET}, another`,
  SECOND_STEP_SECRET: `${SECRET}, a third`,
  DATABASE_URL: 'postgres://localhost/health',
  SIGNUPS: 'closed',
};

/** The sentence of the error that stops the start. */
function refusal(environment: Environment): string {
  try {
    new ServiceConfig(environment);
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError);
    return (error as Error).message;
  }
  throw new Error('The start did not fail.');
}

describe('the settings', () => {
  it('have the defaults of the contract', () => {
    const config = new ServiceConfig({});
    expect({ ...config }).toMatchObject({
      nodeEnv: 'development',
      host: '127.0.0.1',
      port: 3000,
      databaseUrl: undefined,
      databaseTls: true,
      databasePrepared: true,
      jwtSecret: undefined,
      decoySecret: undefined,
      secondStepSecret: undefined,
      secondStepSecretPrevious: undefined,
      logLevel: 'info',
      corsOrigins: [],
      trustProxyHops: 0,
      rateLimits: true,
      metricsPort: undefined,
      passwordHashIterations: 210_000,
      webConcurrency: 1,
      databaseReplicaUrl: undefined,
    });
    expect(isAbsolute(config.dataDir)).toBe(true);
    expect(config.dataDir).toMatch(/[\\/]\.data$/);
  });

  it('are read from their keys', () => {
    const config = new ServiceConfig({
      NODE_ENV: 'production',
      HOST: '0.0.0.0',
      PORT: '0',
      DATABASE_URL: 'postgres://db/health',
      DATABASE_TLS: 'off',
      DATABASE_PREPARED: 'off',
      DATA_DIR: '/var/lib/health',
      JWT_SECRET: SECRET,
      DECOY_SECRET: `${SECRET}, another`,
      SECOND_STEP_SECRET: `${SECRET}, a third`,
      LOG_LEVEL: 'silent',
      CORS_ORIGINS: 'https://app.example.org, http://localhost:5173',
      TRUST_PROXY_HOPS: '2',
      ALLOWED_HOSTS: 'Records.example.org, records',
      SIGNUPS: 'invite',
      METRICS_PORT: '9464',
      PASSWORD_HASH_ITERATIONS: '300000',
      WEB_CONCURRENCY: '4',
    });
    expect({ ...config }).toMatchObject({
      nodeEnv: 'production',
      host: '0.0.0.0',
      port: 0,
      databaseUrl: 'postgres://db/health',
      databaseTls: false,
      databasePrepared: false,
      dataDir: '/var/lib/health',
      jwtSecret: SECRET,
      decoySecret: `${SECRET}, another`,
      secondStepSecret: `${SECRET}, a third`,
      secondStepSecretPrevious: undefined,
      logLevel: 'silent',
      corsOrigins: ['https://app.example.org', 'http://localhost:5173'],
      trustProxyHops: 2,
      rateLimits: true,
      allowedHosts: ['0.0.0.0', 'records.example.org', 'records'],
      signups: 'invite',
      docs: false,
      metricsPort: 9464,
      passwordHashIterations: 300_000,
      webConcurrency: 4,
    });
  });

  it.each(Object.keys(SETTINGS))('take an empty %s for one that is not given', (name) => {
    expect({ ...new ServiceConfig({ [name]: '' }) }).toEqual({ ...new ServiceConfig({}) });
  });

  it.each([
    ['NODE_ENV', 'staging'],
    ['PORT', '65536'],
    ['PORT', '-1'],
    ['PORT', '80.5'],
    ['PORT', '0x50'],
    ['PORT', 'http'],
    ['DATABASE_URL', 'mysql://db/health'],
    ['DATABASE_URL', 'db'],
    ['DATABASE_TLS', 'require'],
    ['DATABASE_PREPARED', 'true'],
    ['DATABASE_POOL_SIZE', '1'],
    ['JWT_SECRET', 's'.repeat(31)],
    ['DECOY_SECRET', 's'.repeat(31)],
    ['SECOND_STEP_SECRET', 's'.repeat(31)],
    ['LOG_LEVEL', 'verbose'],
    ['CORS_ORIGINS', '*'],
    ['CORS_ORIGINS', 'https://*.example.org'],
    ['CORS_ORIGINS', 'https://app.example.org/'],
    ['ALLOWED_HOSTS', '*.example.org'],
    ['ALLOWED_HOSTS', 'records.example.org:3000'],
    ['ALLOWED_HOSTS', 'https://records.example.org'],
    ['CORS_ORIGINS', 'https://app.example.org,app.example.org'],
    ['TRUST_PROXY_HOPS', 'true'],
    ['TRUST_PROXY', 'loopback'],
    ['TRUST_PROXY', 'proxy.example.org'],
    ['TRUST_PROXY', '10.1.0.0/0'],
    ['TRUST_PROXY', '10.1.0.0/33'],
    ['TRUST_PROXY', '10.1.0.0/8/8'],
    ['TRUST_PROXY', '10.1.0.0/255.0.0.0'],
    ['TRUST_PROXY', 'fe80::1%eth0'],
    ['TRUST_PROXY', '192.0.2.1, 1.2.3'],
    ['DOCS', 'no'],
    ['RATE_LIMITS', '0'],
    ['METRICS_PORT', '70000'],
    ['PASSWORD_HASH_ITERATIONS', '0'],
    ['WEB_CONCURRENCY', '0'],
    ['DATABASE_REPLICA_URL', 'https://db'],
  ])('refuse %s = %s, and name the key but not the value', (name, value) => {
    const sentence = refusal({ [name]: value });
    expect(sentence).toMatch(new RegExp(`^The service cannot start: ${name} [^;]+\\.$`));
    if (value.length > 3) expect(sentence).not.toContain(value);
  });

  it('name every bad key in one sentence', () => {
    const bad = { PORT: 'x', DATABASE_URL: 'x', JWT_SECRET: 'x', LOG_LEVEL: 'x', WEB_CONCURRENCY: 'x' };
    const sentence = refusal(bad);
    for (const name of Object.keys(bad)) expect(sentence).toContain(`${name} `);
    expect(sentence.split('; ')).toHaveLength(5);
    expect(sentence).not.toContain('\n');
  });

  it('take proxies by their networks or by their number, not both', () => {
    const { trustProxy } = new ServiceConfig({ TRUST_PROXY: '10.1.0.0/16, ::1,2001:db8::/32' });
    expect(trustProxy).toEqual(['10.1.0.0/16', '::1', '2001:db8::/32']);
    expect(refusal({ TRUST_PROXY: '10.1.0.0/16', TRUST_PROXY_HOPS: '1' })).toContain('TRUST_PROXY');
    expect(new ServiceConfig({ TRUST_PROXY: '10.1.0.0/16', TRUST_PROXY_HOPS: '0' }).trustProxyHops).toBe(0);
  });

  it('allow the name of HOST, and any name behind all addresses', () => {
    expect(new ServiceConfig({}).allowedHosts).toEqual(['127.0.0.1']);
    expect(new ServiceConfig({ HOST: 'Records.local' }).allowedHosts).toEqual(['records.local']);
    for (const HOST of ['0.0.0.0', '::']) expect(new ServiceConfig({ HOST }).allowedHosts).toBeUndefined();
  });

  it('count the bytes of a secret, not its characters', () => {
    expect(new ServiceConfig({ JWT_SECRET: '\u00e9'.repeat(16) }).jwtSecret).toHaveLength(16);
    expect(refusal({ JWT_SECRET: '\u00e9'.repeat(15) })).toContain('JWT_SECRET');
  });
});

describe('in production', () => {
  it('all three secrets must be given', () => {
    const sentence = refusal({ NODE_ENV: 'production' });
    expect(sentence).toContain('JWT_SECRET must be given in production');
    expect(sentence).toContain('DECOY_SECRET must be given in production');
    expect(sentence).toContain('SECOND_STEP_SECRET must be given in production');
  });

  it.each(['JWT_SECRET', 'DECOY_SECRET', 'SECOND_STEP_SECRET'])('%s must look random', (name) => {
    for (const secret of [
      'x'.repeat(32),
      'change me, please! '.repeat(4),
      'abcdefghijklmnopqrstuvwxyz012345',
    ]) {
      const sentence = refusal({ ...PRODUCTION, [name]: secret });
      expect(sentence).toMatch(
        new RegExp(`^The service cannot start: ${name} must be random in production[^;]+\\.$`),
      );
      expect(sentence).not.toContain(secret);
      expect(() => new ServiceConfig({ [name]: secret })).not.toThrow();
    }
  });

  it('the secrets must differ', () => {
    const equal = { JWT_SECRET: SECRET, DECOY_SECRET: SECRET };
    const sentence = refusal({ ...PRODUCTION, ...equal });
    expect(sentence).toBe('The service cannot start: DECOY_SECRET must differ from JWT_SECRET.');
    expect(() => new ServiceConfig(equal)).not.toThrow();
    for (const SECOND_STEP_SECRET of [PRODUCTION.JWT_SECRET, PRODUCTION.DECOY_SECRET])
      expect(refusal({ ...PRODUCTION, SECOND_STEP_SECRET })).toBe(
        'The service cannot start: SECOND_STEP_SECRET must differ from the other secrets.',
      );
  });

  it.each(['DATABASE_URL', 'DATABASE_REPLICA_URL'])('%s must ask for TLS to another machine', (name) => {
    const start = (settings: Environment) => () => new ServiceConfig({ ...PRODUCTION, ...settings });
    const plain = 'postgres://user:secret@db.example/health';
    const sentence = refusal({ ...PRODUCTION, [name]: plain });
    expect(sentence).toMatch(new RegExp(`^The service cannot start: ${name} must ask for TLS [^;]+\\.$`));
    expect(sentence).not.toContain('db.example');
    expect(start({ [name]: plain, DATABASE_TLS: 'off' })).not.toThrow();
    expect(start({ [name]: `${plain}?sslmode=verify-full` })).not.toThrow();
    expect(start({ [name]: 'postgres://user:secret@127.0.0.1/health' })).not.toThrow();
    expect(() => new ServiceConfig({ [name]: plain })).not.toThrow();
  });

  it('the embedded database must be asked for', () => {
    const sentence = refusal({ ...PRODUCTION, DATABASE_URL: '' });
    expect(sentence).toContain('DATABASE_EMBEDDED must be on for production without DATABASE_URL');
    const asked = new ServiceConfig({ ...PRODUCTION, DATABASE_URL: '', DATABASE_EMBEDDED: 'on' });
    expect(asked.databaseUrl).toBeUndefined();
  });

  it('the limits cannot be switched off', () => {
    expect(refusal({ ...PRODUCTION, RATE_LIMITS: 'off' })).toContain('RATE_LIMITS must be on in production');
    expect(new ServiceConfig({ RATE_LIMITS: 'off' }).rateLimits).toBe(false);
  });

  it('who may register must be said', () => {
    expect(refusal({ ...PRODUCTION, SIGNUPS: '' })).toContain('SIGNUPS must be given in production');
    expect(new ServiceConfig({}).signups).toBe('open');
  });

  it('the documentation must be asked for', () => {
    expect(new ServiceConfig(PRODUCTION).docs).toBe(false);
    expect(new ServiceConfig({ ...PRODUCTION, DOCS: 'on' }).docs).toBe(true);
    expect(new ServiceConfig({}).docs).toBe(true);
  });

  it('the hash cost may be raised, but not lowered', () => {
    expect(new ServiceConfig(PRODUCTION).passwordHashIterations).toBe(210_000);
    const raised = new ServiceConfig({ ...PRODUCTION, PASSWORD_HASH_ITERATIONS: '210001' });
    expect(raised.passwordHashIterations).toBe(210_001);
    expect(refusal({ ...PRODUCTION, PASSWORD_HASH_ITERATIONS: '209999' })).toContain(
      'PASSWORD_HASH_ITERATIONS',
    );
    expect(
      new ServiceConfig({ NODE_ENV: 'test', PASSWORD_HASH_ITERATIONS: '1' }).passwordHashIterations,
    ).toBe(1);
  });
});

describe('a secret from a file', () => {
  let folder: string;
  beforeAll(() => (folder = mkdtempSync(join(tmpdir(), 'config-'))));
  afterAll(() => rmSync(folder, { recursive: true }));

  const fileOf = (text: string): string => {
    const path = join(folder, `${Buffer.from(text).toString('hex').slice(0, 60)}.${text.length}`);
    writeFileSync(path, text);
    return path;
  };
  const SECRETS = [
    'JWT_SECRET',
    'DECOY_SECRET',
    'SECOND_STEP_SECRET',
    'DATABASE_URL',
    'DATABASE_REPLICA_URL',
  ] as const;
  const fieldOf = {
    JWT_SECRET: 'jwtSecret',
    DECOY_SECRET: 'decoySecret',
    SECOND_STEP_SECRET: 'secondStepSecret',
    DATABASE_URL: 'databaseUrl',
    DATABASE_REPLICA_URL: 'databaseReplicaUrl',
  } as const;
  const valueOf = (name: string) =>
    name.endsWith('URL') ? 'postgres://user:secret@db/health' : `${SECRET} for ${name}`;

  it.each(SECRETS)('is read for %s, without the line end that editors add', (name) => {
    for (const end of ['', '\n', '\r\n']) {
      const config = new ServiceConfig({ [`${name}_FILE`]: fileOf(valueOf(name) + end) });
      expect(config[fieldOf[name]]).toBe(valueOf(name));
    }
  });

  it('keeps what else is white in it', () => {
    expect(new ServiceConfig({ JWT_SECRET_FILE: fileOf(` ${SECRET} \n\n`) }).jwtSecret).toBe(` ${SECRET} \n`);
  });

  it.each(SECRETS)('is refused for %s when it cannot be read, and the path is not told', (name) => {
    const path = join(folder, 'nowhere');
    const sentence = refusal({ [`${name}_FILE`]: path });
    expect(sentence).toContain(`${name} cannot be read from the file that ${name}_FILE names`);
    expect(sentence).not.toContain(path);
  });

  it.each(SECRETS)('is refused for %s beside a direct value', (name) => {
    const sentence = refusal({ [name]: valueOf(name), [`${name}_FILE`]: fileOf(valueOf(name)) });
    expect(sentence).toContain(`${name} and ${name}_FILE are both given`);
  });

  it('keeps the rules of its setting', () => {
    expect(refusal({ JWT_SECRET_FILE: fileOf('short\n') })).toContain('JWT_SECRET must be at least 32 bytes');
    expect(refusal({ JWT_SECRET_FILE: fileOf('') })).toContain('JWT_SECRET must be at least 32 bytes');
    const files = { JWT_SECRET_FILE: fileOf(SECRET), DECOY_SECRET_FILE: fileOf(`${SECRET}!`) };
    expect(new ServiceConfig({ ...PRODUCTION, JWT_SECRET: '', DECOY_SECRET: '', ...files }).decoySecret).toBe(
      `${SECRET}!`,
    );
  });

  it('is for secrets only: PORT_FILE means nothing', () => {
    expect(new ServiceConfig({ PORT_FILE: fileOf('8080') }).port).toBe(3000);
  });
});
