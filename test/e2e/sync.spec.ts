import { randomUUID } from 'node:crypto';
import { type Api, SERVICE_KINDS, SERVICE_REGISTRY, syncChecks } from '@app/testing';
import { Client } from 'pg';
import { runChecks } from '../support/checks';
import { sql } from '../support/databases';
import { aBlob, aDose, aHealthStat, anAccount, anAppointment } from '../support/factories';
import { aHousehold, type Household } from '../support/record-kinds';
import { startService, type TestService } from '../support/service';
import { until } from '../support/until';

interface Change {
  kind: string;
  id: string;
  record?: Record<string, unknown>;
  deleted?: true;
}

interface Page {
  epoch: string;
  cursor: string;
  has_more: boolean;
  changes: Change[];
}

let service: TestService;
let api: Api;
let household: Household;

beforeAll(async () => {
  service = await startService();
  api = service.api;
});
afterAll(() => service.stop());
beforeEach(async () => (household = await aHousehold(api)));

async function page(query: Record<string, string | number> = {}): Promise<Page> {
  const text = new URLSearchParams(
    Object.entries(query).map(([name, value]): [string, string] => [name, `${value}`]),
  );
  const answer = await api.get(`/api/sync?${text.toString()}`, { token: household.token });
  expect([answer.status, answer.text]).toEqual([200, expect.any(String)]);
  return answer.body;
}

const named = ({ changes }: Page) => changes.map(({ kind, id, deleted }) => [kind, id, deleted ?? false]);

describe('GET /api/sync', () => {
  it('holds the own record of an id that another account uses too', async () => {
    const other = await aHousehold(api);
    const id = randomUUID();
    const sent = new Map<Household, unknown>();
    for (const owner of [household, other]) {
      const encrypted_data = aBlob();
      sent.set(owner, encrypted_data);
      const body = { id, profile_id: owner.profileId, encrypted_data };
      expect((await api.post('/api/health-stats', body, { token: owner.token })).status).toBe(201);
    }
    const records = (await page()).changes.filter((change) => change.id === id).map(({ record }) => record);
    expect(records).toEqual([expect.objectContaining({ encrypted_data: sent.get(household) })]);
  });

  it('begins with everything that there is, in the order of the commits', async () => {
    const first = await page();
    const [profile, medication] = first.changes;
    expect(first.changes.length).toBe(2);
    expect(profile.record).toEqual(
      (await api.get(`/api/profiles/${household.profileId}`, { token: household.token })).body,
    );
    expect(medication.record).toEqual(
      (await api.get(`/api/medications/${household.medicationId}`, { token: household.token })).body,
    );
    expect(named(first)).toEqual([
      ['profile', household.profileId, false],
      ['medication', household.medicationId, false],
    ]);
    expect(first.has_more).toBe(false);
    expect(await page({ cursor: first.cursor })).toEqual({ ...first, changes: [] });
  });

  it('is empty for an account without records', async () => {
    const { token } = await anAccount(api);
    const answer = await api.get('/api/sync', { token });
    expect(answer.body).toMatchObject({ has_more: false, changes: [] });
    const again = await api.get(`/api/sync?cursor=${answer.body.cursor}`, { token });
    expect(again.body).toMatchObject({ has_more: false, changes: [] });
  });

  describe.each(SERVICE_KINDS)('tells of a $name:', (kind) => {
    runChecks(syncChecks(() => service, kind, SERVICE_REGISTRY));
  });

  it('tells each record of a deleted profile', async () => {
    const { token, profileId, medicationId } = household;
    const dose = await aDose(api, token, medicationId);
    const appointment = await anAppointment(api, token, profileId);
    const stat = await aHealthStat(api, token, profileId);
    const { cursor } = await page();
    await api.delete(`/api/profiles/${profileId}`, undefined, { token });
    const { changes } = await page({ cursor });
    expect(changes.every(({ deleted, record }) => deleted === true && record === undefined)).toBe(true);
    expect(changes.map(({ id }) => id).sort()).toEqual(
      [profileId, medicationId, dose.id, appointment.id, stat.id].sort(),
    );
  });

  it('is read in pages of any size, and nothing is missed where records change in between', async () => {
    const { token, profileId } = household;
    for (let count = 0; count < 9; count++) await aHealthStat(api, token, profileId);
    const seen = new Map<string, unknown>();
    let query: Record<string, string | number> = { limit: 3 };
    let pages = 0;
    for (;;) {
      const { changes, cursor, has_more: hasMore } = await page(query);
      expect(changes.length).toBeLessThanOrEqual(3);
      for (const { id, record } of changes) seen.set(id, record);
      if (pages++ === 0) await api.put(`/api/profiles/${profileId}`, { relationship: 'changed' }, { token });
      if (!hasMore) break;
      query = { limit: 3, cursor };
    }
    expect(pages).toBe(4);
    expect(seen.size).toBe(11);
    expect(seen.get(profileId)).toMatchObject({ relationship: 'changed', revision: 2 });
  });

  it('holds fewer changes in a page where the records are large, but at least one', async () => {
    const { token, profileId } = household;
    const encrypted_data = aBlob(190_000);
    for (let count = 0; count < 6; count++)
      await api.post('/api/health-stats', { profile_id: profileId, encrypted_data }, { token });
    const first = await page();
    expect(first.has_more).toBe(true);
    let count = first.changes.length;
    for (let { cursor, has_more: hasMore } = first; hasMore;) {
      const next = await page({ cursor });
      expect(next.changes.length).toBeLessThanOrEqual(2);
      count += next.changes.length;
      [cursor, hasMore] = [next.cursor, next.has_more];
    }
    expect(count).toBe(8);
  });

  it('keeps a record that was deleted and made again with the same id', async () => {
    const { token, profileId } = household;
    const id = randomUUID();
    const body = { id, profile_id: profileId, encrypted_data: aBlob() };
    const { cursor } = await page();
    await api.post('/api/health-stats', body, { token });
    await api.delete(`/api/health-stats/${id}`, undefined, { token });
    const again = await api.post('/api/health-stats', body, { token });
    expect((await page({ cursor })).changes).toEqual([{ kind: 'health_stat', id, record: again.body }]);
  });

  it('does not tell of a create that was repeated or refused', async () => {
    const { token, profileId } = household;
    const options = { token, headers: { 'Idempotency-Key': randomUUID() } };
    const body = { profile_id: profileId, encrypted_data: aBlob() };
    await api.post('/api/health-stats', body, options);
    const { cursor } = await page();
    expect((await api.post('/api/health-stats', body, options)).status).toBe(201);
    expect(
      (await api.post('/api/health-stats', { ...body, profile_id: randomUUID() }, { token })).status,
    ).toBe(404);
    expect((await page({ cursor })).changes).toEqual([]);
  });
});

