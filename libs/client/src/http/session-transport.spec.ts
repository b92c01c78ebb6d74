import { Events, type SessionEndReason } from '../events';
import { FakeLocks, FakeOrigin } from '../testing/fake-origin';
import { FakeService } from '../testing/fake-service';
import { HttpTransport } from './http-transport';
import { defaultLock, inProcessLock, type LockRunner } from './locks';
import { DEFAULT_RETRY_POLICY } from './retry-policy';
import { SessionTransport } from './session-transport';
import { type NoticeLocks, WebStorageSessionStore, type StoredSession } from './session-store';

const get = { method: 'GET', path: '/api/users/me' } as const;
const email = 'ada@example.org';
let service: FakeService;
let origin: FakeOrigin;
let first: StoredSession;

function openTab(lock: LockRunner = inProcessLock, locks?: NoticeLocks) {
  const { area, events: storageEvents } = origin.tab();
  const events = new Events();
  const http = new HttpTransport({
    baseUrl: 'https://health.example',
    fetch: service.fetch,
    wait: () => Promise.resolve(),
  });
  const store = new WebStorageSessionStore(area, storageEvents, { locks, patienceMs: 40 });
  const sessions = new SessionTransport(http, store, lock, events);
  const ended: SessionEndReason[] = [];
  events.on('session-ended', ({ reason }) => ended.push(reason));
  return { sessions, ended, store };
}

beforeEach(async () => {
  service = new FakeService();
  origin = new FakeOrigin();
  const body = { email, password: 'p', wrapped_dek: 'w', wrapped_dek_iv: 'i' };
  const registered = await service.fetch('https://health.example/api/auth/register', {
    method: 'POST',
    body: JSON.stringify(body),
  });
  const { token, refresh_token } = (await registered.json()) as { token: string; refresh_token: string };
  first = {
    baseUrl: 'https://health.example',
    sessionId: 's-1',
    accountId: String(service.accounts.get(email)!.id),
    email,
    accessToken: token,
    refreshToken: refresh_token,
  };
  service.requests.length = 0;
});

const turn = (ms = 5) => new Promise((resolve) => setTimeout(resolve, ms));

it('refreshes once for ten requests in each of two tabs, and repeats each once', async () => {
  const [a, b] = [openTab(), openTab()];
  await a.sessions.begin(first);
  await b.sessions.resume();
  service.expireAccessTokens();
  const all = [a, b].flatMap((tab) => Array.from({ length: 10 }, () => tab.sessions.send(get)));
  const answers = await Promise.all(all);
  expect(answers.every((answer) => answer.status === 200)).toBe(true);
  expect(service.calls('POST /api/auth/refresh')).toHaveLength(1);
  expect(service.calls('GET /api/users/me')).toHaveLength(40);
  expect([...a.ended, ...b.ended]).toEqual([]);
  expect(a.store.read()).toEqual(b.store.read());
});

it('takes the tokens of the tab that was faster, where there is no lock across tabs', async () => {
  const [a, b] = [1, 2].map(() => openTab((_name, run) => run())) as [
    ReturnType<typeof openTab>,
    ReturnType<typeof openTab>,
  ];
  await a.sessions.begin(first);
  await b.sessions.resume();
  service.expireAccessTokens();
  const answers = await Promise.all([a.sessions.send(get), b.sessions.send(get)]);
  expect(answers.map((answer) => answer.status)).toEqual([200, 200]);
  expect(service.calls('POST /api/auth/refresh')).toHaveLength(2);
  expect([...a.ended, ...b.ended]).toEqual([]);
});

