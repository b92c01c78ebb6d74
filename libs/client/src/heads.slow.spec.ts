/** A service that rolls back between two sessions: the head of a profile, or of this device, detects it. */
import type { HealthRecordsClient } from './client';
import type { MissingRecordsError, RolledBackError } from './errors';
import type { Medication } from './records/record-types';
import { WebStorageHeadStore } from './records/head-store';
import { loggedIn, registered } from './testing/fake-client';
import type { FakeService } from './testing/fake-service';

type Stored = Record<string, any>;
let service: FakeService;
let client: HealthRecordsClient;
let profileId: string;
let medication: Medication;

beforeEach(async () => {
  ({ service, client, profileId } = await registered());
  medication = await create('Warfarin');
});

const create = (name: string, id?: string) =>
  client.medications.create({
    profileId,
    route: 'oral',
    schedule: null,
    details: { name },
    ...(id ? { id } : {}),
  });
const rows = (name: string) => service.records.get(name)!;
const row = (name: string, id: string): Stored =>
  rows(name).find((each) => each.id === id || each.profile_id === id)!;
const rolledBack = (id: string) =>
  expect.objectContaining({ code: 'rolled_back', record: expect.objectContaining({ id }) });
const failureOf = (promise: Promise<unknown>) =>
  promise.then(
    () => undefined,
    (error: unknown) => error as RolledBackError<Medication>,
  );

/** A storage that outlives every session of a device. */
function aDevice() {
  const stored = new Map<string, string>();
  const storage = {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => void stored.set(key, value),
  };
  return { stored, headStore: new WebStorageHeadStore(storage) };
}

it('a rolled-back record is refused by a device that has never seen it, and the person can decide', async () => {
  const before = structuredClone(row('medications', medication.id));
  await client.medications.update(medication, { details: { notes: 'half the dose' } });
  // The old content, under whatever revision the service likes.
  Object.assign(row('medications', medication.id), before, { revision: 7 });

  const { client: other } = await loggedIn(service);
  const error = await failureOf(other.medications.get(medication.id));
  expect(error).toEqual(rolledBack(medication.id));
  expect(error!.found.details).toEqual({ name: 'Warfarin' });
  await expect(other.medications.list()).rejects.toEqual(rolledBack(medication.id));
  await expect(other.transfer.exportAll()).rejects.toEqual(rolledBack(medication.id));
  const told: string[] = [];
  const onUnreadable = ({ id }: { id: string }) => told.push(id);
  expect([await other.medications.list({}, { onUnreadable }), told]).toEqual([[], [medication.id]]);
  expect(row('medications', medication.id)).toMatchObject({ revision: 7 });

  // The person keeps the old state: it becomes the newest, for every device.
  const kept = await other.medications.update(error!.found, {});
  expect(kept.lineage.generation).toBe(3);
  const { client: third } = await loggedIn(service);
  expect(await third.medications.list()).toHaveLength(1);
});

it('a deleted record does not come back, and a backup can bring it back', async () => {
  const gone = structuredClone(row('medications', medication.id));
  const byId = await create('Aspirin');
  const alsoGone = structuredClone(row('medications', byId.id));
  await client.medications.delete(medication);
  await client.medications.delete(byId.id);
  rows('medications').push(gone, alsoGone);
  const { client: other } = await loggedIn(service);
  await expect(other.medications.get(medication.id)).rejects.toEqual(rolledBack(medication.id));
  const error = await failureOf(other.medications.get(byId.id));
  expect(error).toEqual(rolledBack(byId.id));
  await other.medications.delete(error!.found);

  service.records.set('medications', []);
  const restored = await create('Warfarin', medication.id);
  expect(restored.lineage.generation).toBe(3);
  const { client: third } = await loggedIn(service);
  expect(await third.medications.list()).toHaveLength(1);
});