it('reads one large page of an account at a time, and no other account waits for it', async () => {
  const other = await aHousehold(api);
  for (const { token, profileId } of [household, other])
    await api.post('/api/health-stats', { profile_id: profileId, encrypted_data: aBlob(190_000) }, { token });
  const read = ({ token }: { token: string }) => api.get('/api/sync', { token });
  const senders = [household, household, household, other];
  // Opens the connections of the pool: if one has to be opened, its reader comes late.
  await Promise.all(senders.map(read));
  const blocker = new Client({ connectionString: service.databaseUrl });
  await blocker.connect();
  try {
    await blocker.query('BEGIN; LOCK TABLE health_stats IN ACCESS EXCLUSIVE MODE');
    const answers = senders.map(read);
    const waiting = `SELECT 1 FROM pg_locks WHERE NOT granted AND relation = 'health_stats'::regclass`;
    await until('both accounts read', async () => (await blocker.query(waiting)).rowCount! >= 2);
    // A further reader would be here by now.
    for (let count = 0; count < 5; count++) await read({ token: 'none' });
    expect((await blocker.query(waiting)).rowCount).toBe(2);
    await blocker.query('COMMIT');
    expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  } finally {
    await blocker.end();
  }
});

describe('a cursor', () => {
  const refusal = async (cursor: string, token = household.token) => {
    const { status, body } = await api.get(`/api/sync?cursor=${encodeURIComponent(cursor)}`, { token });
    return [status, body.code];
  };

  it('that is none is refused', async () => {
    expect(await refusal('none')).toEqual([400, 'validation_failed']);
    expect(await refusal('x'.repeat(1000))).toEqual([400, 'validation_failed']);
  });

  it('of another account asks for a new beginning', async () => {
    const { cursor } = await page();
    const { token } = await anAccount(api);
    expect(await refusal(cursor, token)).toEqual([410, 'sync_reset']);
  });

  it('of another epoch asks for a new beginning, and the new epoch is told', async () => {
    const before = await page();
    expect((await api.get('/readyz')).body.epoch).toBe(before.epoch);
    await sql(
      service.databaseUrl,
      "INSERT INTO epochs (id, started_at) VALUES ('abcdef012345', now() + interval '1 second')",
    );
    try {
      expect(await refusal(before.cursor)).toEqual([410, 'sync_reset']);
      const after = await page();
      expect(after.epoch).not.toBe(before.epoch);
      expect((await api.get('/readyz')).body.epoch).toBe(after.epoch);
    } finally {
      await sql(service.databaseUrl, 'DELETE FROM epochs WHERE id <> $1', [before.epoch]);
    }
  });

  it('beyond the end asks for a new beginning', async () => {
    const { cursor } = await page();
    await sql(service.databaseUrl, 'UPDATE account_usage SET last_change = 1');
    expect(await refusal(cursor)).toEqual([410, 'sync_reset']);
  });
});
