import { expectFailure } from '@app/testing';
import { aBlob, anAppointment, aProfile } from '../support/factories';
import { aHousehold } from '../support/record-kinds';
import { type SharedService, sharedService } from '../support/service';

describe('appointments', () => {
  let service: SharedService;
  beforeAll(async () => (service = await sharedService()));

  const post = (path: string, body: unknown, token: string) => service.api.post(path, body, { token });
  const idsOf = async (query: string, token: string): Promise<string[]> =>
    (await service.api.get(`/api/appointments${query}`, { token })).body.map(({ id }: { id: string }) => id);

  it('are created, and read as they were answered', async () => {
    const { token, profileId } = await aHousehold(service.api);
    const sent = { profile_id: profileId, status: 'scheduled', encrypted_data: aBlob() };
    const { status, body, headers } = await post('/api/appointments', sent, token);
    expect([status, headers.get('etag')]).toEqual([201, '"1"']);
    expect(body).toEqual({
      ...sent,
      id: expect.any(String),
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      updated_at: body.created_at,
      revision: 1,
    });
    expect((await service.api.get(`/api/appointments/${body.id}`, { token })).body).toEqual(body);
  });

  it.each([
    'scheduled',
    'completed',
    'cancelled',
    'missed',
    ' Nach Absprache ',
    '\u{1f9b7}'.repeat(64),
    "' OR 1=1",
  ])('take any printable status: %j', async (status) => {
    const { token, profileId } = await aHousehold(service.api);
    const { id, ...created } = await anAppointment(service.api, token, profileId, { status });
    await anAppointment(service.api, token, profileId, { status: 'another' });
    expect(created.status).toBe(status);
    expect(await idsOf(`?status=${encodeURIComponent(status)}`, token)).toEqual([id]);
  });

  it.each<[string, unknown]>([
    ['empty', ''],
    ['too long', 'x'.repeat(65)],
    ['with a line break', 'a\nb'],
    ['with a zero-width character', 'a\u200bb'],
    ['with a NUL', 'a\0b'],
    ['a number', 1],
    ['null', null],
    ['missing', undefined],
  ])('refuse a status that is %s', async (_, status) => {
    const { token, profileId } = await aHousehold(service.api);
    const body = { profile_id: profileId, status, encrypted_data: aBlob() };
    expectFailure(await post('/api/appointments', body, token), 'validation_failed', 'status');
  });

  it.each<[string, object, string]>([
    ['no profile', { profile_id: undefined }, 'profile_id'],
    ['no blob', { encrypted_data: undefined }, 'encrypted_data'],
    ['a time in plain text', { starts_at: '2026-11-20T08:00:00Z' }, 'starts_at'],
  ])('are refused with %s', async (_, change, field) => {
    const { token, profileId } = await aHousehold(service.api);
    const body = { profile_id: profileId, status: 'scheduled', encrypted_data: aBlob(), ...change };
    expectFailure(await post('/api/appointments', body, token), 'validation_failed', field);
  });

  it('are filtered by status and profile, alone and together, status compared exactly', async () => {
    const { token, profileId: ana } = await aHousehold(service.api);
    const ben = await aProfile(service.api, token);
    const [first, second, third, fourth] = [
      await anAppointment(service.api, token, ana, { status: 'scheduled' }),
      await anAppointment(service.api, token, ben, { status: 'scheduled' }),
      await anAppointment(service.api, token, ana, { status: 'Scheduled' }),
      await anAppointment(service.api, token, ben, { status: 'missed' }),
    ].map(({ id }) => id as string);
    expect(await idsOf('', token)).toEqual([fourth, third, second, first]);
    expect(await idsOf('?status=scheduled', token)).toEqual([second, first]);
    expect(await idsOf('?status=sched', token)).toEqual([]);
    expect(await idsOf(`?profile_id=${ben}`, token)).toEqual([fourth, second]);
    expect(await idsOf(`?profile_id=${ana}&status=scheduled`, token)).toEqual([first]);
  });

  it.each(['', 'x'.repeat(65), 'a%00b', 'a&status=b'])(
    'refuse to filter by the status %p',
    async (status) => {
      const { token } = await aHousehold(service.api);
      const answer = await service.api.get(`/api/appointments?status=${status}`, { token });
      expectFailure(answer, 'validation_failed', 'status');
    },
  );

  it('are updated field by field, the blob as a whole', async () => {
    const { token, profileId } = await aHousehold(service.api);
    let before = await anAppointment(service.api, token, profileId);
    for (const change of [{ status: 'completed' }, { encrypted_data: { other: 'shape' } }]) {
      const { status, body } = await post(`/api/appointments/${before.id}`, change, token);
      expect(status).toBe(200);
      expect(body).toEqual({
        ...before,
        ...change,
        revision: before.revision + 1,
        updated_at: body.updated_at,
      });
      before = body;
    }
    expect((await service.api.get(`/api/appointments/${before.id}`, { token })).body).toEqual(before);
  });

  it('go to another filter with their status', async () => {
    const { token, profileId } = await aHousehold(service.api);
    const { id } = await anAppointment(service.api, token, profileId);
    await post(`/api/appointments/${id}`, { status: 'completed' }, token);
    expect(await idsOf('?status=scheduled', token)).toEqual([]);
    expect(await idsOf('?status=completed', token)).toEqual([id]);
  });
});
