import { RevisionConflictError } from '@app/client';
import { sql } from '../support/databases';
import { aPerson, openClient, type Person } from '../support/people';
import { Proxy } from '../support/proxy';
import { type SharedService, sharedService } from '../support/service';

/** The client library against the real service: everything that a family stores, and what is computed from it. */
const DAY_MS = 86_400_000;
let service: SharedService;
let url: string;
let ada: Person;
beforeAll(async () => {
  service = await sharedService();
  url = service.api.url;
});
beforeEach(async () => {
  ada = await aPerson(url);
});

const ibuprofen = () => ({
  profileId: ada.profileId,
  route: 'oral',
  schedule: { timesPerDay: 2, daysOfWeek: ['mon', 3, 'Sunday'] },
  details: { name: 'Ibuprofen', strength: '400 mg', custom: { kept: [1.5, null] } },
});
const checkUp = () => ({
  profileId: ada.profileId,
  status: 'scheduled',
  details: { title: 'Check-up', startsAt: '2026-12-01T09:30:00+01:00' },
});
const weight = (value: number, recordedAt: string) => ({
  profileId: ada.profileId,
  recordedAt,
  details: { metric: 'weight', values: { value }, unit: 'kg' },
});

it('profiles of a family: two persons and a pet, each under a key of its own', async () => {
  const { client } = ada;
  const ben = await client.profiles.create({ relationship: 'child', details: { name: 'Ben' } });
  const rex = await client.profiles.create({
    kind: 'pet',
    relationship: 'pet',
    details: { name: 'Rex', species: 'dog' },
  });
  const renamed = await client.profiles.update(ben, { details: { name: 'Benjamin' } });
  expect(renamed).toMatchObject({ revision: 2, relationship: 'child', details: { name: 'Benjamin' } });
  const names = async () => (await client.profiles.list({ pageSize: 1 })).map(({ details }) => details.name);
  expect(await names()).toEqual(['Ada', 'Benjamin', 'Rex']);
  const keys = await sql(
    service.databaseUrl,
    'SELECT DISTINCT wrapped_profile_dek FROM profiles WHERE id IN ($1, $2, $3)',
    [ada.profileId, ben.id, rex.id],
  );
  expect(keys).toHaveLength(3);
  await client.medications.create({ ...ibuprofen(), profileId: rex.id });
  await client.profiles.delete(rex.id);
  expect(await names()).toEqual(['Ada', 'Benjamin']);
  expect(await client.medications.list()).toEqual([]);
});

it('a medication from entry to deletion, unknown details kept', async () => {
  const { client, profileId } = ada;
  const created = await client.medications.create(ibuprofen());
  expect(created).toMatchObject({ ...ibuprofen(), revision: 1, altered: [] });
  const changed = await client.medications.update(created, {
    schedule: { timesPerDay: 1 },
    details: { notes: 'with food', strength: undefined },
  });
  expect(changed).toMatchObject({ revision: 2, schedule: { timesPerDay: 1 }, altered: [] });
  expect(changed.details).toEqual({ name: 'Ibuprofen', custom: { kept: [1.5, null] }, notes: 'with food' });
  expect(await client.medications.list({ profileId })).toEqual([changed]);
  expect(await client.medications.get(created.id)).toEqual(changed);
  await client.medications.delete(changed);
  expect(await client.medications.list()).toEqual([]);
  await expect(client.medications.get(created.id)).rejects.toMatchObject({ code: 'not_found' });
});

it('doses and adherence, in the time zone of the person', async () => {
  const { client } = ada;
  const { id } = await client.medications.create({ ...ibuprofen(), schedule: { timesPerDay: 2 } });
  const taken = await client.medications.logDose(id, { taken: true });
  await client.medications.logDose(id, { taken: true, loggedAt: new Date(Date.now() - DAY_MS) });
  await client.medications.logDose(id, { taken: false, loggedAt: new Date(Date.now() - 2 * DAY_MS) });
  const mistaken = await client.medications.logDose(id, { taken: true });
  await client.medications.deleteDose(id, mistaken.id);
  const doses = await client.medications.doses(id, { pageSize: 2 });
  expect(doses.map((dose) => dose.taken)).toEqual([true, true, false]);
  expect(doses[0]).toEqual(taken);
  expect(await client.medications.adherence(id, { timeZone: 'Asia/Kolkata' })).toMatchObject({
    timezone: 'Asia/Kolkata',
    periodDays: 30,
    takenDoses: 2,
    skippedDoses: 1,
    scheduledDoses: 60,
    missedDoses: 57,
    extraDoses: 0,
    adherenceRate: 3.3,
    sinceStart: { scheduledDoses: 6, takenDoses: 2, adherenceRate: 33.3 },
  });
});

