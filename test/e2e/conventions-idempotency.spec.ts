import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { HealthStatsRepository } from '../../apps/api/src/health-stats/health-stats.repository';
import { sql } from '../support/databases';
import { aMedication, aRegistration } from '../support/factories';
import { expectFailure } from '../support/failures';
import {
  aHousehold,
  deleteRecord,
  type Household,
  RECORD_KINDS,
  type RecordKind,
  REVISED_KINDS,
  updateRecord,
} from '../support/record-kinds';
import { startService, type TestService } from '../support/service';
import { tablesHolding } from '../support/tables';

let service: TestService;
beforeAll(async () => (service = await startService()));
afterAll(() => service.stop());

const create = (kind: RecordKind, household: Household, key: string | undefined, body: unknown) =>
  service.api.post(kind.collection(household), body, {
    token: household.token,
    headers: key === undefined ? {} : { 'Idempotency-Key': key },
  });

const listOf = async (kind: RecordKind, household: Household): Promise<Record<string, unknown>[]> =>
  (await service.api.get(kind.collection(household), { token: household.token })).body;

it('never says that an id is taken which nobody has sent: what was in the way may have gone', async () => {
  const household = await aHousehold(service.api);
  const [kind] = RECORD_KINDS.filter(({ name }) => name === 'health statistic');
  const body = kind.body(household);
  const first = await create(kind, household, 'k', body);
  // As if the record were deleted after the create has met it.
  const replay = jest
    .spyOn(HealthStatsRepository.prototype as any, 'replay')
    .mockResolvedValueOnce(undefined);
  const again = await create(kind, household, 'k', body);
  expect([again.status, again.body?.id]).toEqual([201, first.body.id]);
  replay.mockResolvedValue(undefined);
  expectFailure(await create(kind, household, 'k', body), 'overloaded');
  replay.mockRestore();
});

describe.each(RECORD_KINDS)('the Idempotency-Key of a $name', (kind) => {
  it('makes a repeat answer with the record, and says so', async () => {
    const household = await aHousehold(service.api);
    const [key, body, before] = [randomUUID(), kind.body(household), await listOf(kind, household)];
    const first = await create(kind, household, key, body);
    expect([first.status, first.headers.get('idempotency-replayed')]).toEqual([201, null]);
    for (let repeat = 0; repeat < 2; repeat++) {
      const again = await create(kind, household, key, body);
      expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([201, 'true']);
      expect(again.body).toEqual(first.body);
      expect(again.headers.get('etag')).toBe(first.headers.get('etag'));
    }
    expect(await listOf(kind, household)).toHaveLength(before.length + 1);
  });

  it('makes a repeat with an id of the client answer with the record, not that the id is taken', async () => {
    const household = await aHousehold(service.api);
    const body = { ...kind.body(household), [kind.idField]: randomUUID() };
    const first = await create(kind, household, 'k', body);
    const again = await create(kind, household, 'k', body);
    expect([again.status, again.body]).toEqual([201, first.body]);
    expectFailure(await create(kind, household, 'another', body), 'id_taken');
  });

  it('is refused with another body, and nothing is created', async () => {
    const household = await aHousehold(service.api);
    await create(kind, household, 'k', kind.body(household));
    const before = await listOf(kind, household);
    const other = { ...kind.body(household), [kind.idField]: randomUUID() };
    expectFailure(await create(kind, household, 'k', other), 'idempotency_conflict');
    expect(await listOf(kind, household)).toEqual(before);
  });

  it('is scoped to the account', async () => {
    const households = [await aHousehold(service.api), await aHousehold(service.api)];
    for (const household of households) {
      const answer = await create(kind, household, 'k', kind.body(household));
      expect([answer.status, answer.headers.get('idempotency-replayed')]).toEqual([201, null]);
    }
  });

  it('is not spent by a request that was refused', async () => {
    const household = await aHousehold(service.api);
    expectFailure(await create(kind, household, 'k', {}), 'validation_failed');
    expectFailure(await create(kind, household, 'k', '{'), 'malformed_json');
    const answer = await create(kind, household, 'k', kind.body(household));
    expect([answer.status, answer.headers.get('idempotency-replayed')]).toEqual([201, null]);
  });

  it('is erased with the record', async () => {
    const household = await aHousehold(service.api);
    const body = kind.body(household);
    const first = await create(kind, household, 'k', body);
    await deleteRecord(service.api, kind, household, first.body[kind.idField]);
    const again = await create(kind, household, 'k', body);
    expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([201, null]);
    expect(again.body[kind.idField]).not.toBe(first.body[kind.idField]);
  });

  it('counts for 24 hours', async () => {
    const household = await aHousehold(service.api);
    const body = kind.body(household);
    const first = await create(kind, household, 'k', body);
    const age = (interval: string) =>
      sql(
        service.databaseUrl,
        `UPDATE ${kind.table} SET created_at = now() - interval '${interval}' WHERE id = $1`,
        [first.body[kind.idField]],
      );
    await age('23 hours 59 minutes');
    const inTime = await create(kind, household, 'k', body);
    expect(inTime.body[kind.idField]).toBe(first.body[kind.idField]);
    await age('24 hours 1 second');
    const late = await create(kind, household, 'k', body);
    expect([late.status, late.headers.get('idempotency-replayed')]).toEqual([201, null]);
    expect(late.body[kind.idField]).not.toBe(first.body[kind.idField]);
    const again = await create(kind, household, 'k', body);
    expect(again.body).toEqual(late.body);
    expect((await listOf(kind, household)).map((record) => record[kind.idField])).toContain(
      first.body[kind.idField],
    );
  });

  it('makes 20 requests at once create one record and answer alike', async () => {
    const household = await aHousehold(service.api);
    const [body, before] = [kind.body(household), await listOf(kind, household)];
    const answers = await Promise.all(Array.from({ length: 20 }, () => create(kind, household, 'k', body)));
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(201));
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    const replayed = answers.filter(({ headers }) => headers.get('idempotency-replayed') === 'true');
    expect(replayed).toHaveLength(19);
    expect(await listOf(kind, household)).toHaveLength(before.length + 1);
  });

  it('may be any visible ASCII, of 1 to 255 characters', async () => {
    const household = await aHousehold(service.api);
    for (const key of ['!', '~'.repeat(255), '"a,b;c=d"', '__proto__']) {
      expect((await create(kind, household, key, kind.body(household))).status).toBe(201);
    }
  });

  it.each(['', 'x'.repeat(256), 'a b', 'a\tb', '\u00e9'])('is refused as %j', async (key) => {
    const household = await aHousehold(service.api);
    const before = await listOf(kind, household);
    const answer = await create(kind, household, key, kind.body(household));
    expectFailure(answer, 'validation_failed', 'Idempotency-Key');
    expect(await listOf(kind, household)).toEqual(before);
  });
});

