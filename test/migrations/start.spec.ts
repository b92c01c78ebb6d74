import { createHmac } from 'node:crypto';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { ConfigError, ServiceConfig } from '@app/config';
import { Api } from '@app/testing';
import { MIGRATIONS } from '../../libs/database/src/migrations';
import { createApp } from '../../apps/api/src/configure-app';
import { createDatabase, dropDatabase, sql } from '../support/databases';
import { anAccount } from '../support/factories';
import { ops } from '../support/ops';
import { TEST_ENVIRONMENT } from '../support/service';
import { until } from '../support/until';

const REPLICAS = 10;
const SLOW_FINGERPRINT = /^\$scrypt\$ln=14\$[\w-]{22}\$[\w-]{43}$/;

describe('services that start', () => {
  let url: string;
  const running: NestFastifyApplication[] = [];
  beforeEach(async () => (url = await createDatabase(false)));
  afterEach(async () => {
    await Promise.all(running.splice(0).map((app) => app.close()));
    await dropDatabase(url);
  });

  const start = async (environment: Record<string, string> = {}) => {
    const config = new ServiceConfig({ ...TEST_ENVIRONMENT, DATABASE_URL: url, ...environment });
    const app = await createApp(config);
    running.push(app);
    await app.listen(0, '127.0.0.1');
    return new Api(await app.getUrl());
  };

  it(`all come up when ${REPLICAS} start at once on one empty database, which is migrated once`, async () => {
    const replicas = await Promise.all(
      Array.from({ length: REPLICAS }, () => start({ DATABASE_POOL_SIZE: '2' })),
    );
    const migrated = await sql<{ name: string }>(url, 'SELECT name FROM migrations ORDER BY id');
    expect(migrated.map(({ name }) => name)).toEqual(MIGRATIONS.map(({ name }) => name));
    for (const replica of replicas)
      await until('the replica is ready', async () => (await replica.get('/readyz')).status === 200);
    const { token } = await anAccount(replicas[0]);
    for (const replica of replicas) expect((await replica.get('/api/users/me', { token })).status).toBe(200);
  });

  it('wait for the command migrate where they may not migrate, and change nothing', async () => {
    const waiting = await start({ MIGRATE_AT_START: 'off' });
    expect((await waiting.get('/readyz')).status).toBe(503);
    expect(await sql(url, `SELECT to_regclass('accounts') AS made`)).toEqual([{ made: null }]);
    expect((await ops({ DATABASE_URL: url }, 'migrate')).code).toBe(0);
    await until('the service is ready', async () => (await waiting.get('/readyz')).status === 200);
    await anAccount(waiting);
  });

  it('find what an earlier one left', async () => {
    const first = await start();
    const { token } = await anAccount(first);
    await running.shift()!.close();
    expect((await (await start()).get('/api/users/me', { token })).status).toBe(200);
  });

  it.each(['JWT_SECRET', 'DECOY_SECRET', 'SECOND_STEP_SECRET'])(
    'do not come up with another %s than the rest',
    async (name) => {
      await start();
      const another = { [name]: 'a secret that this database was not set up with' };
      const attempt = start(another);
      await expect(attempt).rejects.toThrow(ConfigError);
      await expect(attempt).rejects.toThrow(
        `The service cannot start: ${name} is not the secret that this database was set up with.`,
      );
      await expect(attempt).rejects.not.toThrow(another[name]);
    },
  );

  it('keep fingerprints of the secrets, from which they cannot be read', async () => {
    await start();
    const rows = await sql<{ name: string; fingerprint: string }>(
      url,
      'SELECT * FROM secret_fingerprints ORDER BY name',
    );
    expect(rows.map(({ name }) => name)).toEqual(['decoy', 'jwt', 'second-step']);
    for (const { fingerprint } of rows) {
      expect(fingerprint).toMatch(SLOW_FINGERPRINT);
      const { JWT_SECRET, DECOY_SECRET, SECOND_STEP_SECRET } = TEST_ENVIRONMENT;
      expect([JWT_SECRET, DECOY_SECRET, SECOND_STEP_SECRET]).not.toContain(fingerprint);
    }
  });

  it('replace the fast fingerprints of an older version, once they have found them right', async () => {
    await start();
    const fast = (name: string, secret: string) =>
      createHmac('sha256', secret).update(`fingerprint of the ${name} secret`).digest('base64url');
    const store = (name: string, fingerprint: string) =>
      sql(url, 'UPDATE secret_fingerprints SET fingerprint = $2 WHERE name = $1', [name, fingerprint]);
    await store('jwt', fast('jwt', TEST_ENVIRONMENT.JWT_SECRET));
    await store('decoy', fast('decoy', 'another secret, which this one is not'));
    await expect(start()).rejects.toThrow('DECOY_SECRET is not the secret');
    await store('decoy', fast('decoy', TEST_ENVIRONMENT.DECOY_SECRET));
    await start();
    const rows = await sql<{ fingerprint: string }>(url, 'SELECT fingerprint FROM secret_fingerprints');
    expect(rows).toHaveLength(3);
    for (const { fingerprint } of rows) expect(fingerprint).toMatch(SLOW_FINGERPRINT);
    await start();
  });

  it('take a new secret once the old fingerprint is deleted', async () => {
    await start();
    await sql(url, `DELETE FROM secret_fingerprints WHERE name = 'jwt'`);
    const replica = await start({ JWT_SECRET: 'a secret that replaces the one before, on purpose' });
    expect((await replica.get('/readyz')).status).toBe(200);
  });
});
