import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BuiltService, startBuiltService } from '../support/built-service';
import { createDatabase, dropDatabase, runCluster, sql } from '../support/databases';
import { aHealthStat, anAccount, aProfile } from '../support/factories';
import { until } from '../support/until';

const ROLE = `rotated_${randomBytes(4).toString('hex')}`;

describe('a password of the database that comes from a file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'hrs-password-'));
  const file = join(folder, 'url');
  let databaseUrl: string;
  let service: BuiltService;

  /** Writes the file. */
  function tell(password: string): void {
    const url = new URL(databaseUrl);
    [url.username, url.password] = [ROLE, password];
    writeFileSync(file, `${url.href}\n`);
  }

  /** PostgreSQL takes this password from now on, and every open connection is ended. */
  async function change(password: string): Promise<void> {
    await sql(databaseUrl, `ALTER ROLE ${ROLE} PASSWORD '${password}'`);
    await sql(databaseUrl, 'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = $1', [
      ROLE,
    ]);
  }

  beforeAll(async () => {
    databaseUrl = await createDatabase();
    await sql(databaseUrl, `CREATE ROLE ${ROLE} LOGIN SUPERUSER PASSWORD 'first'`);
    tell('first');
    service = await startBuiltService({ DATABASE_URL_FILE: file });
  });
  afterAll(async () => {
    await service.end();
    await dropDatabase(databaseUrl);
    await sql(runCluster().url, `DROP ROLE ${ROLE}`);
    rmSync(folder, { recursive: true });
  });

  it('is replaced without a restart: 503 while the two differ, then all is well', async () => {
    const { token, email, password } = await anAccount(service.api);
    const profileId = await aProfile(service.api, token);
    const works = async () => {
      // A read, a write of one statement and a transaction: three sorts of connections.
      await aHealthStat(service.api, token, profileId);
      expect((await service.api.get('/api/health-stats', { token })).status).toBe(200);
      expect((await service.api.post('/api/auth/login', { email, password })).status).toBe(200);
    };
    await works();

    tell('second');
    await change('second');
    await until('the service is ready', async () => (await service.api.get('/readyz')).status === 200);
    await works();

    await change('third');
    const seen = new Set<number>();
    await until('the password is refused', async () => {
      const { status } = await service.api.get('/api/health-stats', { token });
      seen.add(status);
      return status === 503;
    });
    expect([...seen].filter((status) => status !== 200 && status !== 503)).toEqual([]);
    tell('third');
    await until('the service is ready', async () => (await service.api.get('/readyz')).status === 200);
    await works();
    expect(service.process.exitCode).toBeNull();
  });
});
