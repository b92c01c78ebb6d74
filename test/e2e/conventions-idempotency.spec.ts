import { Database } from '@app/database';
import {
  aRecord,
  createRecord,
  expectFailure,
  listRecords,
  type KindUnderTest,
  tablesHolding,
  updateRecord,
} from '@app/testing';
import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { HealthStatsRepository } from '../../apps/api/src/health-stats/health-stats.repository';
import { aBlob, aRegistration } from '../support/factories';
import { aHousehold, type Household, kindNamed } from '../support/record-kinds';
import { type ServiceHere, startServiceHere } from '../support/service-here';

let service: ServiceHere;
beforeAll(async () => (service = await startServiceHere()));
afterAll(() => service.stop());

const create = (kind: KindUnderTest, household: Household, key: string, body: unknown) =>
  createRecord(service.api, kind, household, body, { headers: { 'Idempotency-Key': key } });

it('never says that an id is taken which nobody has sent: what was in the way may have gone', async () => {
  const household = await aHousehold(service.api);
  const kind = kindNamed('health statistic');
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

it('updates a record that came into being between the update and the look at why it changed nothing', async () => {
  const household = await aHousehold(service.api);
  const kind = kindNamed('health statistic');
  const { id } = await aRecord(service.api, kind, household);
  jest.spyOn(service.app.get(Database), 'query').mockResolvedValueOnce([]);
  const { status, body } = await updateRecord(service.api, kind, household, id, { encrypted_data: aBlob() });
  expect([status, body.revision]).toEqual([200, 2]);
});

describe('an Idempotency-Key', () => {
  it('is kept as a hash, and so is the body', async () => {
    const household = await aHousehold(service.api);
    const [key, marker] = [randomUUID(), randomUUID()];
    const dose = kindNamed('dose');
    await create(dose, household, key, `{"taken":true, "id":"${marker}"}`);
    expect(await tablesHolding(service.databaseUrl, key)).toEqual([]);
    expect(await tablesHolding(service.databaseUrl, `"id":"${marker}"`)).toEqual([]);
    expect(await tablesHolding(service.databaseUrl, marker)).toEqual(['changes', 'doses']);
  });

  it('means nothing to register', async () => {
    const registration = aRegistration();
    const register = () =>
      service.api.post('/api/auth/register', registration, { headers: { 'Idempotency-Key': 'k' } });
    expect((await register()).status).toBe(201);
    expectFailure(await register(), 'email_taken');
  });

  describe('of a request that is under way', () => {
    const dose = kindNamed('dose');
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
      expect(await listRecords(service.api, dose, household)).toEqual([one.body]);
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
