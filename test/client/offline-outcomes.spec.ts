import { randomUUID } from 'node:crypto';
import { type HealthRecordsClient, OutboxNotEmptyError, questionsOf } from '@app/client';
import { offlineStore, type RowStore } from '@app/client/offline';
import { memoryRows } from '../../libs/client/src/offline/row-store';
import { sql } from '../support/databases';
import { aPhoneAndATablet } from '../support/devices';
import { openClient, type Person } from '../support/people';
import { startService, type TestService } from '../support/service';

/** What a client with an outbox does when something else has happened in the meantime: README, "Offline". */
let service: TestService;
let person: Person;
let phone: HealthRecordsClient;
let tablet: HealthRecordsClient;
let rows: RowStore;

beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());
beforeEach(async () => {
  rows = memoryRows();
  ({ person, phone, tablet } = await aPhoneAndATablet(service.api.url, { offline: offlineStore(rows) }));
});

const canary = () => `Canary ${randomUUID()}`;
const medication = (name = 'Ibuprofen', profileId = person.profileId) => ({
  profileId,
  route: 'oral',
  schedule: null,
  details: { name },
});
const onlyProblem = (device: HealthRecordsClient) => {
  expect(device.sync.status.problems).toHaveLength(1);
  return device.sync.status.problems[0];
};

const DAY_MS = 86_400_000;
/** What a change does while the clock of the device is wrong. Nothing is sent meanwhile: the service has its own. */
async function withClockWrongBy<T>(ms: number, run: () => Promise<T>): Promise<T> {
  jest.useFakeTimers({ now: Date.now() + ms, doNotFake: [...TIMERS] });
  try {
    return await run();
  } finally {
    jest.useRealTimers();
  }
}
const TIMERS = [
  'hrtime',
  'nextTick',
  'performance',
  'queueMicrotask',
  'setImmediate',
  'clearImmediate',
  'setInterval',
  'clearInterval',
  'setTimeout',
  'clearTimeout',
] as const;

/** A medication that both devices know. */
async function shared() {
  const created = await phone.medications.create(medication());
  await phone.sync.now();
  await tablet.sync.now();
  return await tablet.medications.get(created.id);
}

it('a record deleted here and changed elsewhere stays, and the person decides', async () => {
  const record = await shared();
  await tablet.medications.update(record, { details: { notes: 'changed' } });
  await tablet.sync.now();
  await phone.medications.delete(await phone.medications.get(record.id));
  expect(await phone.medications.list()).toEqual([]);
  await phone.sync.now();
  expect(await phone.medications.list()).toMatchObject([{ details: { notes: 'changed' } }]);
  const problem = onlyProblem(phone);
  expect(problem).toMatchObject({ kind: 'medication', recordId: record.id, code: 'changed_elsewhere' });
  await phone.sync.resolve(problem.id, 'retry');
  expect(await phone.sync.now()).toMatchObject({ pending: 0, problems: [] });
  await tablet.sync.now();
  expect(await tablet.medications.list()).toEqual([]);
});

it('a profile deleted elsewhere with writes in the outbox: the person keeps all of it', async () => {
  const { id: profileId } = await tablet.profiles.create({ kind: 'pet', details: { name: 'Rex' } });
  await tablet.sync.now();
  await phone.sync.now();
  const { id } = await phone.medications.create(medication('Pill', profileId));
  await phone.medications.logDose(id, { taken: true });
  await tablet.profiles.delete(profileId);
  await tablet.sync.now();
  await phone.sync.now();
  const problem = onlyProblem(phone);
  expect(problem).toMatchObject({ recordId: id, code: 'deleted_elsewhere' });
  expect(phone.sync.status.pending).toBe(2);
  await phone.sync.resolve(problem.id, 'keep');
  await phone.sync.now();
  expect(await phone.sync.now()).toMatchObject({ pending: 0, problems: [] });
  await tablet.sync.now();
  expect((await tablet.profiles.get(profileId)).details.name).toBe('Rex');
  expect((await tablet.medications.list({ profileId })).map(({ details }) => details.name)).toEqual(['Pill']);
  expect(await tablet.medications.doses(id)).toHaveLength(1);
});

it('a refused write waits for the person, and others are sent', async () => {
  const record = await shared();
  const tomorrow = new Date(Date.now() + 86_400_000);
  await phone.medications.logDose(record.id, { taken: true, loggedAt: tomorrow });
  await phone.medications.create(medication('Other'));
  expect(await phone.sync.now()).toMatchObject({ state: 'idle', pending: 1 });
  const problem = onlyProblem(phone);
  expect(problem).toMatchObject({ kind: 'dose', code: 'validation_failed' });
  await phone.sync.resolve(problem.id, 'discard');
  expect(phone.sync.status).toMatchObject({ pending: 0, problems: [] });
});

