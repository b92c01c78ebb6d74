import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EmbeddedPostgres } from '@app/database';
import { sql } from '../support/databases';
import { anAccount, aProfile } from '../support/factories';
import { startService, type TestService } from '../support/service';
import { startStandby } from '../support/standby';

const PASSWORD = 'of-the-tests';

describe('with a synchronous replica', () => {
  let directories: string[];
  let primary: EmbeddedPostgres;
  let standby: EmbeddedPostgres;
  let service: TestService;

  beforeAll(async () => {
    directories = ['primary', 'standby'].map((name) => mkdtempSync(join(tmpdir(), `hrs-${name}-`)));
    // The database may run as another user, who must get in.
    for (const directory of directories) chmodSync(directory, 0o755);
    primary = await EmbeddedPostgres.start({ dataDir: directories[0], password: PASSWORD });
    standby = await startStandby(primary, directories[0], directories[1], PASSWORD);
    await sql(primary.urlOf('postgres'), "ALTER SYSTEM SET synchronous_standby_names = '*'");
    await sql(primary.urlOf('postgres'), 'SELECT pg_reload_conf()');
    service = await startService({ DATABASE_URL: primary.url, DATABASE_REPLICA_URL: standby.url });
  }, 25_000);
  afterAll(async () => {
    await sql(primary.urlOf('postgres'), 'ALTER SYSTEM RESET synchronous_standby_names');
    await sql(primary.urlOf('postgres'), 'SELECT pg_reload_conf()');
    await service?.stop();
    await standby?.stop();
    await primary.stop();
    for (const directory of directories) rmSync(directory, { recursive: true, force: true });
  });

  it('shows a person their own writes, at once', async () => {
    const { token } = await anAccount(service.api);
    for (let round = 0; round < 100; round++) {
      const id = await aProfile(service.api, token);
      const { status } = await service.api.get(`/api/profiles/${id}`, { token });
      expect(status).toBe(200);
    }
  });

  it('lets no token outlive its revocation', async () => {
    for (let round = 0; round < 30; round++) {
      const { token } = await anAccount(service.api);
      expect((await service.api.get('/api/profiles', { token })).status).toBe(200);
      await service.api.post('/api/auth/logout-all', undefined, { token });
      const { status, body } = await service.api.get('/api/profiles', { token });
      expect([status, body.code]).toEqual([401, 'token_revoked']);
    }
  });

  it('reads from the replica', async () => {
    const { token } = await anAccount(service.api);
    const id = await aProfile(service.api, token);
    await service.api.get(`/api/profiles/${id}`, { token });
    const lookups = await sql(
      standby.url,
      "SELECT 1 FROM pg_stat_activity WHERE query LIKE 'SELECT%FROM accounts a JOIN profiles r%' AND pid <> pg_backend_pid()",
    );
    expect(lookups.length).toBeGreaterThan(0);
  });

  it('reads from the primary while the replica is away', async () => {
    const { token } = await anAccount(service.api);
    const id = await aProfile(service.api, token);
    await sql(primary.urlOf('postgres'), 'ALTER SYSTEM RESET synchronous_standby_names');
    await sql(primary.urlOf('postgres'), 'SELECT pg_reload_conf()');
    await standby.stop();
    const { status } = await service.api.get(`/api/profiles/${id}`, { token });
    expect(status).toBe(200);
  });
});
