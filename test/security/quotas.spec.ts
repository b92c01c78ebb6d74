import {
  accountTables,
  countedUsage,
  expectFailure,
  keptUsage,
  quotaChecks,
  SERVICE_KINDS,
  SERVICE_REGISTRY,
  type Usage,
} from '@app/testing';
import { runChecks } from '../support/checks';
import { sql } from '../support/databases';
import { aDose, aHealthStat, aMedication, anAccount, aProfile } from '../support/factories';
import { holderOf } from '../support/in-space';
import { aHousehold, type Household } from '../support/record-kinds';
import { startService, type TestService } from '../support/service';

const RECORDS = 20;
const BYTES = 5_000;

let service: TestService;
beforeAll(async () => {
  service = await startService({ QUOTA_RECORDS: String(RECORDS), QUOTA_BYTES: String(BYTES) });
});
afterAll(() => service.stop());

const kept = (token: string) => keptUsage(service.databaseUrl, holderOf(token));

async function expectExact(token: string): Promise<Usage> {
  const usage = await countedUsage(service.databaseUrl, holderOf(token), SERVICE_REGISTRY);
  expect(await kept(token)).toEqual(usage);
  return usage;
}

/** Fills the account with doses, which have no bytes, until it stores this many records. */
async function fill({ token, medicationId }: Household, records: number): Promise<void> {
  while ((await kept(token))!.records < records) await aDose(service.api, token, medicationId);
}

describe.each(SERVICE_KINDS)('a $name', (kind) => {
  runChecks(quotaChecks(() => ({ ...service, holderOf }), kind, SERVICE_REGISTRY, RECORDS));
});

describe('records', () => {
  it('may still be read, changed and deleted when the quota is reached', async () => {
    const household = await aHousehold(service.api);
    await fill(household, RECORDS);
    const { token, medicationId } = household;
    const path = `/api/medications/${medicationId}`;
    expect((await service.api.get(path, { token })).status).toBe(200);
    expect((await service.api.post(path, { route: 'nasal' }, { token })).status).toBe(200);
    expect((await service.api.post(`${path}/delete`, undefined, { token })).status).toBe(204);
  });

  it('of other accounts do not count', async () => {
    await fill(await aHousehold(service.api), RECORDS);
    const { token } = await anAccount(service.api);
    expect((await service.api.post('/api/profiles', { wrapped_profile_dek: 'x' }, { token })).status).toBe(
      201,
    );
  });

  it('are refused as what they are before they are refused for the quota', async () => {
    const household = await aHousehold(service.api);
    await fill(household, RECORDS);
    const { token } = household;
    const stranger = await aHousehold(service.api);
    const body = { profile_id: stranger.profileId, encrypted_data: 'x' };
    expectFailure(await service.api.post('/api/health-stats', body, { token }), 'not_found');
    const key = { 'Idempotency-Key': 'one' };
    await service.api.post(
      `/api/medications/${stranger.medicationId}/log`,
      { taken: true },
      {
        token: stranger.token,
        headers: key,
      },
    );
    await fill(stranger, RECORDS);
    const replay = await service.api.post(
      `/api/medications/${stranger.medicationId}/log`,
      { taken: true },
      {
        token: stranger.token,
        headers: key,
      },
    );
    expect([replay.status, replay.headers.get('idempotency-replayed')]).toEqual([201, 'true']);
  });
});

describe('bytes', () => {
  it('beyond the quota are refused for creates and growing updates, with a clear sentence', async () => {
    const { token, profileId } = await aHousehold(service.api);
    const big = { profile_id: profileId, encrypted_data: 'x'.repeat(BYTES) };
    const stored = await service.api.post('/api/health-stats', big, { token });
    expect(stored.status).toBe(201);
    const refused = await service.api.post('/api/health-stats', { ...big, encrypted_data: 'x' }, { token });
    expectFailure(refused, 'quota_exceeded');
    expect(refused.body.error).toBe(
      `This account stores ${BYTES} bytes of data or more, which is all that it may: delete something first.`,
    );
    const update = await service.api.put(
      `/api/health-stats/${stored.body.id}`,
      { encrypted_data: 'y' },
      { token },
    );
    expectFailure(update, 'quota_exceeded');
    const path = `/api/profiles/${profileId}`;
    expectFailure(await service.api.put(path, { name_data: 'long' }, { token }), 'quota_exceeded');
    expect((await service.api.put(path, { relationship: 'child' }, { token })).status).toBe(200);
    await service.api.delete(`/api/health-stats/${stored.body.id}`, undefined, { token });
    expect((await service.api.put(path, { name_data: 'long' }, { token })).status).toBe(200);
    await expectExact(token);
  });

  it('are told apart from an If-Match that does not hold', async () => {
    const { token, profileId } = await aHousehold(service.api);
    const { id } = await aHealthStat(service.api, token, profileId, { encrypted_data: 'x'.repeat(BYTES) });
    const update = (tag: string) =>
      service.api.put(
        `/api/health-stats/${id}`,
        { encrypted_data: 'y' },
        { token, headers: { 'If-Match': tag } },
      );
    expectFailure(await update('"7"'), 'revision_mismatch');
    expectFailure(await update('"1"'), 'quota_exceeded');
  });
});

