import { connect } from 'node:net';
import { Database } from '@app/database';
import { PasswordHasher } from '@app/security';
import type { Answer } from '@app/testing';
import { anAccount, aProfile, anEmail } from '../support/factories';
import { RawConnection } from '../support/raw-connection';
import { type ServiceHere, startServiceHere } from '../support/service-here';

const ORIGIN = 'https://app.example.org';

let service: ServiceHere;
beforeAll(
  async () => (service = await startServiceHere({ CORS_ORIGINS: `${ORIGIN},https://b.example.org` })),
);
afterAll(() => service.stop());
afterEach(() => jest.restoreAllMocks());

/** One answer of each sort. */
const ANSWERS: [string, () => Promise<Answer>, number][] = [
  [
    'a record',
    async () => service.api.get('/api/users/me', { token: (await anAccount(service.api)).token }),
    200,
  ],
  [
    'a list',
    async () => service.api.get('/api/profiles', { token: (await anAccount(service.api)).token }),
    200,
  ],
  [
    'a create',
    async () =>
      service.api.post(
        '/api/profiles',
        { wrapped_profile_dek: 'x' },
        { token: (await anAccount(service.api)).token },
      ),
    201,
  ],
  [
    'a delete',
    async () => {
      const { token } = await anAccount(service.api);
      return service.api.delete(`/api/profiles/${await aProfile(service.api, token)}`, undefined, { token });
    },
    204,
  ],
  [
    'a login',
    async () => {
      const { email, password } = await anAccount(service.api);
      return service.api.post('/api/auth/login', { email, password });
    },
    200,
  ],
  ['a decoy', () => service.api.get(`/api/auth/recovery-info?email=${anEmail()}`), 200],
  ['health', () => service.api.get('/healthz'), 200],
  ['a missing token', () => service.api.get('/api/profiles'), 401],
  ['a wrong body', () => service.api.post('/api/auth/login', '{'), 400],
  [
    'a wrong type',
    () => service.api.post('/api/auth/login', 'x', { headers: { 'Content-Type': 'a/b' } }),
    415,
  ],
  ['a large body', () => service.api.post('/api/auth/login', `"${'x'.repeat(2 ** 20)}"`), 413],
  ['a wrong secret', () => service.api.post('/api/auth/login', { email: anEmail(), password: 'x' }), 401],
  ['an unknown route', () => service.api.get('/api/nothing'), 404],
  ['a URL that cannot be read', () => service.api.get('/api/%ff'), 404],
  ['a URL beyond the routes', () => service.api.get('/%00/../..//etc/passwd'), 404],
  [
    'a failure inside',
    () => {
      jest.spyOn(service.app.get(PasswordHasher), 'verify').mockRejectedValue(new Error('a secret cause'));
      return service.api.post('/api/auth/login', { email: anEmail(), password: 'x' });
    },
    500,
  ],
  [
    'a failure of a statement',
    () => {
      const cause = Object.assign(new Error('syntax error at or near "secret"'), { code: '42601' });
      jest.spyOn(service.app.get(Database), 'query').mockRejectedValue(cause);
      return service.api.get('/readyz');
    },
    500,
  ],
];

describe.each(ANSWERS)('the answer to %s', (_, ask, status) => {
  it('has the headers of safety, no trace of what is inside, and an id', async () => {
    const { headers, text, ...answer } = await ask();
    expect(answer.status).toBe(status);
    expect(Object.fromEntries(headers)).toMatchObject({
      'cache-control': 'no-store',
      'content-security-policy': expect.stringContaining("default-src 'self'"),
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      'referrer-policy': 'no-referrer',
      'strict-transport-security': expect.stringMatching(/^max-age=\d{8}/),
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'SAMEORIGIN',
      'x-request-id': expect.stringMatching(/^[0-9a-f-]{36}$/),
    });
    for (const name of ['server', 'x-powered-by', 'access-control-allow-origin', 'set-cookie'])
      expect([name, headers.get(name)]).toEqual([name, null]);
    expect(text).not.toMatch(/secret cause|syntax error|42601|node_modules|\.(ts|js)\b|\bat .+:\d+/);
    if (status !== 204) expect(headers.get('content-type')).toMatch(/^application\/json/);
  });
});

it('gives every request another id, and takes none from a client', async () => {
  const mine = '00000000-0000-4000-8000-000000000000';
  const ask = async () =>
    (await service.api.get('/healthz', { headers: { 'X-Request-Id': mine } })).headers.get('x-request-id');
  const ids = new Set([mine, await ask(), await ask()]);
  expect(ids.size).toBe(3);
});