it('a dose whose answer was lost on the way is sent again and counted once', async () => {
  const proxy = await Proxy.start(url);
  try {
    const client = openClient(proxy.url, { wait: () => Promise.resolve() });
    await client.login(ada.email, ada.password);
    const { id } = await client.medications.create(ibuprofen());
    let answered = 0;
    proxy.tamper = (request, answer) => {
      const isDose = request.method === 'POST' && request.path.endsWith('/log');
      return isDose && (answered += 1) === 1 ? Promise.reject(new Error('lost')) : answer;
    };
    const dose = await client.medications.logDose(id, { taken: true });
    expect(proxy.calls(`POST /api/medications/${id}/log`)).toHaveLength(2);
    expect(await client.medications.doses(id)).toEqual([dose]);
  } finally {
    await proxy.stop();
  }
});

it('appointments by status and profile', async () => {
  const { client, profileId } = ada;
  const ben = await client.profiles.create({ details: { name: 'Ben' } });
  const mine = await client.appointments.create(checkUp());
  const his = await client.appointments.create({ ...checkUp(), profileId: ben.id });
  const done = await client.appointments.update(mine, { status: 'completed' });
  expect(await client.appointments.list({ status: 'completed' })).toEqual([done]);
  expect(await client.appointments.list({ status: 'scheduled', profileId })).toEqual([]);
  expect(await client.appointments.list({ profileId: ben.id })).toEqual([his]);
  await client.appointments.delete(his);
  expect(await client.appointments.list()).toEqual([done]);
});

it('health statistics and their trend, computed after decryption', async () => {
  const { client, profileId } = ada;
  for (const [value, at] of [
    [80, '2026-11-01T07:00:00Z'],
    [82, '2026-11-01T22:30:00Z'],
    [79, '2026-11-02T23:30:00Z'],
    [77, '2026-11-05T07:00:00Z'],
  ] as const)
    await client.healthStats.create(weight(value, at));
  const query = { profileId, metric: 'weight', timeZone: 'Europe/Berlin', window: 2 };
  const trend = await client.healthStats.trend(query);
  expect(trend).toMatchObject({ unit: 'kg', count: 4, mean: 79.5, minimum: 77, maximum: 82 });
  // 23:30 UTC is the next date in Berlin.
  expect(trend.days.map((day) => [day.date, day.count, day.mean, day.movingAverage])).toEqual([
    ['2026-11-01', 2, 81, 81],
    ['2026-11-03', 1, 79, 79],
    ['2026-11-05', 1, 77, 77],
  ]);
  expect(trend.slopePerDay).toBeCloseTo(-1, 10);
  const window = { recordedFrom: '2026-11-01T12:00:00Z', recordedTo: '2026-11-03T00:00:00Z' };
  const between = await client.healthStats.list({ profileId, ...window }, { pageSize: 1 });
  expect(between.map(({ details }) => details.values.value)).toEqual([79, 82]);
});

it('a record moves to another profile, and its key with it', async () => {
  const { client } = ada;
  const rex = await client.profiles.create({ kind: 'pet', details: { name: 'Rex' } });
  const reading = await client.healthStats.create(weight(12, '2026-11-01T07:00:00Z'));
  const moved = await client.healthStats.update(reading, { profileId: rex.id });
  expect(moved).toMatchObject({ profileId: rex.id, revision: 2, altered: [], details: reading.details });
  const other = openClient(url);
  await other.login(ada.email, ada.password);
  expect(await other.healthStats.list({ profileId: rex.id })).toEqual([moved]);
});

const KINDS = {
  profiles: ({ client, profileId }: Person) => client.profiles.get(profileId),
  medications: ({ client }: Person) => client.medications.create(ibuprofen()),
  appointments: ({ client }: Person) => client.appointments.create(checkUp()),
  healthStats: ({ client }: Person) => client.healthStats.create(weight(70, '2026-11-01T07:00:00Z')),
};

