import { randomUUID } from 'node:crypto';
import { LOCAL_POLICIES, RateLimits } from '@app/security';
import { register } from 'prom-client';
import { decodeToken, expectFailure, type FailureCode, resignToken } from '@app/testing';
import { anAddress, ClientAt, LIMITED } from '../support/clients';
import { anAccount } from '../support/factories';
import { setCounters } from '../support/limit-counters';
import { observeWork } from '../support/observed-work';
import { RawConnection } from '../support/raw-connection';
import { type ServiceHere, startServiceHere } from '../support/service-here';

const KIB = 1024;
const MIB = 1024 * KIB;

let service: ServiceHere;
let token: string;
let refreshToken: string;
beforeAll(async () => {
  service = await startServiceHere({ ...LIMITED, METRICS_PORT: '0' });
  ({ token, refreshToken } = await anAccount(service.api));
});
afterAll(() => service.stop());
afterEach(() => connections.splice(0).forEach((connection) => connection.end()));

const connections: RawConnection[] = [];
async function open(): Promise<RawConnection> {
  const connection = await RawConnection.to(service.api.url);
  connections.push(connection);
  return connection;
}

const headOf = (route: string, headers: Record<string, string | number | undefined>) => [
  `${route} HTTP/1.1`,
  'Host: x',
  'Content-Type: application/json',
  ...Object.entries(headers)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}: ${value}`),
  '\r\n',
];

/** The answer to a head whose body never comes. */
async function answerToHead(route: string, headers: Record<string, string | number | undefined>) {
  const connection = await open();
  connection.write(...headOf(route, { 'Content-Length': MIB, ...headers }));
  return connection.answer();
}

/** Takes a budget without the requests that would use it up. */
async function spend(policy: keyof typeof LOCAL_POLICIES, key: string): Promise<void> {
  const limits = service.app.get(RateLimits);
  const { points } = LOCAL_POLICIES[policy];
  for (let count = 0; count < points; count++)
    await (policy === 'account'
      ? limits.takeFromAccount(key)
      : limits.takeFromAddress(LOCAL_POLICIES[policy], key));
}

describe('before a byte of the body has come', () => {
  it.each<[string, () => string | undefined, FailureCode]>([
    ['no token', () => undefined, 'token_missing'],
    ['a forged token', () => resignToken(token, {}, 'x'.repeat(32)), 'token_invalid'],
    ['an expired token', () => resignToken(token, { payload: { exp: 1 } }), 'token_expired'],
    ['a token of the other kind', () => refreshToken, 'token_invalid'],
  ])('%s is refused', async (_, bearer, code) => {
    const value = bearer();
    const headers = { Authorization: value && `Bearer ${value}` };
    for (const route of ['POST /api/profiles', 'PUT /api/profiles/x', 'DELETE /api/profiles/x'])
      expectFailure(await answerToHead(route, headers), code);
  });

  it('an account over its budget is refused', async () => {
    const busy = await anAccount(service.api);
    await spend('account', decodeToken(busy.token).payload.sub as string);
    const headers = { Authorization: `Bearer ${busy.token}` };
    expectFailure(await answerToHead('POST /api/profiles', headers), 'rate_limited');
  });

  it('an address over its budget is refused', async () => {
    const address = anAddress();
    await spend('account', address);
    const headers = { 'X-Forwarded-For': address, 'Content-Length': 100 };
    expectFailure(await answerToHead('POST /api/auth/login', headers), 'rate_limited');
  });

  it('an address over the limit of a route is refused', async () => {
    const address = anAddress();
    await new ClientAt(service.api.url, address).post('/api/auth/prelogin', { email: 'a@b' });
    await setCounters(service.databaseUrl, 'prelogin', 600);
    const headers = { 'X-Forwarded-For': address, 'Content-Length': 100 };
    expectFailure(await answerToHead('POST /api/auth/prelogin', headers), 'rate_limited');
  });

  it('an account over its budget is refused before its space is looked at', async () => {
    const busy = await anAccount(service.api);
    await spend('account', decodeToken(busy.token).payload.sub as string);
    const headers = { 'Health-Space': `${randomUUID()};0` };
    const request = () => service.api.get('/api/health-stats', { token: busy.token, headers });
    const { answer, statements } = await observeWork(service.app, request);
    expectFailure(answer, 'rate_limited');
    expect(statements).toEqual([]);
  });

  it('an account over its budget waits for its refusals, from wherever it asks', async () => {
    const busy = await anAccount(service.api);
    await spend('account', decodeToken(busy.token).payload.sub as string);
    const begun = performance.now();
    const times = await Promise.all(
      Array.from({ length: 40 }, async () => {
        expectFailure(await new ClientAt(service.api.url).get('/api/profiles', busy), 'rate_limited');
        return performance.now() - begun;
      }),
    );
    expect(times.filter((ms) => ms > 900).length).toBeGreaterThanOrEqual(20);
  });

  it('a route that does not exist is not found', async () => {
    for (const route of ['POST /api/nothing', 'PUT /', 'DELETE /api/users/me'])
      expectFailure(await answerToHead(route, {}), 'not_found');
  });

  it('a compressed body is refused', async () => {
    const headers = { 'Content-Encoding': 'gzip', 'Content-Length': 100 };
    const answer = await answerToHead('POST /api/auth/login', headers);
    expectFailure(answer, 'unsupported_media_type');
    expect(answer.headers.get('accept-encoding')).toBe('identity');
  });
});

describe('a refused body', () => {
  it.each([
    ['no token', ''],
    ['a wrong token', 'Authorization: Bearer x.y.z\r\n'],
  ])('of 1 MiB is forgotten, and the connection goes on: %s', async (_, header) => {
    const connection = await open();
    // A body that looks like a request.
    const body = 'DELETE /healthz HTTP/1.1\r\nHost: x\r\n\r\n'.padEnd(MIB, ' ');
    connection.write(
      'POST /api/profiles HTTP/1.1',
      'Host: x',
      `Content-Length: ${MIB}`,
      `${header}\r\n${body}`,
    );
    connection.write('GET /healthz HTTP/1.1', 'Host: x', '\r\n');
    const [refused, next] = await connection.answers(2);
    expect(refused.status).toBe(401);
    expect([next.status, next.body]).toEqual([200, { status: 'ok' }]);
    connection.write('GET /healthz HTTP/1.1', 'Host: x', '\r\n');
    expect((await connection.answers(3))[2].status).toBe(200);
  });

  it.each([
    ['a length', 'Content-Length: 100000000', ''],
    ['chunks', 'Transfer-Encoding: chunked', '5F5E100\r\n'],
  ])('without end is answered, and ends the connection: with %s', async (_, header, start) => {
    const connection = await open();
    connection.write('POST /api/profiles HTTP/1.1', 'Host: x', header, `\r\n${start}`);
    expect((await connection.answer()).status).toBe(401);
    for (let sent = 0; sent < 64 && !connection.isEnded; sent++) {
      const isDrained = connection.socket.write('x'.repeat(64 * KIB));
      if (!isDrained)
        await new Promise((resolve) => connection.socket.once('drain', resolve).once('close', resolve));
    }
    await connection.ended();
  });
});

describe('the largest body', () => {
  const ROUTES: [string, number, boolean][] = [
    ['POST /api/auth/login', 32 * KIB, false],
    ['POST /api/auth/recovery/verify', 32 * KIB, false],
    ['POST /api/auth/refresh', 32 * KIB, false],
    ['POST /api/auth/register', 320 * KIB, false],
    ['POST /api/interactions/check', 128 * KIB, true],
    ['POST /api/profiles', MIB, true],
  ];
  const authorization = (isProtected: boolean) => (isProtected ? `Bearer ${token}` : undefined);

  it.each(ROUTES)('of %s is %d bytes by its length', async (route, bytes, isProtected) => {
    const headers = { Authorization: authorization(isProtected), 'Content-Length': bytes + 1 };
    const refused = await answerToHead(route, headers);
    expectFailure(refused, 'payload_too_large');
    expect(refused.body.error).toContain(String(bytes));
    const [method, path] = route.split(' ');
    const whole = '{"x":1}'.padEnd(bytes, ' ');
    const answer = await service.api.call(method, path, whole, { token: isProtected ? token : undefined });
    expectFailure(answer, 'validation_failed');
  });

  it.each(ROUTES)('of %s is %d bytes while it is read', async (route, bytes, isProtected) => {
    const connection = await open();
    const headers = { Authorization: authorization(isProtected), 'Transfer-Encoding': 'chunked' };
    connection.write(...headOf(route, headers));
    connection.write(`${(bytes + 1).toString(16)}\r\n${' '.repeat(bytes + 1)}`);
    expectFailure(await connection.answer(), 'payload_too_large');
  });
});

describe('requests without a valid token', () => {
  it('use up a budget of their own, which is of no account and no public route', async () => {
    const api = new ClientAt(service.api.url);
    await spend('refused', api.address);
    const refused = await api.get('/api/profiles', { token: 'x.y.z' });
    expectFailure(refused, 'rate_limited');
    expect(refused.headers.get('ratelimit-policy')).toBe('"refused";q=3000;w=60');
    expectFailure(await api.get('/api/profiles'), 'rate_limited');
    expectFailure(await api.get('/api/nothing'), 'rate_limited');
    expect((await api.get('/api/profiles', { token })).status).toBe(200);
    expect((await api.get('/healthz')).status).toBe(200);
    expect((await api.post('/api/auth/login', { email: 'a@b', password: 'x' })).status).toBe(401);
    expectFailure(await new ClientAt(service.api.url).get('/api/profiles'), 'token_missing');
  });

  it('are counted one by one', async () => {
    const take = jest.spyOn(service.app.get(RateLimits), 'takeFromAddress');
    await service.api.get('/api/profiles');
    await service.api.get('/api/profiles', { token: 'x.y.z' });
    await service.api.get('/api/profiles', { token });
    expect(take.mock.calls.map(([policy]) => policy.name)).toEqual(['refused', 'refused']);
    take.mockRestore();
  });
});

it('what is refused on its headers is in the metrics, as any other request', async () => {
  const counts = async (status: number, route: string) => {
    const lines = (await register.metrics()).split('\n');
    const line = lines.find(
      (each) =>
        each.startsWith('http_request_duration_seconds_count') &&
        each.includes(`route="${route}"`) &&
        each.includes(`status="${status}"`),
    );
    return Number(line?.split(' ')[1] ?? 0);
  };
  const before = [await counts(401, '/api/medications'), await counts(404, 'none')];
  await service.api.post('/api/medications', {});
  await service.api.post('/api/nothing', {});
  const after = [await counts(401, '/api/medications'), await counts(404, 'none')];
  expect(after).toEqual(before.map((count) => count + 1));
});
