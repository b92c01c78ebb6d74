import { type Answer, decodeToken, expectFailure, tablesHolding } from '@app/testing';
import { anAddress, ClientAt, LIMITED } from '../support/clients';
import { createDatabase, dropDatabase, sql } from '../support/databases';
import { type Account, anAccount } from '../support/factories';
import { startService, type TestService } from '../support/service';

let databaseUrl: string;
let replicas: TestService[];
beforeAll(async () => {
  databaseUrl = await createDatabase();
  const environment = { ...LIMITED, DATABASE_URL: databaseUrl };
  replicas = [await startService(environment), await startService(environment)];
});
afterAll(async () => {
  for (const replica of replicas) await replica.stop();
  await dropDatabase(databaseUrl);
});

const client = (index = 0, address?: string) => new ClientAt(replicas[index % 2].api.url, address);

interface From {
  key?: string;
  agent?: string;
}
const refresh = (api: ClientAt, refreshToken: string, { key, agent }: From = {}): Promise<Answer> =>
  api.post(
    '/api/auth/refresh',
    { refresh_token: refreshToken },
    {
      headers: {
        ...(key === undefined ? {} : { 'Idempotency-Key': key }),
        ...(agent === undefined ? {} : { 'User-Agent': agent }),
      },
    },
  );
const isAlive = async (api: ClientAt, token: string, from?: From) =>
  (await refresh(api, token, from)).status === 200;
const exchange = async (api: ClientAt, token: string, from?: From): Promise<string> => {
  const { status, body } = await refresh(api, token, from);
  expect(status).toBe(200);
  return body.refresh_token;
};
const age = (token: string, seconds: number) =>
  sql(
    databaseUrl,
    `UPDATE sessions SET retired = (
      SELECT coalesce(jsonb_agg(r || jsonb_build_object('at', (r->>'at')::timestamptz - $2 * interval '1 second')), '[]')
      FROM jsonb_array_elements(retired) r) WHERE id = $1`,
    [decodeToken(token).header.jti.split('.')[0], seconds],
  );
/** An access token of another session of the account: it lives on when the first session ends. */
const otherSession = async ({ email, password }: Account): Promise<string> =>
  (await client().post('/api/auth/login', { email, password })).body.token;
const eventsOf = async (token: string): Promise<string[]> =>
  (await client().get('/api/users/me/events', { token })).body.map(({ kind }: { kind: string }) => kind);

describe('the same token with the same Idempotency-Key', () => {
  it('gets the same successor again, on any replica and from any network, and no event', async () => {
    const { token, refreshToken } = await anAccount(client());
    const first = await refresh(client(), refreshToken, { key: 'k', agent: 'one' });
    const again = await refresh(client(1, anAddress()), refreshToken, { key: 'k', agent: 'other' });
    expect([first.status, again.status]).toEqual([200, 200]);
    expect(again.body.refresh_token).toBe(first.body.refresh_token);
    expect(Object.keys(again.body)).toEqual(Object.keys(first.body));
    expect((await client().get('/api/users/me', { token: again.body.token })).status).toBe(200);
    expect(await eventsOf(token)).toEqual(['registered']);
    expect(await isAlive(client(), first.body.refresh_token)).toBe(true);
  });

  it.each([
    [59, 200],
    [61, 401],
  ])('is answered %d seconds later with %d', async (seconds, status) => {
    const account = await anAccount(client());
    const { refreshToken } = account;
    const next = await exchange(client(), refreshToken, { key: 'k' });
    await age(next, seconds);
    expect((await refresh(client(), refreshToken, { key: 'k' })).status).toBe(status);
    expect(await isAlive(client(), next)).toBe(status === 200);
    expect((await eventsOf(await otherSession(account))).includes('token_reuse')).toBe(status === 401);
  });

  it('is refused once the successor was used', async () => {
    const [api, key] = [client(), 'k'];
    const { token, refreshToken } = await anAccount(api);
    const next = await exchange(api, refreshToken, { key });
    const live = await exchange(api, next, { key });
    expectFailure(await refresh(api, refreshToken, { key }), 'refresh_token_invalid');
    expect(await eventsOf(token)).toEqual(['token_repeated', 'registered']);
    expect(await isAlive(api, live)).toBe(true);
  });

  it('gets one successor in a storm on two replicas, for one exchange', async () => {
    let { refreshToken } = await anAccount(client());
    for (let round = 1; round <= 3; round++) {
      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, index) => refresh(client(index), refreshToken, { key: `k${round}` })),
      );
      expect([round, answers.map(({ status }) => status)]).toEqual([round, Array(20).fill(200)]);
      const successors = new Set(answers.map(({ body }) => body.refresh_token));
      expect([round, successors.size]).toEqual([round, 1]);
      [refreshToken] = successors;
    }
    expect(await isAlive(client(1), refreshToken)).toBe(true);
  });

  it('stores neither the key nor the successor', async () => {
    const { refreshToken } = await anAccount(client());
    const key = 'a-key-that-can-be-found-again';
    const next = await exchange(client(), refreshToken, { key, agent: 'an-agent-that-can-be-found' });
    for (const text of [key, next, 'an-agent-that-can-be-found'])
      expect(await tablesHolding(databaseUrl, text)).toEqual([]);
  });

  it('is one that keeps to the rule of keys', async () => {
    const { refreshToken } = await anAccount(client());
    const refused = await refresh(client(), refreshToken, { key: 'x'.repeat(256) });
    expectFailure(refused, 'validation_failed', 'Idempotency-Key');
    expect(await isAlive(client(), refreshToken)).toBe(true);
  });
});

