import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { ConfigError, ServiceConfig } from '@app/config';
import { MIGRATIONS } from '../../libs/database/src/migrations';
import { createApp } from '../../apps/api/src/configure-app';
import { Api } from '../support/api';
import { createDatabase, dropDatabase, sql } from '../support/databases';
import { anAccount } from '../support/factories';
import { TEST_ENVIRONMENT } from '../support/service';

const REPLICAS = 10;

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
    for (const replica of replicas) expect((await replica.get('/readyz')).status).toBe(200);
    const { token } = await anAccount(replicas[0]);
    for (const replica of replicas) expect((await replica.get('/api/users/me', { token })).status).toBe(200);
  });

  it('find what an earlier one left', async () => {
    const first = await start();
    const { token } = await anAccount(first);
    await running.shift()!.close();
    expect((await (await start()).get('/api/users/me', { token })).status).toBe(200);
  });

  it.each(['JWT_SECRET', 'DECOY_SECRET'])('do not come up with another %s than the rest', async (name) => {
    await start();
    const another = { [name]: 'a secret that this database was not set up with' };
    const attempt = start(another);
    await expect(attempt).rejects.toThrow(ConfigError);
    await expect(attempt).rejects.toThrow(
      `The service cannot start: ${name} is not the secret that this database was set up with.`,
    );
    await expect(attempt).rejects.not.toThrow(another[name]);
  });

  it('keep fingerprints of the secrets, from which they cannot be read', async () => {
    await start();
    const rows = await sql<{ name: string; fingerprint: string }>(
      url,
      'SELECT * FROM secret_fingerprints ORDER BY name',
    );
    expect(rows.map(({ name }) => name)).toEqual(['decoy', 'jwt']);
    for (const { fingerprint } of rows) {
      expect(fingerprint).toMatch(/^[\w-]{43}$/);
      expect([TEST_ENVIRONMENT.JWT_SECRET, TEST_ENVIRONMENT.DECOY_SECRET]).not.toContain(fingerprint);
    }
  });

  it('take a new secret once the old fingerprint is deleted', async () => {
    await start();
    await sql(url, `DELETE FROM secret_fingerprints WHERE name = 'jwt'`);
    const replica = await start({ JWT_SECRET: 'a secret that replaces the one before, on purpose' });
    expect((await replica.get('/readyz')).status).toBe(200);
  });
});