describe('a record that a head lists, left out by the service', () => {
  const missing = (id: string) =>
    expect.objectContaining({ code: 'records_missing', missing: [{ kind: 'medication', id }] });
  let second: Medication;

  beforeEach(async () => {
    second = await create('Aspirin');
    // The head that is sealed with a change lists both.
    await client.medications.update(medication, { details: { notes: 'half the dose' } });
  });

  it.each([
    ['everywhere', () => service.records.set('medications', [row('medications', medication.id)])],
    [
      'in lists only',
      () => {
        service.tamper = ({ path }, answer) =>
          path === '/api/medications'
            ? { ...answer, body: (answer.body as Stored[]).filter(({ id }) => id !== second.id) }
            : answer;
      },
    ],
  ])('%s, before a device that has seen nothing yet', async (_where, lie) => {
    lie();
    const { client: other } = await loggedIn(service);
    await expect(other.medications.list()).rejects.toEqual(missing(second.id));
    const { client: third } = await loggedIn(service);
    const error = await failureOf(third.medications.list({ profileId }));
    expect(error).toEqual(missing(second.id));
    // The person agrees.
    (error as unknown as MissingRecordsError).accept();
    expect(await third.medications.list({ profileId })).toHaveLength(1);
  });

  it('so that nothing is left', async () => {
    service.records.set('medications', []);
    const { client: other } = await loggedIn(service);
    for (const filter of [{}, { profileId }]) {
      await expect(other.medications.list(filter)).rejects.toMatchObject({ code: 'records_missing' });
    }
  });

  it('is gone for every device once a person has agreed, and the next change seals that', async () => {
    service.records.set('medications', [row('medications', medication.id)]);
    const { client: other } = await loggedIn(service);
    const error = await failureOf(other.medications.list());
    (error as unknown as MissingRecordsError).accept();
    const [left] = await other.medications.list();
    await other.medications.update(left, { details: { notes: 'a whole one' } });
    const { client: third } = await loggedIn(service);
    expect(await third.medications.list()).toHaveLength(1);
  });

  it('raises no alarm for a reading out of the period, nor for what others have just deleted or moved', async () => {
    const { client: other } = await loggedIn(service);
    const weight = { metric: 'weight', values: { value: 70 }, unit: 'kg' };
    const stat = await client.healthStats.create({ profileId, details: weight });
    await client.healthStats.update(stat, { details: { values: { value: 71 } } });
    // The service in memory has no such filter.
    service.tamper = ({ query }, answer) =>
      query.has('recorded_from') || query.has('recorded_to') ? { ...answer, body: [] } : answer;
    for (const period of [
      { recordedFrom: new Date(Date.now() + 60_000) },
      { recordedTo: new Date(Date.now() - 60_000) },
    ]) {
      expect(await other.healthStats.list({ profileId, ...period })).toEqual([]);
    }
    const pet = await client.profiles.create({ kind: 'pet', relationship: 'dog', details: { name: 'Rex' } });
    await client.medications.update(second, { profileId: pet.id });
    expect(await other.medications.list({ profileId })).toHaveLength(1);
    await client.medications.delete(medication.id);
    expect(await other.medications.list({ profileId })).toEqual([]);
    await client.profiles.delete(profileId);
    service.records.set('medications', [row('medications', second.id)]);
    expect(await client.medications.list()).toHaveLength(1);
    expect(await other.medications.list()).toHaveLength(1);
  });
});

it('a record that was moved is refused in its old profile', async () => {
  const pet = await client.profiles.create({ kind: 'pet', relationship: 'dog', details: { name: 'Rex' } });
  const before = structuredClone(row('medications', medication.id));
  await client.medications.update(medication, { profileId: pet.id });
  Object.assign(row('medications', medication.id), before);
  const { client: other } = await loggedIn(service);
  await expect(other.medications.get(medication.id)).rejects.toEqual(rolledBack(medication.id));
});

