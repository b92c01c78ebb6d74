import { readFileSync } from 'node:fs';
import { startBuiltService } from '../support/built-service';
import { createDatabase, dropDatabase, sql } from '../support/databases';
import { anAccount, aProfile } from '../support/factories';
import { startService, type TestService } from '../support/service';

const MIB = 1024 * 1024;

/** Health statistics of a profile, one a minute, with a blob of `bytes` bytes each; made by the database itself. */
const fill = (databaseUrl: string, profileId: string, count: number, bytes: number) =>
  sql(
    databaseUrl,
    `INSERT INTO health_stats (account_id, id, profile_id, encrypted_data, recorded_at)
      SELECT account_id, gen_random_uuid(), id, '"' || lpad(n::text, $3 - 2, 'A') || '"', '2020-01-01T00:00:00Z'::timestamptz + n * interval '1 minute'
      FROM profiles, generate_series(1, $2::int) AS n WHERE id = $1`,
    [profileId, count, bytes],
  );

const countOf = async (databaseUrl: string, table: string): Promise<number> =>
  Number((await sql<{ count: string }>(databaseUrl, `SELECT count(*) FROM ${table}`))[0].count);

describe('deleting with 100,000 health statistics', () => {
  let service: TestService;
  beforeAll(async () => (service = await startService()));
  afterAll(() => service.stop());

  const COUNT = 100_000;

  const anAccountWithMany = async () => {
    const account = await anAccount(service.api);
    const profileId = await aProfile(service.api, account.token);
    await fill(service.databaseUrl, profileId, COUNT, 64);
    expect(await countOf(service.databaseUrl, 'health_stats')).toBe(COUNT);
    return { ...account, profileId };
  };

  it('removes the profile and all of them', async () => {
    const { token, profileId } = await anAccountWithMany();
    const answer = await service.api.delete(`/api/profiles/${profileId}`, undefined, { token });
    expect([answer.status, answer.text]).toEqual([204, '']);
    expect(await countOf(service.databaseUrl, 'health_stats')).toBe(0);
    expect((await service.api.get('/api/health-stats', { token })).body).toEqual([]);
  });

  it('removes the account and all of them', async () => {
    const { token, password } = await anAccountWithMany();
    const answer = await service.api.post('/api/users/me/delete', { current_password: password }, { token });
    expect([answer.status, answer.text]).toEqual([204, '']);
    expect(await countOf(service.databaseUrl, 'health_stats')).toBe(0);
  });
});

describe('a list of 50,000 health statistics, 25 MB of blobs', () => {
  const COUNT = 50_000;
  const BYTES = 512;

  it('is answered whole and right by a service that never takes 400 MB of memory', async () => {
    const databaseUrl = await createDatabase();
    const built = await startBuiltService({ DATABASE_URL: databaseUrl });
    try {
      const { token } = await anAccount(built.api);
      const profileId = await aProfile(built.api, token);
      await fill(databaseUrl, profileId, COUNT, BYTES);
      const { status, body } = await built.api.get('/api/health-stats', { token });
      // Only Linux tells the peak of another process.
      if (process.platform === 'linux') expect(peakMemoryOf(built.process.pid!) / MIB).toBeLessThan(400);
      expect(status).toBe(200);
      const numbers = body.map(({ encrypted_data: blob }: { encrypted_data: string }) =>
        blob.length === BYTES - 2 ? Number(blob.replace(/^A+/, '')) : blob,
      );
      expect(numbers).toEqual(Array.from({ length: COUNT }, (_, index) => COUNT - index));
    } finally {
      await built.end();
      await dropDatabase(databaseUrl);
    }
  });
});

/** The most physical memory that the process has had, in bytes. */
function peakMemoryOf(pid: number): number {
  const [, kibibytes] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))!;
  return Number(kibibytes) * 1024;
}
