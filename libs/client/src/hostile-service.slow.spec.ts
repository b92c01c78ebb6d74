/** A service that returns false data: each case must end in a typed error, never in wrong data. */
import type { HealthRecordsClient } from './client';
import type { HealthStat, Medication, Profile } from './records/record-types';
import { registered } from './testing/fake-client';
import type { FakeService } from './testing/fake-service';

type Stored = Record<string, unknown>;
let service: FakeService;
let client: HealthRecordsClient;
let profileId: string;
let other: Profile;
let medications: [Medication, Medication, Medication];
let stat: HealthStat;

beforeEach(async () => {
  ({ service, client, profileId } = await registered());
  other = await client.profiles.create({ details: { name: 'Bob' } });
  const create = (of: string, name: string) =>
    client.medications.create({ profileId: of, route: 'oral', schedule: null, details: { name } });
  medications = [
    await create(profileId, 'one'),
    await create(profileId, 'two'),
    await create(other.id, 'three'),
  ];
  stat = await client.healthStats.create({
    profileId,
    details: { metric: 'weight', values: { value: 70 }, unit: 'kg' },
  });
});

const stored = (name: string, id: string): Stored =>
  service.records
    .get(name)!
    .find((each) => each.id === id || (name === 'profiles' && each.profile_id === id))!;
const tampered = (id: string) =>
  expect.objectContaining({ code: 'tampered', record: expect.objectContaining({ id }) });
/** Reads with a client that has no memory of this session. Only the cryptography can then detect a fault. */
const freshRead = async <T>(read: () => Promise<T>): Promise<T> => {
  client.lock();
  await client.logout();
  await client.login('ada@example.org', 'correct horse battery staple');
  return read();
};

describe('exchanged ciphertexts', () => {
  it('between two records of one profile', async () => {
    const [a, b] = [stored('medications', medications[0].id), stored('medications', medications[1].id)];
    [a.encrypted_data, b.encrypted_data] = [b.encrypted_data, a.encrypted_data];
    await expect(freshRead(() => client.medications.get(medications[0].id))).rejects.toEqual(
      tampered(medications[0].id),
    );
    await expect(client.medications.list()).rejects.toMatchObject({ code: 'tampered' });
  });

  it('between records of two profiles, with and without the profile id', async () => {
    const [a, c] = [stored('medications', medications[0].id), stored('medications', medications[2].id)];
    [a.encrypted_data, c.encrypted_data] = [c.encrypted_data, a.encrypted_data];
    await expect(freshRead(() => client.medications.get(medications[0].id))).rejects.toEqual(
      tampered(medications[0].id),
    );
    [a.profile_id, c.profile_id] = [c.profile_id, a.profile_id];
    await expect(client.medications.get(medications[0].id)).rejects.toEqual(tampered(medications[0].id));
  });

  it('between two kinds of record', async () => {
    stored('medications', medications[0].id).encrypted_data = stored('health-stats', stat.id).encrypted_data;
    await expect(freshRead(() => client.medications.get(medications[0].id))).rejects.toEqual(
      tampered(medications[0].id),
    );
  });

  it('between the names of two profiles', async () => {
    const [a, b] = [stored('profiles', profileId), stored('profiles', other.id)];
    Object.assign(a, { name_data: b.name_data, name_iv: b.name_iv });
    await expect(freshRead(() => client.profiles.get(profileId))).rejects.toEqual(tampered(profileId));
  });

  it('of a whole record: the answer to one id is another record', async () => {
    service.tamper = (request, answer) =>
      request.path.endsWith(medications[0].id)
        ? { ...answer, body: stored('medications', medications[1].id) }
        : answer;
    await expect(freshRead(() => client.medications.get(medications[0].id))).rejects.toEqual(
      tampered(medications[1].id),
    );
  });
});

it('exchanged keys of two profiles', async () => {
  const [a, b] = [stored('profiles', profileId), stored('profiles', other.id)];
  for (const member of ['wrapped_profile_dek', 'wrapped_profile_dek_iv'])
    [a[member], b[member]] = [b[member], a[member]];
  // Both are opened at the same time, and either may be refused first.
  const refusal: unknown = await freshRead(() => client.profiles.list()).catch((error: unknown) => error);
  expect(refusal).toMatchObject({ code: 'tampered', record: { kind: 'key:profile' } });
  expect([profileId, other.id]).toContain((refusal as { record: { id: string } }).record.id);
});

it('plaintext fields that were changed are named, since they are needed in plaintext', async () => {
  Object.assign(stored('medications', medications[0].id), {
    route: 'nasal',
    dose_schedule: { times_per_day: 9 },
  });
  Object.assign(stored('health-stats', stat.id), { recorded_at: '1999-01-01T00:00:00.000Z' });
  Object.assign(stored('profiles', other.id), { kind: 'pet' });
  await freshRead(() => client.account());
  expect((await client.medications.get(medications[0].id)).altered).toEqual(['route', 'dose_schedule']);
  expect((await client.healthStats.get(stat.id)).altered).toEqual(['recorded_at']);
  expect((await client.profiles.get(other.id)).altered).toEqual(['kind']);
});

it('one unreadable record can be left out and told, the others are read', async () => {
  stored('medications', medications[0].id).encrypted_data = { ciphertext: 'AAAA', iv: 'AAAA' };
  stored('medications', medications[1].id).encrypted_data = 'of another client';
  const told: string[] = [];
  const list = await freshRead(() =>
    client.medications.list({}, { onUnreadable: ({ id }) => told.push(id) }),
  );
  expect(list.map((each) => each.id)).toEqual([medications[2].id]);
  expect(told.sort()).toEqual([medications[0].id, medications[1].id].sort());
});

