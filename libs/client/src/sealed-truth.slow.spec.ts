/**
 * A service that alters plaintext fields and keys: the client shows and uses the sealed values, and reports the
 * difference.
 */
import type { HealthRecordsClient } from './client';
import { toBase64 } from './encoding';
import type { InteractionEngineFactory } from './interactions/interaction-types';
import { openProfileKey } from './crypto/profile-key';
import { deriveRecoveryKeys } from './crypto/recovery-keys';
import { generateDataKey, wrapDataKey } from './crypto/key-wrapping';
import { openAccountKey } from './crypto/account-key';
import { derivePasswordKeys, type KdfParameters } from './crypto/password-keys';
import { encryptAsVersion1 } from './testing/format-1';
import { clientOf, EMAIL, loggedIn, PASSWORD, PHRASE, registered } from './testing/fake-client';
import { FakeService } from './testing/fake-service';

type Stored = Record<string, any>;
const TIMES = ['2025-02-01T08:00:00.000Z', '2025-02-02T08:00:00.000Z', '2025-02-03T08:00:00.000Z'];
let service: FakeService;
let client: HealthRecordsClient;
let profileId: string;

beforeEach(async () => {
  ({ service, client, profileId } = await registered());
});

const stored = (name: string, id: string): Stored =>
  service.records.get(name)!.find((each) => each.id === id || each.profile_id === id)!;
/** The key of the account. Only a test may read it. */
async function accountKey() {
  const { wrapped_dek, wrapped_dek_iv } = service.accounts.get(EMAIL)! as Stored;
  const prelogin = await service.fetch('https://health.example/api/auth/prelogin', {
    method: 'POST',
    body: JSON.stringify({ email: EMAIL }),
  });
  const own = await derivePasswordKeys(PASSWORD, (await prelogin.json()) as KdfParameters);
  const wrap = { wrapped: String(wrapped_dek), iv: String(wrapped_dek_iv) };
  const { id } = service.accounts.get(EMAIL)! as Stored;
  return openAccountKey(wrap, own.wrappingKey, { purpose: 'password', accountId: String(id) });
}

describe('altered plaintext fields', () => {
  it('a trend is made of the sealed times, and names the readings that were moved', async () => {
    const stats = [];
    for (const [at, recordedAt] of TIMES.entries()) {
      const details = { metric: 'weight', values: { value: 70 + at }, unit: 'kg' };
      stats.push(await client.healthStats.create({ profileId, recordedAt, details }));
    }
    const query = { profileId, metric: 'weight', timeZone: 'UTC' };
    const honest = await client.healthStats.trend(query);
    // The service turns the series round, so that a rise becomes a fall.
    stats.forEach((stat, at) => (stored('health-stats', stat.id).recorded_at = TIMES[2 - at]));
    const { client: other } = await loggedIn(service);
    const trend = await other.healthStats.trend(query);
    expect(trend).toEqual({ ...honest, altered: [stats[2].id, stats[0].id] });
    expect(trend.slopePerDay).toBeCloseTo(1, 9);
    // The service lists a reading in a period to which it does not belong.
    const period = { recordedFrom: TIMES[2], recordedTo: TIMES[2] };
    expect(await other.healthStats.trend({ ...query, ...period })).toMatchObject({
      days: [{ date: '2025-02-03', mean: 72 }],
    });
  });

  it('a dog is checked as a dog', async () => {
    const dog = await client.profiles.create({
      kind: 'pet',
      relationship: 'dog',
      details: { name: 'Rex', species: 'dog' },
    });
    stored('profiles', dog.id).kind = 'human';
    const asked: unknown[] = [];
    const interactionEngine = (() => ({
      check: (request: { species?: string }) => (asked.push(request.species), []),
    })) as unknown as InteractionEngineFactory;
    const { client: other } = await loggedIn(service, { interactionEngine });
    expect(await other.profiles.get(dog.id)).toMatchObject({ kind: 'pet', altered: ['kind'] });
    await other.checkInteractionsOf(dog.id);
    expect(asked).toEqual(['dog']);
  });

  it('an update and an export carry the sealed values; the difference is told, and is healed', async () => {
    const created = await client.medications.create({
      profileId,
      route: 'oral',
      schedule: { timesPerDay: 1 },
      details: { name: 'Warfarin' },
    });
    Object.assign(stored('medications', created.id), {
      route: 'nasal',
      dose_schedule: { times_per_day: 9 },
    });
    const { client: other } = await loggedIn(service);
    const told: unknown[] = [];
    const document = await other.transfer.exportAll({ onAltered: (each) => told.push(each) });
    expect(document.profiles[0].medications[0]).toMatchObject({
      route: 'oral',
      schedule: { timesPerDay: 1 },
    });
    expect(told).toEqual([{ kind: 'medication', id: created.id, fields: ['route', 'dose_schedule'] }]);

    const read = await other.medications.get(created.id);
    expect(read).toMatchObject({ route: 'oral', schedule: { timesPerDay: 1 } });
    expect(read.altered).toEqual(['route', 'dose_schedule']);
    const updated = await other.medications.update(read, { details: { notes: 'in the evening' } });
    expect(updated).toMatchObject({ route: 'oral', schedule: { timesPerDay: 1 }, altered: [] });
    expect(stored('medications', created.id)).toMatchObject({
      route: 'oral',
      dose_schedule: { times_per_day: 1 },
    });
  });

  it('a profile and an appointment are shown as they were sealed', async () => {
    const details = { title: 'Check', startsAt: '2025-03-01T10:00:00Z' };
    const { id } = await client.appointments.create({ profileId, status: 'scheduled', details });
    stored('appointments', id).status = 'cancelled';
    stored('profiles', profileId).relationship = 'stranger';
    const { client: other } = await loggedIn(service);
    expect(await other.appointments.get(id)).toMatchObject({ status: 'scheduled', altered: ['status'] });
    const profile = await other.profiles.get(profileId);
    expect(profile).toMatchObject({ relationship: 'self', altered: ['relationship'] });
    await other.profiles.update(profile, { details: { notes: 'x' } });
    expect(stored('profiles', profileId).relationship).toBe('self');
  });
});

