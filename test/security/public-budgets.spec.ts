import { Database } from '@app/database';
import { LOCAL_POLICIES, RateLimits, RequestBudgets } from '@app/security';
import { expectFailure } from '@app/testing';
import { Client } from 'pg';
import { anAddress, ClientAt, LIMITED } from '../support/clients';
import { sql } from '../support/databases';
import { anAccount } from '../support/factories';
import { type ServiceHere, startServiceHere } from '../support/service-here';
import { until } from '../support/until';

/** Statements of the counters that wait for a lock. */
const WAITING = `SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%INTO rate_limits%'`;
const KNOWLEDGE = '/api/interactions/knowledge-base';
const GZIP = { headers: { 'Accept-Encoding': 'gzip' } };
const PLAIN = { headers: { 'Accept-Encoding': 'identity' } };

let service: ServiceHere;
beforeAll(async () => (service = await startServiceHere(LIMITED)));
afterAll(() => service.stop());
afterEach(() => jest.restoreAllMocks());

const client = () => new ClientAt(service.api.url);
const spend = (
  policy: (typeof LOCAL_POLICIES)[keyof typeof LOCAL_POLICIES],
  address: string,
  points: number,
) => service.app.get(RateLimits).takeFromAddress(policy, address, points);

describe('/readyz', () => {
  it('has 600 requests in a minute for each address, and says when to come back', async () => {
    const api = client();
    await spend(LOCAL_POLICIES.readyz, api.address, 599);
    expect((await api.get('/readyz')).status).toBe(200);
    const refused = await api.get('/readyz');
    expectFailure(refused, 'rate_limited');
    expect(refused.headers.get('ratelimit-policy')).toBe('"readyz";q=600;w=60');
    expect((await client().get('/readyz')).status).toBe(200);
    expect((await api.get('/api/profiles')).status).toBe(401);
  });

  it('asks the database five times in a second at most, however often it is asked', async () => {
    const query = jest.spyOn(service.app.get(Database), 'query');
    const migrations = () => query.mock.calls.filter(([{ name }]) => name === 'find migration').length;
    const now = jest.spyOn(performance, 'now').mockReturnValue(1e9);
    for (let count = 0; count < 20; count++) expect((await service.api.get('/readyz')).status).toBe(200);
    expect(migrations()).toBe(5);
    now.mockReturnValue(1e9 + 1_000);
    expect((await service.api.get('/readyz')).status).toBe(200);
    expect(migrations()).toBe(6);
  });

  it('has one check under way at a time', async () => {
    jest.spyOn(performance, 'now').mockReturnValue(2e9);
    let finish = (_: unknown) => undefined as void;
    const held = new Promise((resolve) => (finish = resolve));
    const query = jest.spyOn(service.app.get(Database), 'query').mockImplementation(() => held as never);
    const answers = Promise.all(Array.from({ length: 10 }, () => service.api.get('/readyz')));
    await until('one has asked', async () => query.mock.calls.length > 0);
    expect(query).toHaveBeenCalledTimes(1);
    finish([]);
    for (const answer of await answers) expectFailure(answer, 'database_unavailable');
  });
});

it('a flood of strangers takes no connection to the database from owners', async () => {
  const { token } = await anAccount(service.api);
  // More than the pool has connections.
  const strangers = Array.from({ length: 30 }, client);
  const flooded = () =>
    Promise.all(strangers.map((each) => each.post('/api/auth/prelogin', { email: 'a@b' })));
  await flooded();
  const holder = new Client(service.databaseUrl);
  await holder.connect();
  await holder.query('BEGIN');
  await holder.query('SELECT FROM rate_limits FOR UPDATE');
  const flood = flooded();
  await until('they wait', async () => (await sql(service.databaseUrl, WAITING)).length > 0);
  // All addresses together have the slots of one, so that a turn of the event loop stays short.
  const budgets = service.app.get(RequestBudgets, { strict: false });
  await until('all but eight wait for their turn', () => Promise.resolve(budgets.waiting === 22));
  const owners = await Promise.all(
    Array.from({ length: 12 }, () => service.api.get('/api/users/me', { token })),
  );
  expect(owners.map(({ status }) => status)).toEqual(owners.map(() => 200));
  expect((await sql(service.databaseUrl, WAITING)).length).toBeGreaterThan(0);
  await holder.query('ROLLBACK');
  await holder.end();
  await flood;
});

