import { randomUUID } from 'node:crypto';
import { expectFailure } from '@app/testing';
import { aBlob, aDose, aMedication, anAccount, aProfile } from '../support/factories';
import { aHousehold } from '../support/record-kinds';
import { type SharedService, sharedService } from '../support/service';

describe('medications', () => {
  let service: SharedService;
  beforeAll(async () => (service = await sharedService()));

  it('creates a medication that has no schedule', async () => {
    const { token, profileId } = await aHousehold(service.api);
    const sent = { profile_id: profileId, route: 'oral', encrypted_data: aBlob() };
    const { status, body, headers } = await service.api.post('/api/medications', sent, { token });
    expect(status).toBe(201);
    expect(headers.get('etag')).toBe('"1"');
    expect(body).toEqual({
      ...sent,
      id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/),
      dose_schedule: null,
      schedule_changed_at: null,
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      updated_at: body.created_at,
      revision: 1,
    });
    expect((await service.api.get(`/api/medications/${body.id}`, { token })).body).toEqual(body);
  });

  it.each([
    ['no profile', { profile_id: undefined }, 'profile_id'],
    ['a profile that is no UUID', { profile_id: 'mine' }, 'profile_id'],
    ['a profile that is a list', { profile_id: [randomUUID()] }, 'profile_id'],
    ['no route', { route: undefined }, 'route'],
    ['an empty route', { route: '' }, 'route'],
    ['a route of 65 characters', { route: 'x'.repeat(65) }, 'route'],
    ['a route that is a number', { route: 1 }, 'route'],
    ['no blob', { encrypted_data: undefined }, 'encrypted_data'],
    ['a blob that is null', { encrypted_data: null }, 'encrypted_data'],
    ['an empty string as blob', { encrypted_data: '' }, 'encrypted_data'],
    ['an empty object as blob', { encrypted_data: {} }, 'encrypted_data'],
    ['a list as blob', { encrypted_data: [aBlob()] }, 'encrypted_data'],
    ['a number as blob', { encrypted_data: 1 }, 'encrypted_data'],
    ['an IV beside the blob', { iv: 'aXY=' }, 'iv'],
    ['a name in plain text', { name: 'warfarin' }, 'name'],
  ])('refuses a create with %s', async (_, change, field) => {
    const { token, profileId } = await aHousehold(service.api);
    const body = { profile_id: profileId, route: 'oral', encrypted_data: aBlob(), ...change };
    expectFailure(await service.api.post('/api/medications', body, { token }), 'validation_failed', field);
  });

  it('takes a route of 64 characters', async () => {
    const { token, profileId } = await aHousehold(service.api);
    const route = '\u{1f48a}'.repeat(64);
    expect((await aMedication(service.api, token, profileId, { route })).route).toBe(route);
  });

  it('updates each field alone and replaces the blob as a whole', async () => {
    const { token, profileId } = await aHousehold(service.api);
    let before = await aMedication(service.api, token, profileId, { encrypted_data: { a: 1, b: 2 } });
    for (const change of [
      { route: 'nasal' },
      { encrypted_data: { c: 3 } },
      { dose_schedule: { times_per_day: 3 } },
    ]) {
      const { status, body, headers } = await service.api.post(`/api/medications/${before.id}`, change, {
        token,
      });
      expect(status).toBe(200);
      expect(body).toEqual({
        ...before,
        ...change,
        schedule_changed_at: 'dose_schedule' in change ? expect.stringMatching(/^20.*Z$/) : null,
        revision: before.revision + 1,
        updated_at: body.updated_at,
      });
      expect(headers.get('etag')).toBe(`"${body.revision}"`);
      before = body;
    }
    expect((await service.api.get(`/api/medications/${before.id}`, { token })).body).toEqual(before);
  });

  it('takes a record back as it was read', async () => {
    const { token, profileId } = await aHousehold(service.api);
    const before = await aMedication(service.api, token, profileId, { dose_schedule: { times_per_day: 2 } });
    const { status, body } = await service.api.post(`/api/medications/${before.id}`, before, { token });
    expect(status).toBe(200);
    expect(body).toEqual({ ...before, revision: 2, updated_at: body.updated_at });
  });

  it('lists newest first, and by profile', async () => {
    const { token, profileId, medicationId } = await aHousehold(service.api);
    const otherProfile = await aProfile(service.api, token);
    const second = await aMedication(service.api, token, otherProfile);
    const third = await aMedication(service.api, token, profileId);
    const idsOf = async (query: string) =>
      (await service.api.get(`/api/medications${query}`, { token })).body.map(({ id }: { id: string }) => id);
    expect(await idsOf('')).toEqual([third.id, second.id, medicationId]);
    expect(await idsOf(`?profile_id=${profileId}`)).toEqual([third.id, medicationId]);
    expect(await idsOf(`?profile_id=${otherProfile.toUpperCase()}`)).toEqual([second.id]);
  });

  it('deletes a medication with its doses, and nothing of another', async () => {
    const { token, profileId, medicationId } = await aHousehold(service.api);
    const kept = await aMedication(service.api, token, profileId);
    await aDose(service.api, token, medicationId);
    const keptDose = await aDose(service.api, token, kept.id);
    const deleted = await service.api.post(`/api/medications/${medicationId}/delete`, undefined, { token });
    expect([deleted.status, deleted.text]).toEqual([204, '']);
    expectFailure(await service.api.get(`/api/medications/${medicationId}/log`, { token }), 'not_found');
    expect((await service.api.get(`/api/medications/${kept.id}/log`, { token })).body).toEqual([keptDose]);
    expect((await service.api.get('/api/medications', { token })).body).toEqual([kept]);
  });
});