it('records and keys of version 1 are read, and written anew as version 2', async () => {
  const created = await client.medications.create({
    profileId,
    route: 'oral',
    schedule: null,
    details: { name: 'Aspirin' },
  });
  const account = await accountKey();
  const row = stored('profiles', profileId);
  const wrapped = { wrapped: String(row.wrapped_profile_dek), iv: String(row.wrapped_profile_dek_iv) };
  const key = await openProfileKey(wrapped, account, profileId, true);
  const old = await wrapDataKey(key.key, account.key, { purpose: 'profile', profileId });
  const profilePlace = { profileId, kind: 'profile', recordId: profileId } as const;
  const content = { details: { name: 'Old' }, meta: { kind: 'human', relationship: 'self' } };
  const name = await encryptAsVersion1(content, key, profilePlace);
  Object.assign(row, {
    wrapped_profile_dek: old.wrapped,
    wrapped_profile_dek_iv: old.iv,
    name_data: name.ciphertext,
    name_iv: name.iv,
  });
  stored('medications', created.id).encrypted_data = await encryptAsVersion1(
    { details: { name: 'Aspirin' }, meta: { route: 'oral', dose_schedule: null } },
    key,
    { profileId, kind: 'medication', recordId: created.id },
  );
  const { client: other } = await loggedIn(service);
  expect((await other.profiles.get(profileId)).details.name).toBe('Old');
  const read = await other.medications.get(created.id);
  expect(read).toMatchObject({ details: { name: 'Aspirin' }, lineage: { generation: 1, previous: null } });
  const updated = await other.medications.update(read, { details: { notes: 'new' } });
  expect(updated.lineage).toMatchObject({ generation: 2, previous: read.lineage.state });
});

