import { expectFailure } from '../support/failures';
import { aHousehold, aRecord, itemPath, RECORD_KINDS, REVISED_KINDS } from '../support/record-kinds';
import { startService, type TestService } from '../support/service';

let service: TestService;
beforeAll(async () => (service = await startService()));
afterAll(() => service.stop());

const UNKNOWN = ['limi', 'profile', 'constructor', '__proto__', 'toString', 'hasOwnProperty', 'profile_id[]'];

describe.each(RECORD_KINDS)('the list of a $name', (kind) => {
  it.each(UNKNOWN)('refuses the unknown parameter %s by its name', async (name) => {
    const household = await aHousehold(service.api);
    const path = `${kind.collection(household)}?${encodeURIComponent(name)}=1`;
    expectFailure(await service.api.get(path, { token: household.token }), 'validation_failed', name);
  });

  it('names every parameter that is wrong', async () => {
    const household = await aHousehold(service.api);
    const path = `${kind.collection(household)}?limit=0&cursor=x&updated_since=y&z=1`;
    expectFailure(
      await service.api.get(path, { token: household.token }),
      'validation_failed',
      'limit',
      'cursor',
      'updated_since',
      'z',
    );
  });

  it.each([
    'limit=0',
    'limit=1001',
    'limit=-1',
    'limit=1.5',
    'limit=ten',
    'limit=',
    'limit=1&limit=2',
    'limit=%2B5',
    'cursor=',
    'cursor=nothing',
    'cursor=MjAyNi0xMS0yMFQwODowMDowMFogeA',
    'updated_since=yesterday',
    'updated_since=2026-02-30T00:00:00Z',
    'updated_since=2026-01-01',
    'updated_since=0',
  ])('refuses ?%s', async (query) => {
    const household = await aHousehold(service.api);
    const path = `${kind.collection(household)}?${query}`;
    const field = query.split('=')[0];
    expectFailure(await service.api.get(path, { token: household.token }), 'validation_failed', field);
  });
});

describe('the other routes', () => {
  it.each(REVISED_KINDS)('refuse a parameter by its name: the item of a $name', async (kind) => {
    const household = await aHousehold(service.api);
    const record = await aRecord(service.api, kind, household);
    const path = `${itemPath(kind, household, record[kind.idField])}?fields=id&expand=1`;
    expectFailure(
      await service.api.get(path, { token: household.token }),
      'validation_failed',
      'fields',
      'expand',
    );
  });

  it.each(RECORD_KINDS)(
    'refuse a parameter by its name, and create nothing: a create of a $name',
    async (kind) => {
      const household = await aHousehold(service.api);
      const list = async () =>
        (await service.api.get(kind.collection(household), { token: household.token })).body;
      const before = await list();
      const path = `${kind.collection(household)}?dry_run=true`;
      const answer = await service.api.post(path, kind.body(household), { token: household.token });
      expectFailure(answer, 'validation_failed', 'dry_run');
      expect(await list()).toEqual(before);
    },
  );

  it.each([
    '/api/users/me',
    '/api/auth/recovery-info?email=a@b',
    '/api/interactions/knowledge-base',
    '/healthz',
    '/readyz',
  ])('refuse a parameter by its name: %s', async (path) => {
    const { token } = await aHousehold(service.api);
    const answer = await service.api.get(`${path}${path.includes('?') ? '&' : '?'}x=1`, { token });
    expectFailure(answer, 'validation_failed', 'x');
  });

  it('ask for a token before they look at a parameter', async () => {
    expectFailure(await service.api.get('/api/users/me?x=1'), 'token_missing');
  });
});

describe('a profile in a query', () => {
  const FILTERED = RECORD_KINDS.filter(({ name }) => !['profile', 'dose'].includes(name));

  it.each(FILTERED)('finds nothing where it is not the caller’s: the list of a $name', async (kind) => {
    const [household, other] = [await aHousehold(service.api), await aHousehold(service.api)];
    await aRecord(service.api, kind, household);
    await aRecord(service.api, kind, other);
    const unknown = '01994c5e-9f52-7d6b-b1a4-6a1f0f0e7c11';
    for (const profile of [other.profileId, unknown]) {
      const path = `${kind.collection(household)}?profile_id=${profile}`;
      const answer = await service.api.get(path, { token: household.token });
      expect([answer.status, answer.body]).toEqual([200, []]);
    }
  });

  it.each(FILTERED)('is refused where it is no UUID: the list of a $name', async (kind) => {
    const household = await aHousehold(service.api);
    for (const profile of ['', 'mine', `${household.profileId}%20`]) {
      const path = `${kind.collection(household)}?profile_id=${profile}`;
      expectFailure(
        await service.api.get(path, { token: household.token }),
        'validation_failed',
        'profile_id',
      );
    }
  });
});
