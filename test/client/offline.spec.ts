import { type HealthRecordsClient, historyOf, questionsOf, type SyncStatus } from '@app/client';
import { sql } from '../support/databases';
import { forEachTest } from '../support/devices';
import { openClient, type Person } from '../support/people';
import type { Proxy } from '../support/proxy';
import type { SharedService } from '../support/service';

/** Two devices of one person, each with a cache and an outbox, behind a network that a test can cut. */
let service: SharedService;
let proxy: Proxy;
let person: Person;
let phone: HealthRecordsClient;
let tablet: HealthRecordsClient;

forEachTest((devices) => ({ service, proxy, person, phone, tablet } = devices));

const medication = (name = 'Ibuprofen') => ({
  profileId: person.profileId,
  route: 'oral',
  schedule: { timesPerDay: 2 },
  details: { name, strength: '400 mg' },
});
const inSync: Partial<SyncStatus> = { state: 'idle', pending: 0, problems: [] };

/** Both send and read all. */
async function syncAll(): Promise<void> {
  for (const device of [phone, tablet, phone]) await device.sync.now();
}

async function namesOn(device: HealthRecordsClient): Promise<string[]> {
  return (await device.medications.list()).map(({ details }) => details.name);
}

describe('a device without a network', () => {
  it('creates, changes, deletes and reads, and the service gets it when the network is back', async () => {
    proxy.isCut = true;
    const created = await phone.medications.create(medication());
    expect(created).toMatchObject({ ...medication(), pending: true, revision: 1 });
    const changed = await phone.medications.update(created, { details: { strength: '200 mg' } });
    expect(changed).toMatchObject({ revision: 2, details: { strength: '200 mg' }, pending: true });
    const mistake = await phone.medications.create(medication('Mistake'));
    await phone.medications.delete(mistake);
    const dose = await phone.medications.logDose(created.id, { taken: true });
    expect(await phone.medications.doses(created.id)).toEqual([dose]);
    expect(await phone.medications.adherence(created.id)).toMatchObject({
      takenDoses: 1,
      scheduledDoses: 60,
    });
    expect(await namesOn(phone)).toEqual(['Ibuprofen']);
    expect(await phone.sync.now()).toMatchObject({ state: 'offline', pending: 5, problems: [] });

    proxy.isCut = false;
    expect(await phone.sync.now()).toMatchObject(inSync);
    const [stored] = await phone.medications.list();
    expect(stored).toMatchObject({ revision: 2, details: { strength: '200 mg' }, altered: [] });
    expect(stored).not.toHaveProperty('pending');
    await tablet.sync.now();
    expect(await tablet.medications.list()).toEqual([stored]);
    expect(await tablet.medications.doses(created.id)).toEqual(await phone.medications.doses(created.id));
  });

  it('computes a trend of what was synced and of what was written since', async () => {
    const reading = (day: number, value: number) => ({
      profileId: person.profileId,
      recordedAt: `2026-03-0${day}T08:00:00.000Z`,
      details: { metric: 'weight', values: { value }, unit: 'kg' },
    });
    await phone.healthStats.create(reading(1, 70));
    await phone.sync.now();
    proxy.isCut = true;
    await phone.healthStats.create(reading(3, 74));
    expect(
      await phone.healthStats.trend({ profileId: person.profileId, metric: 'weight', timeZone: 'UTC' }),
    ).toMatchObject({ count: 2, mean: 72, unit: 'kg', altered: [] });
    await phone.sync.now();
    expect(phone.sync.status).toMatchObject({ state: 'offline', pending: 1 });
  });

  it('unlocks with the password, and with no other', async () => {
    await phone.medications.create(medication());
    phone.lock();
    proxy.isCut = true;
    await expect(phone.unlock('another password')).rejects.toMatchObject({ code: 'password_wrong' });
    await phone.unlock(person.password);
    expect(await namesOn(phone)).toEqual(['Ibuprofen']);
  });

  it('stores each write once, whatever is cut when', async () => {
    let count = 0;
    // Every second answer is lost after the service has done its work.
    proxy.tamper = (request, answer) => {
      if (request.method !== 'GET' && (count += 1) % 2 === 0) throw new Error('lost');
      return answer;
    };
    const created = await phone.medications.create(medication());
    for (let at = 0; at < 6; at += 1) await phone.medications.logDose(created.id, { taken: at % 2 === 0 });
    let current = created;
    for (const strength of ['1 mg', '2 mg', '3 mg']) {
      current = await phone.medications.update(current, { details: { strength } });
    }
    for (let at = 0; at < 20 && phone.sync.status.pending > 0; at += 1) await phone.sync.now();
    proxy.tamper = undefined;
    expect(await phone.sync.now()).toMatchObject(inSync);
    await tablet.sync.now();
    expect(await tablet.medications.list()).toMatchObject([{ revision: 4, details: { strength: '3 mg' } }]);
    expect(await tablet.medications.doses(created.id)).toHaveLength(6);
  });
});

it('a sync with nothing new is one request', async () => {
  await phone.medications.create(medication());
  await syncAll();
  proxy.requests.length = 0;
  expect(await phone.sync.now()).toMatchObject(inSync);
  expect(proxy.requests.map(({ method, path }) => `${method} ${path}`)).toEqual(['GET /api/sync']);
});