it('a profile without a name is read as one of a registration without this client, and never as another', async () => {
  const row = stored('profiles', profileId);
  const mine = { wrapped: String(row.wrapped_profile_dek), iv: String(row.wrapped_profile_dek_iv) };
  const account = await accountKey();
  const { key } = await openProfileKey(mine, account, profileId, true);
  const old = await wrapDataKey(key, account.key, { purpose: 'profile', profileId });
  const get = async (fields: object) => {
    Object.assign(row, { name_data: '', name_iv: '', ...fields });
    const { client: other } = await loggedIn(service);
    return { other, profile: other.profiles.get(profileId) };
  };
  const ofVersion1 = { wrapped_profile_dek: old.wrapped, wrapped_profile_dek_iv: old.iv };
  const { other, profile } = await get({ ...ofVersion1, revision: 1 });
  expect(await profile).toMatchObject({ details: { name: '' }, lineage: null });
  await expect(other.checkInteractionsOf(profileId)).rejects.toMatchObject({ code: 'invalid_argument' });
  await expect((await get({ revision: 2 })).profile).rejects.toMatchObject({ code: 'tampered' });
  const ofVersion2 = { wrapped_profile_dek: mine.wrapped, wrapped_profile_dek_iv: mine.iv, revision: 1 };
  await expect((await get(ofVersion2)).profile).rejects.toMatchObject({ code: 'tampered' });
});

describe('the wrap of the account key', () => {
  let withPhrase: HealthRecordsClient;
  beforeEach(async () => {
    service = new FakeService();
    withPhrase = clientOf(service);
    await withPhrase.register({ email: EMAIL, password: PASSWORD, recoveryPhrase: PHRASE });
  });

  /** A wrap by the right phrase, of a key that is not the account's. */
  async function wrapOfAnotherKey() {
    const { wrappingKey } = await deriveRecoveryKeys(PHRASE);
    return wrapDataKey(await generateDataKey('account'), wrappingKey, { purpose: 'recovery' });
  }

  it('a phrase is verified by what it opens, not by what the service says', async () => {
    expect(await withPhrase.verifyRecoveryPhrase(EMAIL, PHRASE)).toBe(true);
    const other = 'zoo zoo zoo zoo zoo zoo zoo zoo zoo zoo zoo wrong';
    expect(await withPhrase.verifyRecoveryPhrase(EMAIL, other)).toBe(false);
    service.tamper = (request, answer) =>
      request.path.endsWith('/recovery/verify') ? { ...answer, body: { verified: true } } : answer;
    await expect(withPhrase.verifyRecoveryPhrase(EMAIL, other)).rejects.toMatchObject({ code: 'tampered' });

    const account = service.accounts.get(EMAIL)! as Stored;
    const good = account.recovery_wrapped_dek;
    const damaged = Buffer.from(String(good), 'base64');
    damaged[5] ^= 1;
    account.recovery_wrapped_dek = toBase64(damaged);
    await expect(withPhrase.verifyRecoveryPhrase(EMAIL, PHRASE)).rejects.toMatchObject({
      code: 'tampered',
      record: { kind: 'key:recovery' },
    });
  });

  it('a wrap that opens, but holds another key, is named', async () => {
    const wrap = await wrapOfAnotherKey();
    Object.assign(service.accounts.get(EMAIL)!, {
      recovery_wrapped_dek: wrap.wrapped,
      recovery_wrapped_dek_iv: wrap.iv,
    });
    await expect(withPhrase.verifyRecoveryPhrase(EMAIL, PHRASE)).rejects.toMatchObject({
      code: 'key_mismatch',
    });
  });

  it('after a lock, only the same account key opens', async () => {
    withPhrase.lock();
    service.tamper = async (request, answer) => {
      if (request.path !== '/api/users/me') return answer;
      const salt = await service.fetch('https://health.example/api/auth/prelogin', {
        method: 'POST',
        body: JSON.stringify({ email: EMAIL }),
      });
      const own = await derivePasswordKeys(PASSWORD, (await salt.json()) as KdfParameters);
      const other = await wrapDataKey(await generateDataKey('account'), own.wrappingKey, {
        purpose: 'password',
      });
      return {
        ...answer,
        body: { ...(answer.body as Stored), wrapped_dek: other.wrapped, wrapped_dek_iv: other.iv },
      };
    };
    await expect(withPhrase.unlock(PASSWORD)).rejects.toMatchObject({ code: 'key_mismatch' });
    expect(withPhrase.state).toBe('locked');
    service.tamper = undefined;
    await withPhrase.unlock(PASSWORD);
  });
});