it.each(Object.keys(KINDS) as (keyof typeof KINDS)[])(
  'two devices that change one of the %s: the slower gets both versions',
  async (kind) => {
    const { client, email, password } = ada;
    const other = openClient(url);
    await other.login(email, password);
    const update = (device: typeof client, current: any, notes: string): Promise<any> =>
      (device[kind] as any).update(current, { details: { notes } });
    const current = await KINDS[kind](ada);
    const theirs = await update(other, current, 'theirs');
    const conflict = await update(client, current, 'mine').catch((error: unknown) => error);
    expect(conflict).toBeInstanceOf(RevisionConflictError);
    expect(conflict.current).toEqual(theirs);
    expect(conflict.mine.details.notes).toBe('mine');
    const settled = await update(client, conflict.current, 'both');
    expect(settled).toMatchObject({ revision: 3, details: { notes: 'both' } });
  },
);

it('a list is fetched as it is consumed', async () => {
  const proxy = await Proxy.start(url);
  try {
    const client = openClient(proxy.url);
    await client.login(ada.email, ada.password);
    for (let each = 0; each < 5; each += 1) await client.appointments.create(checkUp());
    const seen: string[] = [];
    for await (const { id } of client.appointments.iterate({}, { pageSize: 2 })) {
      seen.push(id);
      if (seen.length === 3) break;
    }
    expect(proxy.calls('GET /api/appointments')).toHaveLength(2);
    expect(await client.appointments.list({}, { pageSize: 2 })).toHaveLength(5);
  } finally {
    await proxy.stop();
  }
});

it('a call that is aborted ends with the reason of its signal', async () => {
  const controller = new AbortController();
  const list = ada.client.medications.list({}, { signal: controller.signal });
  const reason = new Error('The page was left.');
  controller.abort(reason);
  await expect(list).rejects.toBe(reason);
});

describe('interaction checks', () => {
  const medications = ['Warfarin', 'Aspirin', 'Quendelwurz'];
  const added = { name: 'Ibuprofen', dosage: '5000 mg a day', medications };

  it('say on the device what the service says, and no name leaves it', async () => {
    const proxy = await Proxy.start(url);
    try {
      const client = openClient(proxy.url);
      await client.login(ada.email, ada.password);
      const together = await client.interactions.check({ medications });
      const oneMore = await client.interactions.checkNew(added);
      const read = await client.interactions.resolve(medications);
      const sent = proxy.requests.map(({ url: line, text }) => decodeURIComponent(line) + text).join('\n');
      expect(sent).not.toMatch(/warfarin|aspirin|quendelwurz|ibuprofen/i);
      expect(proxy.calls('GET /api/interactions/knowledge-base')).toHaveLength(1);
      const kinds = together.map(({ kind }) => kind);
      expect(kinds).toEqual(expect.arrayContaining(['interaction', 'unrecognized']));
      expect(oneMore.map(({ kind }) => kind)).toContain('dose_ceiling');
      expect(await client.interactions.checkByService({ medications })).toEqual(together);
      expect(await client.interactions.checkNewByService(added)).toEqual(oneMore);
      expect(await client.interactions.resolveByService(medications)).toEqual(read);
      expect(proxy.requests.some(({ text }) => text.includes('Warfarin'))).toBe(true);
      expect(await client.interactions.refresh()).toBe(false);
    } finally {
      await proxy.stop();
    }
  });

  it('cover all that a person or a pet takes now', async () => {
    const { client, profileId } = ada;
    const rex = await client.profiles.create({ kind: 'pet', details: { name: 'Rex', species: 'dog' } });
    for (const details of [{ name: 'Warfarin' }, { name: 'Aspirin', endDate: '2020-01-01' }])
      await client.medications.create({ profileId, route: 'oral', schedule: null, details });
    expect(await client.checkInteractionsOf(profileId)).toEqual([]);
    await client.medications.create(ibuprofen());
    expect((await client.checkInteractionsOf(profileId)).map((each) => each.kind)).toEqual(['interaction']);
    await client.medications.create({ ...ibuprofen(), profileId: rex.id });
    expect((await client.checkInteractionsOf(rex.id)).map((each) => each.kind)).toContain('species_toxicity');
  });
});
