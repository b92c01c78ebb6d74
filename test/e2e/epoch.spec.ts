import { aNewSecret, type Answer } from '@app/testing';
import { aBlob, type Account, anAccount, aProfile } from '../support/factories';
import { sql } from '../support/databases';
import { startService, type TestService } from '../support/service';
import { until } from '../support/until';

const ORIGIN = 'https://app.example.org';

let service: TestService;
beforeAll(async () => (service = await startService({ CORS_ORIGINS: ORIGIN })));
afterAll(() => service.stop());

const etag = (answer: Answer) => answer.headers.get('etag');
const epoch = async () => (await service.api.get('/readyz')).body.epoch as string;

/** As after a restore, without a word to the running service. */
async function beginEpoch(): Promise<string> {
  const rows = await sql<{ id: string }>(
    service.databaseUrl,
    `INSERT INTO epochs (id, started_at) SELECT left(md5(random()::text), 12), max(started_at) + interval '1 second'
      FROM epochs RETURNING id`,
  );
  return rows[0].id;
}

/** Every write that takes an If-Match, in its own form of statement. */
const WRITES: Record<
  string,
  (account: Account, profileId: string, headers: Record<string, string>) => Promise<Answer>
> = {
  'an update': ({ token }, id, headers) =>
    service.api.put(`/api/profiles/${id}`, { relationship: 'dog' }, { token, headers }),
  'an update that depends on the stored record': ({ token }, id, headers) =>
    service.api.put(`/api/profiles/${id}`, { name_data: aBlob() }, { token, headers }),
  'a delete': ({ token }, id, headers) =>
    service.api.delete(`/api/profiles/${id}`, undefined, { token, headers }),
  'a change of the account': ({ token, password, email }, _id, headers) =>
    service.api.put(
      '/api/users/me',
      { email, current_password: password, ...aNewSecret() },
      { token, headers },
    ),
  'an erasure': ({ token, password }, _id, headers) =>
    service.api.post('/api/users/me/delete', { current_password: password }, { token, headers }),
};

const aFreshProfile = (token: string) => aProfile(service.api, token, { name_iv: '', name_data: aBlob() });

describe('in the first epoch', () => {
  it('a tag is the revision, and the revision with the epoch is understood too', async () => {
    const { token } = await anAccount(service.api);
    const id = await aFreshProfile(token);
    const read = await service.api.get(`/api/profiles/${id}`, { token });
    expect(etag(read)).toBe('"1"');
    const list = await service.api.get('/api/profiles', { token });
    expect(list.headers.get('records-epoch')).toBeNull();
    const headers = { 'If-Match': `"1-${await epoch()}"` };
    expect(
      (await service.api.put(`/api/profiles/${id}`, { relationship: 'dog' }, { token, headers })).status,
    ).toBe(200);
    const other = { 'If-Match': '"2-0123456789ab"' };
    expect(
      (await service.api.put(`/api/profiles/${id}`, { relationship: 'cat' }, { token, headers: other }))
        .status,
    ).toBe(412);
  });
});

describe('in a later epoch', () => {
  it.each(Object.entries(WRITES))('%s with a tag of an earlier one is refused at once', async (_, write) => {
    const account = await anAccount(service.api);
    const { token } = account;
    const id = await aFreshProfile(token);
    // The service knows the epoch of these, and is told of no other.
    const read = await service.api.get(`/api/profiles/${id}`, { token });
    const before = await epoch();
    const now = await beginEpoch();
    for (const old of [etag(read)!, '"1"', `"1-${before}"`, `"1", "1-${before}"`]) {
      const answer = await write(account, id, { 'If-Match': old });
      expect([old, answer.status, answer.body?.code]).toEqual([old, 412, 'revision_mismatch']);
    }
    const again = await service.api.get(`/api/profiles/${id}`, { token });
    expect(again.body).toEqual(read.body);
    expect((await write(account, id, { 'If-Match': `"1-${now}"` })).status).toBeLessThan(300);
  });

  it('answers carry it: a refused client reads once more, and its change is taken', async () => {
    const { token } = await anAccount(service.api);
    const id = await aFreshProfile(token);
    const now = await beginEpoch();
    const path = `/api/profiles/${id}`;
    const refused = await service.api.put(
      path,
      { relationship: 'dog' },
      { token, headers: { 'If-Match': '"1"' } },
    );
    expect(refused.status).toBe(412);
    const tag = etag(await service.api.get(path, { token }))!;
    expect(tag).toBe(`"1-${now}"`);
    const changed = await service.api.put(
      path,
      { relationship: 'dog' },
      { token, headers: { 'If-Match': tag } },
    );
    expect([changed.status, etag(changed)]).toEqual([200, `"2-${now}"`]);
    const list = await service.api.get('/api/profiles', { token, headers: { Origin: ORIGIN } });
    expect(list.headers.get('records-epoch')).toBe(now);
    expect(list.headers.get('access-control-expose-headers')).toMatch(/, Records-Epoch$/);
    // `/readyz` may repeat the answer of its last check for a second.
    await until('/readyz tells the new epoch', async () => (await epoch()) === now);
  });
});
