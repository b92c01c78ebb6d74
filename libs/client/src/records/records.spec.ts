import type { HealthRecordsClient } from '../client';
import { registered } from '../testing/fake-client';
import type { FakeService } from '../testing/fake-service';

let service: FakeService;
let client: HealthRecordsClient;
let profileId: string;

beforeAll(async () => {
  ({ service, client, profileId } = await registered());
});

afterEach(() => {
  service.intercept = undefined;
  service.pageSize = 1000;
});

const medication = (name = 'Canarine') => ({
  profileId,
  route: 'oral',
  schedule: { timesPerDay: 2, daysOfWeek: ['mon', 4] },
  details: { name, strength: '5 mg', custom: { kept: [1, null] } },
});

describe('medications', () => {
  it('stores and returns them whole, with nothing readable on the wire', async () => {
    const created = await client.medications.create(medication());
    expect(created).toMatchObject({ ...medication(), revision: 1, altered: [] });
    expect(await client.medications.get(created.id)).toEqual(created);
    expect(await client.medications.list({ profileId })).toContainEqual(created);
    expect(service.calls('POST /api/medications').at(-1)!.body).toEqual({
      id: created.id,
      profile_id: profileId,
      route: 'oral',
      dose_schedule: { times_per_day: 2, days_of_week: ['mon', 4] },
      encrypted_data: { ciphertext: expect.any(String), iv: expect.any(String) },
    });
    expect(service.wire).not.toMatch(/canar/i);
  });

  it('merges an update, removes members and clears the schedule', async () => {
    const created = await client.medications.create(medication());
    const updated = await client.medications.update(created, {
      schedule: null,
      details: { strength: undefined, notes: 'With food.' },
    });
    expect(updated).toMatchObject({ revision: 2, schedule: null, route: 'oral', altered: [] });
    expect(updated.details).toEqual({ name: 'Canarine', custom: { kept: [1, null] }, notes: 'With food.' });
  });

  it('moves to another profile, encrypted with its key', async () => {
    const pet = await client.profiles.create({
      kind: 'pet',
      relationship: 'cat',
      details: { name: 'Tom', species: 'cat' },
    });
    const created = await client.medications.create(medication());
    const moved = await client.medications.update(created, { profileId: pet.id });
    expect(moved).toMatchObject({ id: created.id, profileId: pet.id, details: created.details });
    expect((await client.medications.list({ profileId: pet.id })).map((each) => each.id)).toEqual([
      created.id,
    ]);
    await client.profiles.delete(pet.id);
    await client.medications.delete(created.id);
  });

  it('creates once when the answer is lost', async () => {
    const before = service.records.get('medications')!.length;
    let lost = 0;
    service.tamper = (request, answer) => {
      if (request.method === 'POST' && (lost += 1) === 1) throw new TypeError('connection reset');
      return answer;
    };
    const created = await client.medications.create(medication());
    service.tamper = undefined;
    expect(service.records.get('medications')).toHaveLength(before + 1);
    expect(created.details.name).toBe('Canarine');
  });

  it('tells both versions when somebody else was faster, and takes its own repeated write for success', async () => {
    const created = await client.medications.create(medication());
    const theirs = await client.medications.update(created, { details: { notes: 'theirs' } });
    await expect(client.medications.update(created, { details: { notes: 'mine' } })).rejects.toMatchObject({
      code: 'revision_conflict',
      mine: { details: { notes: 'mine' } },
      current: { revision: 2, details: { notes: 'theirs' } },
    });
    await expect(client.medications.delete(created)).rejects.toMatchObject({
      code: 'revision_conflict',
      current: { revision: 2 },
    });

    let lost = 0;
    service.tamper = (request, answer) => {
      if (request.method === 'POST' && (lost += 1) === 1) throw new TypeError('connection reset');
      return answer;
    };
    expect(await client.medications.update(theirs, { details: { notes: 'ours' } })).toMatchObject({
      revision: 3,
    });
    await client.medications.delete(created.id);
    lost = 0;
    const last = await client.medications.create({ ...medication() });
    lost = 0;
    await client.medications.delete(last);
    service.tamper = undefined;
    await expect(client.medications.update(last, {})).rejects.toMatchObject({ code: 'not_found' });
  });

  it('reads page after page', async () => {
    const created = [];
    for (let at = 0; at < 5; at += 1)
      created.push((await client.medications.create(medication(`Nr ${at}`))).id);
    service.pageSize = 2;
    const before = service.calls('GET /api/medications').length;
    const names: string[] = [];
    for await (const each of client.medications.iterate()) {
      names.push(each.details.name);
      if (names.length === 3) break;
    }
    expect(names).toEqual(['Nr 4', 'Nr 3', 'Nr 2']);
    expect(service.calls('GET /api/medications').length - before).toBe(2);
    expect((await client.medications.list()).map((each) => each.id)).toEqual(expect.arrayContaining(created));
  });

  it('logs doses: a lost answer does not count twice, two taps do, a mistaken one can be taken back', async () => {
    const { id } = await client.medications.create(medication());
    let lost = 0;
    service.tamper = (request, answer) => {
      if (request.path.endsWith('/log') && (lost += 1) === 1) throw new TypeError('connection reset');
      return answer;
    };
    const first = await client.medications.logDose(id, {
      taken: true,
      loggedAt: '2025-01-01T08:00:00+01:00',
    });
    service.tamper = undefined;
    const second = await client.medications.logDose(id, { taken: false });
    expect(first).toMatchObject({ medicationId: id, taken: true, loggedAt: '2025-01-01T07:00:00.000Z' });
    expect((await client.medications.doses(id)).map((dose) => dose.id)).toEqual([second.id, first.id]);
    await client.medications.deleteDose(id, second.id);
    expect(await client.medications.doses(id)).toEqual([first]);
  });

  it('reads adherence, with nothing to divide by as null', async () => {
    const { id } = await client.medications.create(medication());
    const body = {
      medication_id: id,
      period_days: 30,
      period_start: '2025-01-01',
      period_end: '2025-01-30',
      timezone: 'Europe/Berlin',
      taken_doses: 2,
      skipped_doses: 1,
      total_logged: 3,
      scheduled_doses: null,
      missed_doses: null,
      extra_doses: null,
      adherence_rate: 66.7,
      since_start: null,
    };
    service.intercept = ({ path, query }) =>
      path.endsWith('/adherence') && query.get('tz') === 'Europe/Berlin' ? { status: 200, body } : undefined;
    const adherence = await client.medications.adherence(id, { timeZone: 'Europe/Berlin' });
    expect(adherence).toMatchObject({
      takenDoses: 2,
      scheduledDoses: null,
      adherenceRate: 66.7,
      sinceStart: null,
    });
  });

  it.each([
    [{ details: { name: '' } }],
    [{ profileId: 'not-an-id' }],
    [{ details: { name: 'x'.repeat(201) } }],
    [{ id: '../../auth/logout' }],
  ])('refuses %p before it is sent', async (wrong) => {
    const before = service.requests.length;
    await expect(client.medications.create({ ...medication(), ...wrong })).rejects.toMatchObject({
      code: 'invalid_argument',
    });
    expect(service.requests).toHaveLength(before);
  });
});