describe('bytes of a new account', () => {
  const DAYS = 4;
  let growing: TestService;
  beforeAll(async () => {
    const settings = { QUOTA_BYTES: String(BYTES), QUOTA_BYTES_NEW: '1000', QUOTA_DAYS: String(DAYS) };
    growing = await startService(settings);
  });
  afterAll(() => growing.stop());

  it('are few, and grow with its age, for creates, updates and the usage', async () => {
    const { token, profileId } = await aHousehold(growing.api);
    const isOld = (days: number) =>
      sql(
        growing.databaseUrl,
        `UPDATE accounts SET created_at = now() - $2 * interval '1 day' WHERE id = $1`,
        [holderOf(token), days],
      );
    const limit = async () => (await growing.api.get('/api/users/me/usage', { token })).body.max_bytes;
    const create = (bytes: number) =>
      growing.api.post(
        '/api/health-stats',
        { profile_id: profileId, encrypted_data: 'x'.repeat(bytes) },
        { token },
      );
    expect(await limit()).toBe(1000);
    const { body: first } = await create(1000);
    const refused = await create(1);
    expectFailure(refused, 'quota_exceeded');
    expect(refused.body.error).toBe(
      'This account stores 1000 bytes of data or more, which is all that a new account may. ' +
        `The limit grows to ${BYTES} bytes in its first ${DAYS} days.`,
    );
    const update = () =>
      growing.api.put(`/api/health-stats/${first.id}`, { encrypted_data: 'y'.repeat(1001) }, { token });
    expectFailure(await update(), 'quota_exceeded');
    await isOld(DAYS / 2);
    expect(await limit()).toBe(3000);
    expect((await update()).status).toBe(200);
    expect((await create(2000)).status).toBe(201);
    expectFailure(await create(1), 'quota_exceeded');
    await isOld(DAYS);
    expect(await limit()).toBe(BYTES);
    expect((await create(2000)).status).toBe(201);
    expect((await create(1)).body.error).toContain('delete something first');
    await isOld(1000);
    expect(await limit()).toBe(BYTES);
  });
});

describe('the count of what an account stores', () => {
  it('is exact after creates, updates, moves, deletions and cascades', async () => {
    const { token } = await anAccount(service.api, { default_profile_wrapped_dek: 'x'.repeat(64) });
    // The key, an empty name as JSON, kind and relationship.
    const bytes = 64 + 2 + 'human'.length + 'self'.length;
    expect(await expectExact(token)).toEqual({ records: 1, bytes });
    const [first, second] = [await aProfile(service.api, token), await aProfile(service.api, token)];
    const medication = await aMedication(service.api, token, first);
    await aDose(service.api, token, medication.id);
    const stat = await aHealthStat(service.api, token, first);
    expect((await expectExact(token)).records).toBe(6);
    const change = (body: object) => service.api.put(`/api/health-stats/${stat.id}`, body, { token });
    for (const body of [
      { encrypted_data: 'x' },
      { encrypted_data: 'x'.repeat(500) },
      { encrypted_data: 'é\u{1f436}' },
      { encrypted_data: 'moved', profile_id: second },
      { recorded_at: '2020-01-01T00:00:00Z' },
    ]) {
      expect((await change(body)).status).toBe(200);
      await expectExact(token);
    }
    await service.api.put(`/api/profiles/${first}`, { name_data: { ciphertext: 'abc' } }, { token });
    await expectExact(token);
    await service.api.delete(`/api/profiles/${first}`, undefined, { token });
    expect((await expectExact(token)).records).toBe(3);
  });

  it('is exact after many creates, updates and deletions at once', async () => {
    const { token, profileId } = await aHousehold(service.api);
    const stats = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        aHealthStat(service.api, token, profileId, { encrypted_data: 'x'.repeat(index + 1) }),
      ),
    );
    await Promise.all(
      stats.flatMap(({ id }, index) => [
        service.api.put(`/api/health-stats/${id}`, { encrypted_data: 'y'.repeat(2 * index + 1) }, { token }),
        ...(index % 2 ? [service.api.delete(`/api/health-stats/${id}`, undefined, { token })] : []),
      ]),
    );
    expect((await expectExact(token)).records).toBe(7);
  });

  it('lets parallel creates exceed the quota by no more than what was under way, and then none', async () => {
    const household = await aHousehold(service.api);
    await fill(household, RECORDS - 1);
    const log = () =>
      service.api.post(
        `/api/medications/${household.medicationId}/log`,
        { taken: true },
        { token: household.token },
      );
    const answers = await Promise.all(Array.from({ length: 40 }, log));
    const taken = answers.filter(({ status }) => status === 201).length;
    expect(taken).toBeGreaterThan(0);
    // One for each connection of the pool.
    expect(taken).toBeLessThanOrEqual(10);
    for (const answer of answers) if (answer.status !== 201) expectFailure(answer, 'quota_exceeded');
    expectFailure(await log(), 'quota_exceeded');
    expect((await expectExact(household.token)).records).toBe(RECORDS - 1 + taken);
  });

  it('goes with the account, also while it is being filled', async () => {
    const { token, password } = await anAccount(service.api);
    const profileId = await aProfile(service.api, token);
    const body = { profile_id: profileId, encrypted_data: 'x' };
    const creates = Array.from({ length: 12 }, () => service.api.post('/api/health-stats', body, { token }));
    const erased = await service.api.post('/api/users/me/delete', { current_password: password }, { token });
    expect(erased.status).toBe(204);
    for (const { status } of await Promise.all(creates)) expect([201, 401, 404]).toContain(status);
    for (const table of await accountTables(service.databaseUrl)) {
      const column = table === 'accounts' ? 'id' : 'account_id';
      const rows = await sql(service.databaseUrl, `SELECT 1 FROM ${table} WHERE ${column} = $1`, [
        holderOf(token),
      ]);
      expect([table, rows]).toEqual([table, []]);
    }
  });
});
