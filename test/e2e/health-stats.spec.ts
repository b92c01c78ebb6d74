import { expectFailure } from '@app/testing';
import { aBlob, aHealthStat, aProfile } from '../support/factories';
import { aHousehold } from '../support/record-kinds';
import { type SharedService, sharedService } from '../support/service';

describe('health statistics', () => {
  let service: SharedService;
  beforeAll(async () => (service = await sharedService()));

  const idsOf = async (query: string, token: string): Promise<string[]> =>
    (await service.api.get(`/api/health-stats${query}`, { token })).body.map(({ id }: { id: string }) => id);

  it('are created, and read as they were answered', async () => {
    const { token, profileId } = await aHousehold(service.api);
    const sent = {
      profile_id: profileId,
      encrypted_data: aBlob(),
      recorded_at: '2025-02-03T04:05:06.789+02:00',
    };
    const { status, body, headers } = await service.api.post('/api/health-stats', sent, { token });
    expect([status, headers.get('etag')]).toEqual([201, '"1"']);
    expect(body).toEqual({
      ...sent,
      id: expect.any(String),
      recorded_at: '2025-02-03T02:05:06.789Z',
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      updated_at: body.created_at,
      revision: 1,
    });
    expect((await service.api.get(`/api/health-stats/${body.id}`, { token })).body).toEqual(body);
  });

  it('are recorded now by default, and may be of any time, the future too', async () => {
    const { token, profileId } = await aHousehold(service.api);
    const before = Date.now();
    const { recorded_at: now } = await aHealthStat(service.api, token, profileId, { recorded_at: undefined });
    // The database keeps its own clock, on the same machine.
    expect(Date.parse(now)).toBeGreaterThanOrEqual(before - 1000);
    expect(Date.parse(now)).toBeLessThanOrEqual(Date.now() + 1000);
    for (const time of ['0001-01-01T00:00:00.000Z', '9999-12-31T23:59:59.999Z']) {
      const stat = await aHealthStat(service.api, token, profileId, { recorded_at: time });
      expect(stat.recorded_at).toBe(time);
      expect((await service.api.get(`/api/health-stats/${stat.id}`, { token })).body.recorded_at).toBe(time);
    }
  });

  it.each<[string, object, string]>([
    ['no profile', { profile_id: undefined }, 'profile_id'],
    ['no blob', { encrypted_data: undefined }, 'encrypted_data'],
    ['recorded_at as null', { recorded_at: null }, 'recorded_at'],
    ['recorded_at as number', { recorded_at: 1_700_000_000_000 }, 'recorded_at'],
    ['a value in plain text', { value: 72 }, 'value'],
    ['a kind in plain text', { kind: 'weight' }, 'kind'],
  ])('are refused with %s', async (_, change, field) => {
    const { token, profileId } = await aHousehold(service.api);
    const body = { profile_id: profileId, encrypted_data: aBlob(), ...change };
    const answer = await service.api.post('/api/health-stats', body, { token });
    expectFailure(answer, 'validation_failed', field);
    expect(await idsOf('', token)).toEqual([]);
  });

  it('are listed by the time they were recorded, latest first, whenever they were created', async () => {
    const { token, profileId } = await aHousehold(service.api);
    const at = (recorded_at: string) => aHealthStat(service.api, token, profileId, { recorded_at });
    const [second, third, first] = [
      await at('2025-05-02T00:00:00Z'),
      await at('2025-05-03T00:00:00Z'),
      await at('2025-05-02T01:59:59.999+02:00'),
    ];
    expect(await idsOf('', token)).toEqual([third.id, second.id, first.id]);
  });

  it('are filtered by profile and by the time they were recorded, both ends included', async () => {
    const { token, profileId } = await aHousehold(service.api);
    const otherProfile = await aProfile(service.api, token);
    const at = async (day: number, profile = profileId) =>
      (await aHealthStat(service.api, token, profile, { recorded_at: `2025-05-0${day}T12:00:00Z` })).id;
    const [one, two, three, beside] = [await at(1), await at(2), await at(3), await at(2, otherProfile)];
    const time = (day: number, rest = 'T12:00:00Z') => encodeURIComponent(`2025-05-0${day}${rest}`);
    expect(await idsOf(`?profile_id=${profileId}`, token)).toEqual([three, two, one]);
    expect(await idsOf(`?recorded_from=${time(3)}`, token)).toEqual([three]);
    expect(await idsOf(`?recorded_to=${time(1)}`, token)).toEqual([one]);
    expect(await idsOf(`?recorded_from=${time(2)}&recorded_to=${time(2)}`, token)).toEqual([beside, two]);
    expect(await idsOf(`?recorded_from=${time(2, 'T14:00:00.001+02:00')}`, token)).toEqual([three]);
    expect(await idsOf(`?recorded_from=${time(3)}&recorded_to=${time(1)}`, token)).toEqual([]);
    expect(await idsOf(`?recorded_to=${time(2)}&profile_id=${otherProfile}`, token)).toEqual([beside]);
  });

  it.each(['recorded_from', 'recorded_to'])('refuse a %s that is no time', async (name) => {
    const { token } = await aHousehold(service.api);
    for (const time of [
      '',
      'today',
      '2025-05-01',
      '2025-05-01T00:00:00Z&' + name + '=2025-05-02T00:00:00Z',
    ]) {
      const answer = await service.api.get(`/api/health-stats?${name}=${time}`, { token });
      expectFailure(answer, 'validation_failed', name);
    }
  });

  it('are updated field by field with PUT, the blob as a whole', async () => {
    const { token, profileId } = await aHousehold(service.api);
    let before = await aHealthStat(service.api, token, profileId);
    for (const change of [{ recorded_at: '2024-01-01T00:00:00.000Z' }, { encrypted_data: { x: 1 } }]) {
      const path = `/api/health-stats/${before.id}`;
      const { status, body } = await service.api.put(path, change, { token });
      expect(status).toBe(200);
      expect(body).toEqual({
        ...before,
        ...change,
        revision: before.revision + 1,
        updated_at: body.updated_at,
      });
      before = body;
    }
    expect((await service.api.get(`/api/health-stats/${before.id}`, { token })).body).toEqual(before);
  });
});