describe('where a write reaches the other tabs later than the lock does', () => {
  beforeEach(() => {
    origin.lagMs = 15;
  });

  it('refreshes once for all, and once again when those tokens have expired', async () => {
    const locks = new FakeLocks();
    const tabs = [1, 2, 3].map(() => openTab(inProcessLock, locks));
    await tabs[0].sessions.begin(first);
    await turn(20);
    for (const tab of tabs.slice(1)) await tab.sessions.resume();
    for (const round of [1, 2, 3]) {
      service.expireAccessTokens();
      const all = tabs.flatMap((tab) => Array.from({ length: 5 }, () => tab.sessions.send(get)));
      expect((await Promise.all(all)).map((answer) => answer.status)).toEqual(Array(15).fill(200));
      expect(service.calls('POST /api/auth/refresh')).toHaveLength(round);
    }
    expect(tabs.flatMap((tab) => tab.ended)).toEqual([]);
  });

  it('revokes the newest refresh token with a logout', async () => {
    const locks = new FakeLocks();
    const [a, b] = [openTab(inProcessLock, locks), openTab(inProcessLock, locks)];
    await a.sessions.begin(first);
    await turn(20);
    await b.sessions.resume();
    service.expireAccessTokens();
    await a.sessions.send(get);
    await b.sessions.logout();
    await turn(20);
    // The tab that made them ends the newest tokens: the other one may not have seen them.
    await turn();
    expect(service.refreshTokens.size).toBe(0);
    expect([a.ended, b.ended, origin.values.size]).toEqual([['logged_out_elsewhere'], ['logged_out'], 0]);
  });

  it('logs nobody out without Web Locks: who is refused waits for the tokens of the other', async () => {
    const [a, b] = [openTab((_name, run) => run()), openTab((_name, run) => run())];
    await a.sessions.begin(first);
    await turn(20);
    await b.sessions.resume();
    service.expireAccessTokens();
    const answers = await Promise.all([a.sessions.send(get), b.sessions.send(get)]);
    expect(answers.map((answer) => answer.status)).toEqual([200, 200]);
    expect([...a.ended, ...b.ended]).toEqual([]);
  });

  it('waits no longer than its patience for a tab that was closed before its write arrived', async () => {
    const locks = new FakeLocks();
    void locks.request(
      `health-records/written health-records/session ${Date.now() + 1000}`,
      { mode: 'shared' },
      () => new Promise(() => {}),
    );
    const tab = openTab(inProcessLock, locks);
    await tab.sessions.begin(first);
    service.expireAccessTokens();
    expect((await tab.sessions.send(get)).status).toBe(200);
  });
});

it('uses Web Locks where the platform has them', async () => {
  const request = jest.fn((_name: string, run: () => Promise<unknown>) => run());
  const before = Object.getOwnPropertyDescriptor(globalThis, 'navigator');
  Object.defineProperty(globalThis, 'navigator', { value: { locks: { request } }, configurable: true });
  try {
    expect(await defaultLock()('a name', () => Promise.resolve(7))).toBe(7);
    expect(request).toHaveBeenCalledWith('a name', expect.any(Function));
  } finally {
    if (before) Object.defineProperty(globalThis, 'navigator', before);
    else delete (globalThis as { navigator?: unknown }).navigator;
  }
});

it('does not refresh again for a 401 that arrives late', async () => {
  const { sessions } = openTab();
  await sessions.begin(first);
  service.expireAccessTokens();
  let release = () => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  let count = 0;
  service.tamper = async (request, answer) => {
    if (request.path === '/api/users/me' && answer.status === 401 && (count += 1) === 1) await held;
    return answer;
  };
  const slow = sessions.send(get);
  await turn();
  await sessions.send(get);
  release();
  await slow;
  expect(service.calls('POST /api/auth/refresh')).toHaveLength(1);
});

it('clears the credentials and says so once when the refresh is refused', async () => {
  const [a, b] = [openTab(), openTab()];
  await a.sessions.begin(first);
  await b.sessions.resume();
  service.expireAccessTokens();
  service.refreshTokens.clear();
  const results = await Promise.allSettled(Array.from({ length: 5 }, () => a.sessions.send(get)));
  for (const result of results) {
    expect(result).toMatchObject({ status: 'rejected', reason: { code: 'session_ended' } });
  }
  await turn();
  expect(service.calls('POST /api/auth/refresh')).toHaveLength(1);
  expect([a.ended, b.ended, origin.values.size]).toEqual([['refresh_refused'], ['logged_out_elsewhere'], 0]);
  await expect(a.sessions.send(get)).rejects.toMatchObject({ code: 'session_ended' });
});

it.each([
  ['the network is away', () => Promise.reject(new TypeError('fetch failed')), 'network_failed'],
  [
    'the database is away',
    () => ({ status: 503, body: { error: 'No.', code: 'database_unavailable' } }),
    'database_unavailable',
  ],
  [
    'too many refreshed',
    () => ({ status: 429, body: { error: 'No.', code: 'rate_limited' } }),
    'rate_limited',
  ],
])('keeps the session when the refresh fails because %s', async (_what, answer, code) => {
  const { sessions, ended, store } = openTab();
  await sessions.begin(first);
  service.expireAccessTokens();
  service.intercept = (request) => (request.path === '/api/auth/refresh' ? answer() : undefined);
  await expect(sessions.send(get)).rejects.toMatchObject({ code });
  expect([ended, store.read()]).toMatchObject([[], first]);
  service.intercept = undefined;
  expect((await sessions.send(get)).status).toBe(200);
});