describe('appointments', () => {
  it('stores them, filters by status, and seals the status', async () => {
    const details = { title: 'Canary check', startsAt: '2025-03-01T10:00:00+01:00' };
    const created = await client.appointments.create({ profileId, status: 'scheduled', details });
    const done = await client.appointments.update(created, { status: 'completed' });
    expect(done).toMatchObject({ status: 'completed', details, altered: [] });
    expect(await client.appointments.list({ status: 'scheduled' })).toEqual([]);
    expect(await client.appointments.list({ profileId, status: 'completed' })).toEqual([done]);
    await client.appointments.delete(done);
    expect(await client.appointments.list()).toEqual([]);
  });
});

describe('health statistics', () => {
  it('computes a trend of one series on the device', async () => {
    const add = (day: number, systolic: number, metric = 'blood_pressure') =>
      client.healthStats.create({
        profileId,
        recordedAt: `2025-02-0${day}T08:00:00+01:00`,
        details: { metric, values: { systolic, diastolic: 80 }, unit: 'mm[Hg]' },
      });
    await add(1, 120);
    await add(2, 130);
    await add(2, 150);
    await add(3, 160);
    await add(3, 999, 'other');
    const trend = await client.healthStats.trend({
      profileId,
      metric: 'blood_pressure',
      component: 'systolic',
      timeZone: 'Europe/Berlin',
      window: 2,
    });
    expect(trend).toMatchObject({ unit: 'mm[Hg]', count: 4, minimum: 120, maximum: 160, slopePerDay: 20 });
    expect(trend.days.map((day) => [day.date, day.mean, day.movingAverage])).toEqual([
      ['2025-02-01', 120, 120],
      ['2025-02-02', 140, 130],
      ['2025-02-03', 160, 150],
    ]);
    const [latest] = await client.healthStats.list({ profileId });
    expect(
      await client.healthStats.update(latest, { details: { unit: 'kPa', metric: 'blood_pressure' } }),
    ).toMatchObject({
      altered: [],
      recordedAt: '2025-02-03T07:00:00.000Z',
    });
    await expect(
      client.healthStats.trend({ profileId, metric: 'blood_pressure', component: 'systolic' }),
    ).rejects.toThrow(/different units: kPa, mm\[Hg\]/);
  });

  it('refuses values that are no numbers', async () => {
    const details = { metric: 'weight', values: { value: Number.NaN }, unit: 'kg' };
    await expect(client.healthStats.create({ profileId, details })).rejects.toMatchObject({
      code: 'invalid_argument',
    });
  });
});

describe('profiles', () => {
  it('creates, updates with a conflict told, and deletes with all that is under it', async () => {
    const pet = await client.profiles.create({
      kind: 'pet',
      relationship: 'dog',
      details: { name: 'Rex Canary' },
    });
    const renamed = await client.profiles.update(pet, { details: { species: 'dog' } });
    expect(renamed).toMatchObject({
      revision: 2,
      details: { name: 'Rex Canary', species: 'dog' },
      altered: [],
    });
    await expect(client.profiles.update(pet, { details: { name: 'Max' } })).rejects.toMatchObject({
      code: 'revision_conflict',
      mine: { details: { name: 'Max' } },
      current: { revision: 2 },
    });
    await client.profiles.delete(pet.id);
    expect((await client.profiles.list()).map((each) => each.id)).not.toContain(pet.id);
    expect(service.wire).not.toMatch(/canar/i);
  });
});