it('all strangers together have eight turns at a time, each of 20 ms at least', async () => {
  const budgets = service.app.get(RequestBudgets, { strict: false });
  jest.spyOn(performance, 'now').mockReturnValue(1e9);
  const start = setTimeout;
  const turns: (() => void)[] = [];
  jest.spyOn(globalThis, 'setTimeout').mockImplementation(((end: () => void, ms: number) => {
    const timer = start(ms === 20 ? () => turns.push(end) : end, ms);
    return timer;
  }) as typeof setTimeout);
  const answers = Array.from({ length: 20 }, () => client().post('/api/auth/passkey/options', {}));
  for (const waiting of [12, 4, 0]) {
    await until(
      'eight are answered',
      async () => turns.length === 8 || (waiting === 0 && turns.length === 4),
    );
    expect(budgets.waiting).toBe(waiting);
    turns.splice(0).forEach((end) => end());
  }
  expect((await Promise.all(answers)).map(({ status }) => status)).toEqual(answers.map(() => 200));
});

it('/healthz has no limit', async () => {
  const api = client();
  for (const policy of Object.values(LOCAL_POLICIES)) {
    await spend(policy, api.address, policy.points);
    await expect(spend(policy, api.address, 1)).rejects.toMatchObject({ code: 'rate_limited' });
  }
  expect((await api.get('/healthz')).status).toBe(200);
});

describe('the knowledge base', () => {
  it('can be downloaded 60 times in a minute by each address', async () => {
    const api = client();
    await spend(LOCAL_POLICIES.knowledgeBase, api.address, 59);
    expect((await api.get(KNOWLEDGE, GZIP)).status).toBe(200);
    const refused = await api.get(KNOWLEDGE, GZIP);
    expectFailure(refused, 'rate_limited');
    expect(refused.headers.get('ratelimit-policy')).toBe('"knowledge-base";q=60;w=60');
    expect((await client().get(KNOWLEDGE, GZIP)).status).toBe(200);
    expectFailure(await api.get('/api/profiles'), 'token_missing');
  });

  it('can be downloaded six times in a minute without gzip', async () => {
    const api = client();
    for (let count = 0; count < 6; count++) expect((await api.get(KNOWLEDGE, PLAIN)).status).toBe(200);
    expectFailure(await api.get(KNOWLEDGE, PLAIN), 'rate_limited');
  });

  it('costs one point where it is not sent', async () => {
    const api = client();
    const etag = (await api.get(KNOWLEDGE, GZIP)).headers.get('etag')!;
    for (let count = 0; count < 20; count++) {
      const headers = { ...PLAIN.headers, 'If-None-Match': etag };
      expect((await api.get(KNOWLEDGE, { headers })).status).toBe(304);
    }
  });

  it('may be kept for a day', async () => {
    const { headers } = await client().get(KNOWLEDGE, GZIP);
    expect(headers.get('cache-control')).toBe('public, max-age=86400');
  });
});

describe('a proxy that is trusted by its network', () => {
  const POLICY = LOCAL_POLICIES.knowledgeBase;

  it.each([
    ['127.0.0.0/8', true],
    ['192.0.2.1, 127.0.0.1', true],
    ['192.0.2.0/24', false],
    ['::1', false],
  ])('with TRUST_PROXY=%s is believed: %s', async (TRUST_PROXY, isBelieved) => {
    const own = await startServiceHere({ RATE_LIMITS: 'on', TRUST_PROXY });
    try {
      const address = anAddress();
      await own.app.get(RateLimits).takeFromAddress(POLICY, address, POLICY.points);
      const { status } = await new ClientAt(own.api.url, address).get(KNOWLEDGE, GZIP);
      expect(status).toBe(isBelieved ? 429 : 200);
    } finally {
      await own.stop();
    }
  });

  it('is not believed about what stands before an address outside of the network', async () => {
    const own = await startServiceHere({ RATE_LIMITS: 'on', TRUST_PROXY: '127.0.0.0/8, 10.0.0.0/8' });
    try {
      await own.app.get(RateLimits).takeFromAddress(POLICY, '192.0.2.7', POLICY.points);
      const through = (forwarded: string) => new ClientAt(own.api.url, forwarded).get(KNOWLEDGE, GZIP);
      expect((await through('198.51.100.1, 192.0.2.7, 10.1.1.1')).status).toBe(429);
      expect((await through('192.0.2.7, 198.51.100.1, 10.1.1.1')).status).toBe(200);
    } finally {
      await own.stop();
    }
  });
});

it.each([
  ['to no route', '/api/nothing'],
  ['without a token', '/api/profiles'],
  ['with a URL that cannot be decoded', '/api/%zz'],
  ['with a path that is no UTF-8', '/%c0%ae'],
  ['with a long id', `/api/profiles/${'x'.repeat(300)}`],
])('an address has 3,000 refused requests in a minute: %s', async (_, path) => {
  const api = client();
  await spend(LOCAL_POLICIES.refused, api.address, 2_999);
  expect([401, 404]).toContain((await api.get(path)).status);
  expectFailure(await api.get(path), 'rate_limited');
});