describe('a reuse within ten seconds', () => {
  it.each([
    ['without a key', undefined],
    ['with another key', 'other'],
  ])('%s, by the same client, is a plain 401 and an event; the session lives', async (_, key) => {
    const api = client();
    const { token, refreshToken } = await anAccount(api);
    const next = await exchange(api, refreshToken, { key: 'k' });
    await age(next, 9);
    for (let count = 0; count < 3; count++)
      expectFailure(await refresh(api, refreshToken, { key }), 'refresh_token_invalid');
    // However often, it is one event a minute.
    expect(await eventsOf(token)).toEqual(['token_repeated', 'registered']);
    expect(await isAlive(api, next)).toBe(true);
  });

  it.each([
    ['from another network', () => client(), {}],
    ['with another user agent', (home: ClientAt) => home, { agent: 'another' }],
    ['with another user agent and another key', (home: ClientAt) => home, { agent: 'another', key: 'other' }],
  ])('%s ends the line and no other, and the owner hears of it', async (_, elsewhere, from) => {
    const thief = client();
    const account = await anAccount(thief);
    const other = await thief.post('/api/auth/login', { email: account.email, password: account.password });
    // The thief comes first, the owner five seconds later.
    const stolen = await exchange(thief, account.refreshToken);
    await age(stolen, 5);
    expectFailure(await refresh(elsewhere(thief), account.refreshToken, from), 'refresh_token_invalid');
    expect(await isAlive(thief, stolen)).toBe(false);
    expect(await isAlive(thief, other.body.refresh_token)).toBe(true);
    expect(await eventsOf(other.body.token)).toEqual(['token_reuse', 'login', 'registered']);
  });

  it('by a client in the same /64 is one by the same client', async () => {
    const { refreshToken } = await anAccount(client());
    const next = await exchange(client(0, '2001:db8:5:6::1'), refreshToken);
    await refresh(client(0, '2001:db8:5:6:7::2'), refreshToken);
    expect(await isAlive(client(), next)).toBe(true);
  });

  it('counts exchanges of an older version, which stored no client, as by the same client', async () => {
    const { refreshToken } = await anAccount(client());
    const next = await exchange(client(), refreshToken);
    await sql(
      databaseUrl,
      `UPDATE sessions SET retired = (SELECT jsonb_agg(r - 'origin' - 'agent' - 'iat') FROM jsonb_array_elements(retired) r)
        WHERE id = $1`,
      [decodeToken(next).header.jti.split('.')[0]],
    );
    expectFailure(await refresh(client(), refreshToken, { key: 'k' }), 'refresh_token_invalid');
    expect(await isAlive(client(), next)).toBe(true);
  });

  it('remembers the last twenty exchanges at most', async () => {
    const api = client();
    const { refreshToken } = await anAccount(api);
    let live = refreshToken;
    for (let count = 0; count < 25; count++) live = await exchange(api, live);
    const [{ retired }] = await sql<{ retired: object[] }>(
      databaseUrl,
      'SELECT retired FROM sessions WHERE id = $1',
      [decodeToken(live).header.jti.split('.')[0]],
    );
    expect(retired).toHaveLength(20);
  });
});