describe('an Idempotency-Key', () => {
  it('is scoped to the path', async () => {
    const household = await aHousehold(service.api);
    const medicationId = (await aMedication(service.api, household.token, household.profileId)).id;
    const other = { ...household, medicationId };
    const dose = RECORD_KINDS.find(({ name }) => name === 'dose')!;
    for (const [kind, under] of [
      ...RECORD_KINDS.map((each): [RecordKind, Household] => [each, household]),
      [dose, other] as const,
    ]) {
      const answer = await create(kind, under, 'one-key-for-all', kind.body(under));
      expect([answer.status, answer.headers.get('idempotency-replayed')]).toEqual([201, null]);
    }
  });

  it.each(REVISED_KINDS)('answers with the $name as it is now', async (kind) => {
    const household = await aHousehold(service.api);
    const body = kind.body(household);
    const { [kind.idField]: id } = (await create(kind, household, 'k', body)).body;
    const { body: updated } = await updateRecord(service.api, kind, household, id, kind.update!.change());
    const again = await create(kind, household, 'k', body);
    expect([again.status, again.body, again.headers.get('etag')]).toEqual([201, updated, '"2"']);
  });

  it('is kept as a hash, and so is the body', async () => {
    const household = await aHousehold(service.api);
    const [key, marker] = [randomUUID(), randomUUID()];
    const dose = RECORD_KINDS.find(({ name }) => name === 'dose')!;
    await create(dose, household, key, `{"taken":true, "id":"${marker}"}`);
    expect(await tablesHolding(service.databaseUrl, key)).toEqual([]);
    expect(await tablesHolding(service.databaseUrl, `"id":"${marker}"`)).toEqual([]);
    expect(await tablesHolding(service.databaseUrl, marker)).toEqual(['doses']);
  });

  it('means nothing to register', async () => {
    const registration = aRegistration();
    const register = () =>
      service.api.post('/api/auth/register', registration, { headers: { 'Idempotency-Key': 'k' } });
    expect((await register()).status).toBe(201);
    expectFailure(await register(), 'email_taken');
  });

  describe('of a request that is under way', () => {
    const dose = RECORD_KINDS.find(({ name }) => name === 'dose')!;
    let blocker: Client;
    beforeEach(async () => {
      blocker = new Client({ connectionString: service.databaseUrl });
      await blocker.connect();
      // Whoever writes a dose now waits, as behind a slow disk.
      await blocker.query('BEGIN; LOCK TABLE doses IN SHARE MODE');
    });
    afterEach(() => blocker.end());

    const waiting = async (count: number) => {
      for (let found = -1; found !== count;) {
        const { rows } = await blocker.query(
          `SELECT count(*)::int AS found FROM pg_locks WHERE NOT granted AND relation = 'doses'::regclass`,
        );
        found = rows[0].found;
      }
    };

    it('lets a repeat wait for it', async () => {
      const household = await aHousehold(service.api);
      const body = dose.body(household);
      const both = Promise.all([create(dose, household, 'k', body), create(dose, household, 'k', body)]);
      await waiting(2);
      await blocker.query('COMMIT');
      const [one, other] = await both;
      expect([one.status, other.status]).toEqual([201, 201]);
      expect(one.body).toEqual(other.body);
      expect(await listOf(dose, household)).toEqual([one.body]);
    });

    it('lets no repeat wait for ever', async () => {
      const household = await aHousehold(service.api);
      const body = dose.body(household);
      const both = await Promise.all([
        create(dose, household, 'k', body),
        create(dose, household, 'k', body),
      ]);
      for (const answer of both) expectFailure(answer, 'overloaded');
      await blocker.query('COMMIT');
      expect((await create(dose, household, 'k', body)).status).toBe(201);
    });
  });
});