it('lets all waiting requests share one refresh that does not get through', async () => {
  const { sessions } = openTab();
  await sessions.begin(first);
  service.expireAccessTokens();
  service.intercept = (request) =>
    request.path === '/api/auth/refresh' ? Promise.reject(new TypeError('fetch failed')) : undefined;
  const results = await Promise.allSettled(Array.from({ length: 5 }, () => sessions.send(get)));
  expect(results.map((result) => result.status)).toEqual(Array(5).fill('rejected'));
  const keys = service.calls('POST /api/auth/refresh').map(({ headers }) => headers.get('Idempotency-Key'));
  expect([keys.length, new Set(keys).size]).toEqual([DEFAULT_RETRY_POLICY.attempts, 1]);
});

it('repeats a request once only', async () => {
  const { sessions } = openTab();
  await sessions.begin(first);
  service.intercept = (request) =>
    request.path === '/api/users/me'
      ? { status: 401, body: { error: 'No.', code: 'token_revoked' } }
      : undefined;
  await expect(sessions.send(get)).rejects.toMatchObject({ status: 401 });
  expect(service.calls('GET /api/users/me')).toHaveLength(2);
  expect(service.calls('POST /api/auth/refresh')).toHaveLength(1);
});

it('does not use the session of another account that a tab has begun', async () => {
  const [a, b] = [openTab(), openTab()];
  await a.sessions.begin(first);
  await b.sessions.begin({ ...first, sessionId: 's-2', email: 'eve@example.org' });
  await expect(a.sessions.send(get)).rejects.toMatchObject({ code: 'session_ended' });
  await turn();
  expect([a.ended, b.ended]).toEqual([['replaced'], []]);
  expect(b.store.read()!.sessionId).toBe('s-2');
});

it('ends every tab with a logout, even when the service cannot be told', async () => {
  const [a, b] = [openTab(), openTab()];
  await a.sessions.begin(first);
  await b.sessions.resume();
  let storedAtRequest: unknown;
  service.intercept = () => {
    storedAtRequest = a.store.read();
    return Promise.reject(new TypeError('fetch failed'));
  };
  await expect(a.sessions.logout()).rejects.toMatchObject({ code: 'network_failed' });
  await turn();
  expect([a.ended, b.ended, origin.values.size]).toEqual([['logged_out'], ['logged_out_elsewhere'], 0]);
  expect(storedAtRequest).toBeNull();
});

it('ends every tab with a logout everywhere, once the service has done it', async () => {
  const [a, b] = [openTab(), openTab()];
  await a.sessions.begin(first);
  await b.sessions.resume();
  service.intercept = () => Promise.reject(new TypeError('fetch failed'));
  await expect(a.sessions.logoutEverywhere()).rejects.toMatchObject({ code: 'network_failed' });
  expect([a.ended, a.store.read()]).toEqual([[], first]);
  service.intercept = undefined;
  service.expireAccessTokens();
  await a.sessions.logoutEverywhere();
  await turn();
  expect([a.ended, b.ended, origin.values.size]).toEqual([['logged_out'], ['logged_out_elsewhere'], 0]);
  expect(service.refreshTokens.size).toBe(0);
});

it('does not let a refresh that is under way undo a logout', async () => {
  const [a, b] = [openTab(), openTab()];
  await a.sessions.begin(first);
  await b.sessions.resume();
  service.expireAccessTokens();
  const reading = a.sessions.send(get);
  const leaving = b.sessions.logout();
  await Promise.allSettled([reading, leaving]);
  expect(origin.values.size).toBe(0);
  expect(service.refreshTokens.size).toBe(0);
});

it('replaces the tokens under the lock: a request of another tab waits and takes the new ones', async () => {
  const [a, b] = [openTab(), openTab()];
  await a.sessions.begin(first);
  await b.sessions.resume();
  service.expireAccessTokens();
  const change = a.sessions.sendExclusive(
    { method: 'POST', path: '/api/auth/change-password', body: { current_password: 'p', new_password: 'q' } },
    (answer, session) => {
      const { token, refresh_token } = answer.body as { token: string; refresh_token: string };
      return { ...session, accessToken: token, refreshToken: refresh_token };
    },
  );
  const [, read] = await Promise.all([change, b.sessions.send(get)]);
  expect(read.status).toBe(200);
  expect(service.calls('POST /api/auth/refresh')).toHaveLength(1);
  expect([...a.ended, ...b.ended]).toEqual([]);
});

it('takes stored text that is no session for none', () => {
  const { store } = openTab();
  for (const text of ['', '{}', '[]', 'null', '{"sessionId":1}']) {
    origin.values.set('health-records/session', text);
    expect(store.read()).toBeNull();
  }
});
