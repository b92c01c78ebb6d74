import { Events, type SessionEndReason } from '../events';
import { FakeService } from '../testing/fake-service';
import { HttpTransport } from './http-transport';
import { defaultLock, inProcessLock, type LockRunner } from './locks';
import { SessionTransport } from './session-transport';
import { WebStorageSessionStore, type StorageEvents, type StoredSession } from './session-store';

/** `localStorage` of one origin; each tab hears of the writes of the others. */
class FakeOrigin {
  readonly values = new Map<string, string>();
  readonly tabs = new Set<{ listeners: Set<(event: { key: string | null }) => void> }>();

  tab(): { area: ConstructorParameters<typeof WebStorageSessionStore>[0]; events: StorageEvents } {
    const tab = { listeners: new Set<(event: { key: string | null }) => void>() };
    this.tabs.add(tab);
    const tell = (key: string) =>
      this.tabs.forEach((other) => {
        if (other !== tab) other.listeners.forEach((listener) => setTimeout(() => listener({ key })));
      });
    return {
      area: {
        getItem: (key) => this.values.get(key) ?? null,
        setItem: (key, value) => {
          this.values.set(key, value);
          tell(key);
        },
        removeItem: (key) => {
          this.values.delete(key);
          tell(key);
        },
      },
      events: {
        addEventListener: (_type, listener) => void tab.listeners.add(listener),
        removeEventListener: (_type, listener) => void tab.listeners.delete(listener),
      },
    };
  }
}

const get = { method: 'GET', path: '/api/users/me' } as const;
const email = 'ada@example.org';
let service: FakeService;
let origin: FakeOrigin;
let first: StoredSession;

function openTab(lock: LockRunner = inProcessLock) {
  const { area, events: storageEvents } = origin.tab();
  const events = new Events();
  const http = new HttpTransport({
    baseUrl: 'https://health.example',
    fetch: service.fetch,
    wait: () => Promise.resolve(),
  });
  const store = new WebStorageSessionStore(area, storageEvents);
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
  first = { sessionId: 's-1', email, accessToken: token, refreshToken: refresh_token };
  service.requests.length = 0;
});

const turn = () => new Promise((resolve) => setTimeout(resolve, 5));

it('refreshes once for ten requests in each of two tabs, and repeats each once', async () => {
  const [a, b] = [openTab(), openTab()];
  a.sessions.begin(first);
  b.sessions.resume();
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
  a.sessions.begin(first);
  b.sessions.resume();
  service.expireAccessTokens();
  const answers = await Promise.all([a.sessions.send(get), b.sessions.send(get)]);
  expect(answers.map((answer) => answer.status)).toEqual([200, 200]);
  expect(service.calls('POST /api/auth/refresh')).toHaveLength(2);
  expect([...a.ended, ...b.ended]).toEqual([]);
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
  sessions.begin(first);
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
  a.sessions.begin(first);
  b.sessions.resume();
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
    () => ({ status: 503, body: { code: 'database_unavailable' } }),
    'database_unavailable',
  ],
  ['too many refreshed', () => ({ status: 429, body: { code: 'rate_limited' } }), 'rate_limited'],
])('keeps the session when the refresh fails because %s', async (_what, answer, code) => {
  const { sessions, ended, store } = openTab();
  sessions.begin(first);
  service.expireAccessTokens();
  service.intercept = (request) => (request.path === '/api/auth/refresh' ? answer() : undefined);
  await expect(sessions.send(get)).rejects.toMatchObject({ code });
  expect([ended, store.read()]).toEqual([[], first]);
  service.intercept = undefined;
  expect((await sessions.send(get)).status).toBe(200);
});

it('lets all waiting requests share one refresh that does not get through', async () => {
  const { sessions } = openTab();
  sessions.begin(first);
  service.expireAccessTokens();
  service.intercept = (request) =>
    request.path === '/api/auth/refresh' ? Promise.reject(new TypeError('fetch failed')) : undefined;
  const results = await Promise.allSettled(Array.from({ length: 5 }, () => sessions.send(get)));
  expect(results.map((result) => result.status)).toEqual(Array(5).fill('rejected'));
  expect(service.calls('POST /api/auth/refresh')).toHaveLength(1);
});

it('repeats a request once only', async () => {
  const { sessions } = openTab();
  sessions.begin(first);
  service.intercept = (request) =>
    request.path === '/api/users/me' ? { status: 401, body: { code: 'token_revoked' } } : undefined;
  await expect(sessions.send(get)).rejects.toMatchObject({ status: 401 });
  expect(service.calls('GET /api/users/me')).toHaveLength(2);
  expect(service.calls('POST /api/auth/refresh')).toHaveLength(1);
});

it('does not use the session of another account that a tab has begun', async () => {
  const [a, b] = [openTab(), openTab()];
  a.sessions.begin(first);
  b.sessions.begin({ ...first, sessionId: 's-2', email: 'eve@example.org' });
  await expect(a.sessions.send(get)).rejects.toMatchObject({ code: 'session_ended' });
  await turn();
  expect([a.ended, b.ended]).toEqual([['replaced'], []]);
  expect(b.store.read()!.sessionId).toBe('s-2');
});

it('ends every tab with a logout, even when the service cannot be told', async () => {
  const [a, b] = [openTab(), openTab()];
  a.sessions.begin(first);
  b.sessions.resume();
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
  a.sessions.begin(first);
  b.sessions.resume();
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
  a.sessions.begin(first);
  b.sessions.resume();
  service.expireAccessTokens();
  const reading = a.sessions.send(get);
  const leaving = b.sessions.logout();
  await Promise.allSettled([reading, leaving]);
  expect(origin.values.size).toBe(0);
  expect(service.refreshTokens.size).toBe(0);
});

it('replaces the tokens under the lock: a request of another tab waits and takes the new ones', async () => {
  const [a, b] = [openTab(), openTab()];
  a.sessions.begin(first);
  b.sessions.resume();
  service.expireAccessTokens();
  const change = a.sessions.sendExclusive(
    { method: 'POST', path: '/api/auth/change-password', body: { current_password: 'p', new_password: 'q' } },
    (answer, session) => {
      const { token, refresh_token } = answer.body as { token: string; refresh_token: string };
      return { session: { ...session, accessToken: token, refreshToken: refresh_token }, result: 'done' };
    },
  );
  const [result, read] = await Promise.all([change, b.sessions.send(get)]);
  expect([result, read.status]).toEqual(['done', 200]);
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