it('a list is decrypted once after an unlock, and again only where something has changed', async () => {
  const decrypt = jest.spyOn(globalThis.crypto.subtle, 'decrypt');
  const decryptionsOf = async (run: () => Promise<unknown>) => {
    decrypt.mockClear();
    await run();
    return decrypt.mock.calls.length;
  };
  const list = () => decryptionsOf(() => phone.medications.list());
  try {
    const created = [];
    for (const name of ['A', 'B', 'C']) created.push(await phone.medications.create(medication(name)));
    await syncAll();
    await list();
    expect(await list()).toBe(0);
    await tablet.medications.update(await tablet.medications.get(created[1].id), { details: { name: 'D' } });
    await syncAll();
    // What has changed was decrypted when it was checked, before it was stored.
    expect(await list()).toBe(0);
    expect((await namesOn(phone)).sort()).toEqual(['A', 'C', 'D']);
    phone.lock();
    await phone.unlock(person.password);
    phone.sync.stop();
    expect(await list()).toBeGreaterThanOrEqual(3);
  } finally {
    decrypt.mockRestore();
  }
});

describe('two devices that change one record', () => {
  it('keep both changes of what stands alone, and the later one of a medicine as a whole', async () => {
    const created = await phone.medications.create(medication());
    await syncAll();
    const [onTablet] = await tablet.medications.list();
    proxy.isCut = true;
    await phone.medications.update(created, {
      route: 'nasal',
      details: { strength: '200 mg', notes: 'cold' },
    });
    await tablet.medications.update(onTablet, { details: { strength: '800 mg', form: 'tablet' } });
    proxy.isCut = false;
    await phone.sync.now();
    await syncAll();
    const [merged] = await phone.medications.list();
    expect(merged).toMatchObject({ route: 'oral', altered: [], revision: 3 });
    expect(merged.details).toMatchObject({ name: 'Ibuprofen', notes: 'cold', form: 'tablet' });
    expect(merged.details).toMatchObject({ strength: '800 mg' });
    const [question] = questionsOf(merged);
    expect(question.fields).toEqual(
      expect.arrayContaining([
        { field: 'meta.route', standing: 'oral', other: 'nasal' },
        { field: 'details.strength', standing: '800 mg', other: '200 mg' },
        { field: 'details.form', standing: 'tablet', other: null },
      ]),
    );
    expect(await tablet.medications.list()).toEqual([merged]);

    const answered = await phone.medications.answer(merged, question, 'other');
    await syncAll();
    const [onBoth] = await tablet.medications.list();
    expect(onBoth).toMatchObject({ route: 'nasal', details: { strength: '200 mg', notes: 'cold' } });
    expect(onBoth.details.form).toBeUndefined();
    expect(questionsOf(onBoth)).toEqual([]);
    const lost = historyOf(answered).find(({ field }) => field === 'details.strength')!;
    expect(lost.value).toBe('800 mg');
    await phone.medications.takeBack(await phone.medications.get(merged.id), lost);
    await syncAll();
    expect((await tablet.medications.list())[0].details.strength).toBe('800 mg');
  });

  it('merges a change that began from an older version than the cache has', async () => {
    const created = await phone.medications.create(medication());
    await syncAll();
    const [onTablet] = await tablet.medications.list();
    await tablet.medications.update(onTablet, { details: { form: 'tablet' } });
    await syncAll();
    const updated = await phone.medications.update(created, { details: { notes: 'with food' } });
    expect(updated.details).toMatchObject({ form: 'tablet', notes: 'with food' });
  });
});

it('what was written offline is in the head: a device that has seen nothing notices when it goes back', async () => {
  const [changed, removed] = [
    await phone.medications.create(medication('Changed')),
    await phone.medications.create(medication('Removed')),
  ];
  await phone.sync.now();
  const kept = 'SELECT * FROM medications WHERE id = ANY ($1)';
  const before = await sql<{ id: string; encrypted_data: string }>(service.databaseUrl, kept, [
    [changed.id, removed.id],
  ]);
  proxy.isCut = true;
  await phone.medications.update(await phone.medications.get(changed.id), { details: { notes: 'half' } });
  await phone.medications.delete(await phone.medications.get(removed.id));
  // The network ends again before the head is sealed; the next sync seals it.
  proxy.isCut = false;
  proxy.hold = ({ method, path }) =>
    method === 'PUT' && path.startsWith('/api/profiles/') ? Promise.reject(new Error('cut')) : undefined;
  await phone.sync.now();
  expect(phone.sync.status).toMatchObject({ state: 'offline', pending: 0 });
  proxy.hold = undefined;
  const { lastSuccess } = await phone.sync.now();
  expect(lastSuccess).not.toBeNull();
  expect(await namesOn(phone)).toEqual(['Changed']);

  const gone = JSON.stringify(before.find(({ id }) => id === removed.id));
  await sql(service.databaseUrl, 'UPDATE medications SET encrypted_data = $1, revision = 9 WHERE id = $2', [
    before.find(({ id }) => id === changed.id)!.encrypted_data,
    changed.id,
  ]);
  await sql(
    service.databaseUrl,
    'INSERT INTO medications SELECT (json_populate_record(NULL::medications, $1)).*',
    [gone],
  );
  const fresh = openClient(proxy.url);
  await fresh.login(person.email, person.password);
  for (const id of [changed.id, removed.id])
    await expect(fresh.medications.get(id)).rejects.toMatchObject({ code: 'rolled_back' });
});