it('lets the knowledge base be cached, and nothing else by default', async () => {
  const { headers } = await service.api.get('/api/interactions/knowledge-base');
  expect(headers.get('cache-control')).not.toContain('no-store');
  expect(headers.get('etag')).toMatch(/^"/);
});

it('says nothing about itself where it cannot even read a request', async () => {
  const { hostname, port } = new URL(service.api.url);
  const answer = await new Promise<string>((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => socket.end('NONSENSE\r\n\r\n'));
    let text = '';
    socket.on('data', (chunk: Buffer) => (text += chunk.toString()));
    socket.on('end', () => resolve(text));
    socket.on('error', reject);
  });
  expect(answer).toMatch(/^HTTP\/1\.1 400 /);
  expect(answer).not.toMatch(/server:|powered|fastify|node|HPE_|\bat /i);
});

describe('the name in the Host header', () => {
  const statusUnder = async (to: ServiceHere, host: string): Promise<number> => {
    const connection = await RawConnection.to(to.api.url);
    connection.write('GET /healthz HTTP/1.1', `Host: ${host}`, '', '');
    const { status, body } = await connection.answer();
    connection.end();
    if (status !== 200) expect([status, body.code]).toEqual([421, 'host_unknown']);
    return status;
  };

  it.each(['rebound.example.org', 'rebound.example.org:3000', '127.0.0.1.rebound.example.org', 'localhost.'])(
    'cannot be %s, which a stranger may let point here',
    async (host) => expect(await statusUnder(service, host)).toBe(421),
  );

  it.each(['127.0.0.1', '127.0.0.1:3000', 'localhost', 'localhost:3000', '[::1]:3000', 'api'])(
    'may be %s',
    async (host) => expect(await statusUnder(service, host)).toBe(200),
  );

  it('may be one that the operator names', async () => {
    const named = await startServiceHere({ ALLOWED_HOSTS: 'records.example.org' });
    expect(await statusUnder(named, 'Records.example.org:443')).toBe(200);
    expect(await statusUnder(named, 'rebound.example.org')).toBe(421);
    await named.stop();
  });
});

describe('a browser', () => {
  const preflight = (origin: string, to: ServiceHere, method = 'POST') =>
    to.api.call('OPTIONS', '/api/medications', undefined, {
      headers: {
        Origin: origin,
        'Access-Control-Request-Method': method,
        'Access-Control-Request-Headers': 'authorization,content-type,if-match,idempotency-key',
      },
    });
  const allowed = ({ headers }: Answer) => headers.get('access-control-allow-origin');

  it('of a named origin may call, send what the service reads, and read what it says', async () => {
    for (const origin of [ORIGIN, 'https://b.example.org']) {
      const answer = await preflight(origin, service);
      expect(answer.status).toBe(204);
      expect(allowed(answer)).toBe(origin);
      expect(answer.headers.get('access-control-allow-methods')).toMatch(/GET.*POST.*PUT.*DELETE/);
      const names = answer.headers.get('access-control-allow-headers')!.toLowerCase();
      for (const name of ['authorization', 'content-type', 'if-match', 'idempotency-key'])
        expect(names).toContain(name);
      expect(answer.headers.get('vary')).toContain('Origin');
    }
    const failure = await service.api.get('/api/profiles', { headers: { Origin: ORIGIN } });
    expect([failure.status, allowed(failure)]).toEqual([401, ORIGIN]);
    const exposed = failure.headers.get('access-control-expose-headers')!.split(/, ?/).sort();
    expect(exposed).toEqual(['ETag', 'Idempotency-Replayed', 'Link', 'Retry-After']);
    expect(failure.headers.get('access-control-allow-credentials')).toBeNull();
  });

  it('that asks for the options of a route without a preflight gets an empty answer', async () => {
    const { status, text } = await service.api.call('OPTIONS', '/api/medications');
    expect([status, text]).toEqual([204, '']);
  });

  it.each([
    'https://evil.example.org',
    `${ORIGIN}.evil.example.org`,
    `${ORIGIN}:444`,
    'http://app.example.org',
    'null',
  ])('of the origin %s may not', async (origin) => {
    expect(allowed(await preflight(origin, service))).toBeNull();
    const answer = await service.api.get('/healthz', { headers: { Origin: origin } });
    expect(allowed(answer)).toBeNull();
  });

  it('of any origin may not where no origin is named', async () => {
    const closed = await startServiceHere();
    try {
      for (const origin of [ORIGIN, closed.api.url, 'null']) {
        const answer = await preflight(origin, closed);
        expect(allowed(answer)).toBeNull();
        expect(answer.headers.get('access-control-allow-headers')).toBeNull();
        expect(allowed(await closed.api.get('/healthz', { headers: { Origin: origin } }))).toBeNull();
      }
    } finally {
      await closed.stop();
    }
  });
});