describe('the schedule of a medication', () => {
  let service: SharedService;
  beforeAll(async () => (service = await sharedService()));

  it.each<[string, object]>([
    ['no days', { times_per_day: 2 }],
    ['the least', { times_per_day: 1, days_of_week: [] }],
    ['the most', { times_per_day: 24, days_of_week: [0, 1, 2, 3, 4, 5, 6] }],
    ['7 for Sunday', { times_per_day: 1, days_of_week: [7, 1] }],
    ['names of two letters', { times_per_day: 1, days_of_week: ['mo', 'TU', 'We'] }],
    ['names of three letters', { times_per_day: 1, days_of_week: ['thu', 'FRI', 'Sat'] }],
    ['whole names', { times_per_day: 1, days_of_week: ['sunday', 'MONDAY', 'Tuesday'] }],
    ['numbers and names mixed, in any order', { times_per_day: 1, days_of_week: ['sat', 0, 'Friday', 3] }],
    ['its fields in the other order', { days_of_week: ['mon'], times_per_day: 4 }],
  ])('is returned as sent: with %s', async (_, schedule) => {
    const { token, profileId } = await aHousehold(service.api);
    const created = await aMedication(service.api, token, profileId, { dose_schedule: schedule });
    const read = await service.api.get(`/api/medications/${created.id}`, { token });
    expect(JSON.stringify(read.body.dose_schedule)).toBe(JSON.stringify(schedule));
    expect(read.body).toEqual(created);
  });

  it.each<[string, unknown]>([
    ['no times', { days_of_week: ['mon'] }],
    ['zero times', { times_per_day: 0 }],
    ['25 times', { times_per_day: 25 }],
    ['half a time', { times_per_day: 1.5 }],
    ['times as text', { times_per_day: '2' }],
    ['a negative day', { times_per_day: 1, days_of_week: [-1] }],
    ['day 8', { times_per_day: 1, days_of_week: [8] }],
    ['half a day', { times_per_day: 1, days_of_week: [1.5] }],
    ['a name of one letter', { times_per_day: 1, days_of_week: ['m'] }],
    ['a name of four letters', { times_per_day: 1, days_of_week: ['mond'] }],
    ['a name of another language', { times_per_day: 1, days_of_week: ['lundi'] }],
    ['an empty name', { times_per_day: 1, days_of_week: [''] }],
    ['null as a day', { times_per_day: 1, days_of_week: [null] }],
    ['one day instead of a list', { times_per_day: 1, days_of_week: 'mon' }],
    ['a day twice', { times_per_day: 1, days_of_week: [1, 1] }],
    ['Sunday as 0 and as 7', { times_per_day: 1, days_of_week: [0, 7] }],
    ['a day as number and as name', { times_per_day: 1, days_of_week: [1, 'Monday'] }],
    ['a day in two spellings', { times_per_day: 1, days_of_week: ['mo', 'MON'] }],
    ['an unknown field', { times_per_day: 1, at: '08:00' }],
    ['a field named constructor', { times_per_day: 1, constructor: { name: 'x' } }],
    ['a list for an object', [{ times_per_day: 1 }]],
    ['text for an object', 'daily'],
    ['an empty object', {}],
  ])('is refused with %s', async (_, schedule) => {
    const { token, profileId, medicationId } = await aHousehold(service.api);
    const body = { profile_id: profileId, route: 'oral', encrypted_data: aBlob(), dose_schedule: schedule };
    const create = await service.api.post('/api/medications', body, { token });
    const path = `/api/medications/${medicationId}`;
    const update = await service.api.post(path, { dose_schedule: schedule }, { token });
    for (const answer of [create, update]) {
      expectFailure(answer, 'validation_failed');
      expect(answer.body.details[0].field).toMatch(/^dose_schedule(\.|$)/);
    }
    expect((await service.api.get(path, { token })).body).toMatchObject({ dose_schedule: null, revision: 1 });
  });

  it('is kept by an update that does not name it, and cleared by null', async () => {
    const { token, profileId } = await aHousehold(service.api);
    const schedule = { times_per_day: 2, days_of_week: ['mon'] };
    const { id } = await aMedication(service.api, token, profileId, { dose_schedule: schedule });
    const update = async (body: object) =>
      (await service.api.post(`/api/medications/${id}`, body, { token })).body.dose_schedule;
    expect(await update({ route: 'nasal' })).toEqual(schedule);
    expect(await update({ dose_schedule: { times_per_day: 1 } })).toEqual({ times_per_day: 1 });
    expect(await update({ dose_schedule: null })).toBeNull();
    expect((await service.api.get(`/api/medications/${id}`, { token })).body.dose_schedule).toBeNull();
  });

  it('may be null on create', async () => {
    const { token } = await anAccount(service.api);
    const medication = await aMedication(service.api, token, await aProfile(service.api, token), {
      dose_schedule: null,
    });
    expect(medication.dose_schedule).toBeNull();
  });
});