it('a record that was deleted elsewhere and is kept here is newer than its deletion', async () => {
  const { id } = await shared();
  await phone.medications.logDose(id, { taken: true });
  await tablet.medications.delete(await tablet.medications.get(id));
  for (const device of [tablet, phone]) await device.sync.now();
  await phone.sync.resolve(onlyProblem(phone).id, 'keep');
  for (const device of [phone, phone]) await device.sync.now();
  expect(phone.sync.status).toMatchObject({ pending: 0, problems: [] });
  const fresh = openClient(service.api.url);
  await fresh.login(person.email, person.password);
  expect((await fresh.medications.get(id)).lineage.generation).toBe(3);
  expect(await fresh.medications.doses(id)).toHaveLength(1);
});

it('a clock that is wrong by a day: a future dose is refused, and no value of a conflict is lost', async () => {
  const { id } = await shared();
  await withClockWrongBy(DAY_MS, async () => {
    await phone.medications.logDose(id, { taken: true });
    await phone.medications.update(await phone.medications.get(id), { details: { strength: '200 mg' } });
  });
  await tablet.medications.update(await tablet.medications.get(id), { details: { strength: '800 mg' } });
  for (const device of [tablet, phone, tablet]) await device.sync.now();
  const problem = onlyProblem(phone);
  expect(problem).toMatchObject({ kind: 'dose', code: 'validation_failed' });
  await phone.sync.resolve(problem.id, 'discard');
  for (const device of [phone, tablet]) {
    const merged = await device.medications.get(id);
    // A time a day ahead is no later time.
    expect(merged.details.strength).toBe('800 mg');
    const fields = [{ field: 'details.strength', standing: '800 mg', other: '200 mg' }];
    expect(questionsOf(merged)).toMatchObject([{ unit: 'medicine', fields }]);
  }
  await withClockWrongBy(-DAY_MS, () => phone.medications.logDose(id, { taken: true }));
  for (const device of [phone, tablet]) await device.sync.now();
  expect(phone.sync.status).toMatchObject({ pending: 0, problems: [] });
  const [dose] = await tablet.medications.doses(id);
  expect(Date.parse(dose.loggedAt)).toBeLessThan(Date.now() - DAY_MS / 2);
});

it('a restored service: nothing is deleted here, and the outbox arrives', async () => {
  const record = await shared();
  const lost = await phone.medications.create(medication('Lost by the restore'));
  await phone.sync.now();
  await phone.medications.update(await phone.medications.get(record.id), {
    details: { notes: 'in the outbox' },
  });
  await sql(
    service.databaseUrl,
    `INSERT INTO epochs (id, started_at) SELECT substr(md5(random()::text), 1, 12), max(started_at) + interval '1 second' FROM epochs`,
  );
  await sql(service.databaseUrl, 'DELETE FROM medications WHERE id = $1', [lost.id]);
  await sql(service.databaseUrl, 'DELETE FROM changes WHERE record_id = $1', [lost.id]);
  await phone.sync.now();
  expect((await phone.medications.list()).map(({ details }) => details.name).sort()).toEqual([
    'Ibuprofen',
    'Lost by the restore',
  ]);
  const problem = onlyProblem(phone);
  expect(problem).toMatchObject({ recordId: lost.id, code: 'missing_after_reset' });
  await phone.sync.resolve(problem.id, 'keep');
  expect(await phone.sync.now()).toMatchObject({ pending: 0, problems: [] });
  await tablet.sync.now();
  expect((await tablet.medications.get(record.id)).details.notes).toBe('in the outbox');
  expect((await tablet.medications.get(lost.id)).details.name).toBe('Lost by the restore');
});

it('a sign-out with unsent writes is refused; what remains after it is nothing', async () => {
  const name = canary();
  await phone.medications.create(medication(name));
  const readRaw = async () => JSON.stringify((await rows.read(0)).rows);
  expect(await readRaw()).toContain('outbox');
  expect(await readRaw()).not.toContain('Canary');
  await expect(phone.logout()).rejects.toThrow(OutboxNotEmptyError);
  expect(phone.state).toBe('unlocked');
  phone.lock();
  await expect(phone.medications.list()).rejects.toMatchObject({ code: 'locked' });
  await expect(phone.logout()).rejects.toThrow(OutboxNotEmptyError);
  await phone.logout({ force: true });
  expect((await rows.read(0)).rows).toEqual([]);
  expect(await rows.readPart('account')).toBeUndefined();
});