it('a whole profile that goes back is noticed by a device that remembers', async () => {
  const { stored, headStore } = aDevice();
  const { client: device } = await loggedIn(service, { headStore });
  const before = structuredClone([row('medications', medication.id), row('profiles', profileId)]);
  await device.medications.update(await device.medications.get(medication.id), { details: { notes: 'new' } });
  expect([...stored.values()].join()).not.toMatch(medication.id);
  Object.assign(row('medications', medication.id), before[0]);
  Object.assign(row('profiles', profileId), before[1]);

  const { client: fresh } = await loggedIn(service);
  expect((await fresh.medications.get(medication.id)).details.notes).toBeUndefined();
  const { client: later } = await loggedIn(service, { headStore });
  await expect(later.profiles.list()).rejects.toEqual(rolledBack(profileId));
  await expect(later.medications.get(medication.id)).rejects.toEqual(rolledBack(medication.id));
  // A name that is gone, too.
  Object.assign(row('profiles', profileId), { name_data: '', name_iv: '', revision: 1 });
  const { client: last } = await loggedIn(service, { headStore });
  await expect(last.profiles.get(profileId)).rejects.toMatchObject({ code: 'tampered' });
});

it('a state that this device has only read is remembered, also where no head could be sealed', async () => {
  const { headStore } = aDevice();
  const before = structuredClone(row('medications', medication.id));
  service.intercept = ({ method, path }) =>
    method === 'PUT' && path.startsWith('/api/profiles/')
      ? { status: 500, body: { error: 'It fails.', code: 'internal', request_id: 'r' } }
      : undefined;
  await client.medications.update(medication, { details: { notes: 'a' } });
  service.intercept = undefined;
  const { client: device } = await loggedIn(service, { headStore });
  await device.medications.list();
  Object.assign(row('medications', medication.id), before, { revision: 7 });
  const { client: later } = await loggedIn(service, { headStore });
  await expect(later.medications.list()).rejects.toEqual(rolledBack(medication.id));
});

it('a deleted profile does not come back on a device that remembers, and can be imported anew', async () => {
  const { headStore } = aDevice();
  const { client: device } = await loggedIn(service, { headStore });
  const document = await device.transfer.exportAll();
  const gone = structuredClone(row('profiles', profileId));
  await device.profiles.delete(profileId);
  rows('profiles').push(gone);
  const { client: later } = await loggedIn(service, { headStore });
  await expect(later.profiles.get(profileId)).rejects.toEqual(rolledBack(profileId));

  service.records.set('profiles', []);
  service.records.set('medications', []);
  await device.transfer.importAll(document);
  expect(await device.medications.list()).toHaveLength(1);
});

it('two devices that write at once lose nothing of each other, and raise no alarm', async () => {
  const { client: other } = await loggedIn(service);
  const second = await create('Aspirin');
  const before = structuredClone(rows('medications'));
  await other.medications.list();
  await Promise.all([
    client.medications.update(medication, { details: { notes: 'a' } }),
    other.medications.update(second, { details: { notes: 'b' } }),
  ]);
  expect(await client.medications.list()).toHaveLength(2);
  expect(await other.medications.list()).toHaveLength(2);
  for (const each of before) Object.assign(row('medications', String(each.id)), each);
  const { client: third } = await loggedIn(service);
  await expect(third.medications.get(medication.id)).rejects.toEqual(rolledBack(medication.id));
  await expect(third.medications.get(second.id)).rejects.toEqual(rolledBack(second.id));
});

it('a person who edits a profile meets no conflict because its head has moved', async () => {
  const profile = await client.profiles.get(profileId);
  await client.medications.update(medication, { details: { notes: 'a' } });
  const updated = await client.profiles.update(profile, { details: { notes: 'b' } });
  expect(updated).toMatchObject({ details: { notes: 'b' }, revision: 3 });
});

it('a head that cannot be sealed now is sealed with the next change', async () => {
  const before = structuredClone(row('medications', medication.id));
  service.intercept = ({ method, path }) =>
    method === 'PUT' && path.startsWith('/api/profiles/')
      ? { status: 500, body: { error: 'It fails.', code: 'internal', request_id: 'r' } }
      : undefined;
  const updated = await client.medications.update(medication, { details: { notes: 'a' } });
  expect(updated.details.notes).toBe('a');
  service.intercept = undefined;
  const second = await create('Aspirin');
  await client.medications.delete(second);
  Object.assign(row('medications', medication.id), before);
  const { client: other } = await loggedIn(service);
  await expect(other.medications.get(medication.id)).rejects.toEqual(rolledBack(medication.id));
});