describe('within a session', () => {
  it('an older revision, alone and in a list', async () => {
    const before = structuredClone(stored('medications', medications[0].id));
    await client.medications.update(medications[0], { details: { name: 'newer' } });
    Object.assign(stored('medications', medications[0].id), before);
    await expect(client.medications.get(medications[0].id)).rejects.toMatchObject({ code: 'stale_revision' });
    await expect(client.medications.list({}, { onUnreadable: () => undefined })).rejects.toMatchObject({
      code: 'stale_revision',
    });
  });

  it('older content under the number of the newer revision, also in plaintext fields', async () => {
    const { encrypted_data } = structuredClone(stored('medications', medications[0].id));
    await client.medications.update(medications[0], { details: { name: 'newer' } });
    const now = stored('medications', medications[0].id);
    const good = now.encrypted_data;
    now.encrypted_data = encrypted_data;
    await expect(client.medications.get(medications[0].id)).rejects.toMatchObject({ code: 'stale_revision' });
    Object.assign(now, { encrypted_data: good, route: 'nasal' });
    await expect(client.medications.get(medications[0].id)).rejects.toMatchObject({ code: 'stale_revision' });
  });

  it('a shortened list, proven by the record that is still served', async () => {
    service.tamper = (request, answer) =>
      request.path === '/api/medications' ? { ...answer, body: (answer.body as Stored[]).slice(1) } : answer;
    await expect(client.medications.list()).rejects.toMatchObject({
      code: 'records_missing',
      missing: [{ kind: 'medication', id: medications[2].id }],
    });
    await expect(client.medications.list({ profileId: other.id })).rejects.toMatchObject({
      code: 'records_missing',
    });
  });

  it('a record that is gone everywhere is told and not refused: another device may have deleted it', async () => {
    service.records.set('medications', service.records.get('medications')!.slice(1));
    const gone: unknown[] = [];
    const stop = client.on('records-gone', ({ records }) => gone.push(...records));
    expect(await client.medications.list()).toHaveLength(2);
    expect(await client.medications.list()).toHaveLength(2);
    stop();
    expect(gone).toEqual([{ kind: 'medication', id: medications[0].id }]);
  });

  it('a withheld profile and reading, and a changed dose', async () => {
    const dose = await client.medications.logDose(medications[0].id, { taken: true });
    service.tamper = (_request, answer) => (Array.isArray(answer.body) ? { ...answer, body: [] } : answer);
    for (const list of [
      () => client.profiles.list(),
      () => client.healthStats.list({ profileId, recordedFrom: '2020-01-01T00:00:00Z' }),
    ]) {
      await expect(list()).rejects.toMatchObject({ code: 'records_missing' });
    }
    expect(await client.healthStats.list({ recordedTo: '2020-01-01T00:00:00Z' })).toEqual([]);
    service.tamper = (_request, answer) =>
      Array.isArray(answer.body)
        ? { ...answer, body: answer.body.map((each: Stored) => ({ ...each, taken: false })) }
        : answer;
    const unproven = { id: dose.id, confirmed: false, doubt: { code: 'unproven' } };
    expect(await client.medications.doses(medications[0].id)).toMatchObject([unproven]);
  });

  it('no alarm when the memory of the session says the same as the service', async () => {
    await client.medications.delete(medications[0].id);
    await client.profiles.delete(other.id);
    service.records.set(
      'medications',
      service.records.get('medications')!.filter((each) => each.profile_id !== other.id),
    );
    expect(await client.medications.list()).toHaveLength(1);
    expect(await client.profiles.list()).toHaveLength(1);
  });

  it('no alarm for an answer that was overtaken by our own write, nor for a list overtaken by a create', async () => {
    let release = () => {};
    const held = new Promise<void>((resolve) => (release = resolve));
    let answered = 0;
    let bothAnswered = () => {};
    const both = new Promise<void>((resolve) => (bothAnswered = resolve));
    service.tamper = async (request, answer) => {
      if (request.method !== 'GET' || !request.path.startsWith('/api/medications')) return answer;
      if ((answered += 1) === 2) bothAnswered();
      await held;
      return answer;
    };
    const slowGet = client.medications.get(medications[0].id);
    const slowList = client.medications.list();
    await both;
    await client.medications.update(medications[0], { details: { name: 'newer' } });
    await client.medications.create({ profileId, route: 'oral', schedule: null, details: { name: 'four' } });
    release();
    expect((await slowGet).revision).toBe(1);
    expect(await slowList).toHaveLength(3);
  });
});

it.each([
  ['no id', { id: undefined }],
  ['a revision that is none', { revision: '1' }],
  ['a revision of zero', { revision: 0 }],
  ['an id with a path', { id: '../../../etc' }],
  ['a blob of numbers', { encrypted_data: { ciphertext: 1, iv: 2 } }],
  ['a schedule that is text', { dose_schedule: 'daily' }],
  ['a time that is none', { created_at: 'yesterday' }],
])('answers of a wrong shape: %s', async (_what, change) => {
  service.tamper = (request, answer) =>
    request.path.startsWith('/api/medications/')
      ? { ...answer, body: { ...(answer.body as Stored), ...change } }
      : answer;
  await expect(client.medications.get(medications[0].id)).rejects.toMatchObject({
    code: 'protocol_violation',
  });
});
