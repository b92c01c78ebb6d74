import { Events, type SessionEndReason } from '../events';
import { FakeLocks, FakeOrigin } from '../testing/fake-origin';
import { type FakeAnswer, type FakeRequest, FakeService } from '../testing/fake-service';
import { HttpTransport } from './http-transport';
import { KeyValueSessionStore } from './key-value-session-store';
import { inProcessLock, withLockSoon } from './locks';
import { WebStorageSessionStore, type SessionStore, type StoredSession } from './session-store';
import { SessionTransport } from './session-transport';

/** Concurrent calls, a second tab, another service: which session must win, and which tokens must stay apart. */
const BASE_URL = 'https://health.example';
const REFRESH = '/api/auth/refresh';
const get = { method: 'GET', path: '/api/users/me' } as const;
let service: FakeService;
let origin: FakeOrigin;
let locks: FakeLocks;
let ada: StoredSession;
let eve: StoredSession;

async function sessionOf(email: string): Promise<StoredSession> {
  const body = JSON.stringify({ email, password: 'p', wrapped_dek: 'w', wrapped_dek_iv: 'i' });
  const answer = await service.fetch(`${BASE_URL}/api/auth/register`, { method: 'POST', body });
  const { token, refresh_token } = (await answer.json()) as { token: string; refresh_token: string };
  const accountId = String(service.accounts.get(email)!.id);
  const tokens = { accessToken: token, refreshToken: refresh_token };
  return { baseUrl: BASE_URL, sessionId: email, accountId, email, ...tokens };
}

function openTab(store?: SessionStore, baseUrl = BASE_URL) {
  const { area, events: storageEvents } = origin.tab();
  const events = new Events();
  const retry = { attempts: 1 };
  const http = new HttpTransport({ baseUrl, fetch: service.fetch, retry, wait: () => Promise.resolve() });
  const used = store ?? new WebStorageSessionStore(area, storageEvents, { locks, patienceMs: 40 });
  const sessions = new SessionTransport(http, used, inProcessLock, events);
  const ended: SessionEndReason[] = [];
  events.on('session-ended', ({ reason }) => ended.push(reason));
  return { sessions, ended, store: used };
}

/** Holds back the answers of a path. @returns a promise of the first of them, and its release. */
function holdAnswers(path: string) {
  let release = () => {};
  let arrived = () => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  const arrival = new Promise<void>((resolve) => (arrived = resolve));
  service.tamper = async (request: FakeRequest, answer: FakeAnswer) => {
    if (request.path !== path) return answer;
    arrived();
    await held;
    return answer;
  };
  return { arrival, release };
}

const turn = (ms = 5) => new Promise((resolve) => setTimeout(resolve, ms));

beforeEach(async () => {
  service = new FakeService();
  origin = new FakeOrigin();
  locks = new FakeLocks();
  ada = await sessionOf('ada@example.org');
  eve = await sessionOf('eve@example.org');
  service.requests.length = 0;
});

describe('a login as another account', () => {
  it('is not mixed with the tokens of a refresh that was under way', async () => {
    const tab = openTab(new KeyValueSessionStore(slowStorage()));
    await tab.sessions.begin(ada);
    service.expireAccessTokens();
    const { arrival, release } = holdAnswers(REFRESH);
    const reading = tab.sessions.send(get);
    await arrival;
    const login = tab.sessions.begin(eve);
    release();
    await expect(reading).rejects.toMatchObject({ code: 'session_ended' });
    await login;
    expect(await tab.store.read()).toEqual(eve);
    await turn();
    // Nobody holds the new tokens of the first account, so they were ended at the service.
    expect([...service.refreshTokens.values()]).toEqual([eve.email]);
  });

  it('is not mixed with the tokens of a new password that was under way', async () => {
    const tab = openTab();
    await tab.sessions.begin(ada);
    const { arrival, release } = holdAnswers('/api/auth/change-password');
    const change = tab.sessions.sendExclusive(
      { method: 'POST', path: '/api/auth/change-password', body: { new_password: 'q' } },
      (answer, session) => {
        const { token, refresh_token } = answer.body as { token: string; refresh_token: string };
        return { ...session, accessToken: token, refreshToken: refresh_token };
      },
    );
    await arrival;
    const login = tab.sessions.begin(eve);
    release();
    await expect(change).rejects.toMatchObject({ code: 'session_ended' });
    await login;
    expect(await tab.store.read()).toMatchObject({ email: eve.email, refreshToken: eve.refreshToken });
  });

  it('gets no answer that the first account had asked for', async () => {
    const tab = openTab();
    await tab.sessions.begin(ada);
    const { arrival, release } = holdAnswers(get.path);
    const reading = tab.sessions.send(get);
    await arrival;
    await tab.sessions.begin(eve);
    release();
    await expect(reading).rejects.toMatchObject({ code: 'session_ended' });
  });

  it('that a logout overtook leaves no session, here and at the service', async () => {
    const tab = openTab(new KeyValueSessionStore(slowStorage()));
    const login = tab.sessions.begin(eve);
    await tab.sessions.logout();
    await expect(login).rejects.toMatchObject({ code: 'session_ended' });
    await turn();
    expect([tab.sessions.sessionId, await tab.store.read()]).toEqual([undefined, null]);
    expect([...service.refreshTokens.values()]).toEqual([ada.email]);
  });
});

describe('a logout', () => {
  it('clears the tokens while another tab holds the lock and waits for an answer', async () => {
    const [a, b] = [openTab(), openTab()];
    await a.sessions.begin(ada);
    await b.sessions.resume();
    service.expireAccessTokens();
    const { arrival, release } = holdAnswers(REFRESH);
    const reading = a.sessions.send(get);
    await arrival;
    const leaving = b.sessions.logout();
    expect(b.sessions.sessionId).toBeUndefined();
    await turn();
    expect([b.ended, origin.values.size]).toEqual([['logged_out'], 0]);
    release();
    await expect(reading).rejects.toMatchObject({ code: 'session_ended' });
    await leaving;
    await turn();
    expect([origin.values.size, [...service.refreshTokens.values()]]).toEqual([0, [eve.email]]);
  });

  it('does not wait for ever for the tab that holds the lock', async () => {
    const never = () => new Promise<never>(() => {});
    let ran = 0;
    await withLockSoon(never, 'a name', () => Promise.resolve((ran += 1)), 5);
    expect(ran).toBe(1);
  });
});

describe('a refresh whose answer is lost', () => {
  const loseAnswer = () => {
    service.tamper = (request, answer) => {
      if (request.path === REFRESH) throw new TypeError('connection reset');
      return answer;
    };
  };
  const keys = () =>
    service.requests
      .filter(({ path }) => path === REFRESH)
      .map(({ headers }) => headers.get('Idempotency-Key'));

  it.each([
    ['in this tab', (tab: ReturnType<typeof openTab>) => tab],
    ['after a reload or in another tab', () => openTab()],
  ])('is repeated with the same key %s, ends nothing and alarms nobody', async (_where, next) => {
    const tab = openTab();
    await tab.sessions.begin(ada);
    service.expireAccessTokens();
    loseAnswer();
    await expect(tab.sessions.send(get)).rejects.toMatchObject({ code: 'network_failed' });
    service.tamper = undefined;
    const other = next(tab);
    await other.sessions.resume();
    expect((await other.sessions.send(get)).status).toBe(200);
    expect([keys().length, new Set(keys()).size, service.alarms]).toEqual([2, 1, 0]);
    expect(keys()[0]).toEqual(expect.any(String));
    expect(await other.store.read()).not.toHaveProperty('refreshKey');
  });

  it('has a new key for the next exchange', async () => {
    const tab = openTab();
    await tab.sessions.begin(ada);
    for (let round = 1; round <= 2; round += 1) {
      service.expireAccessTokens();
      await tab.sessions.send(get);
    }
    expect([keys().length, new Set(keys()).size]).toEqual([2, 2]);
  });
});

it.each([
  [403, { code: 'forbidden' }],
  [403, undefined],
  [401, { code: 'token_revoked' }],
  [400, { code: 'validation_failed' }],
  [404, undefined],
])('a captive portal that answers %s with %p to the refresh ends no session', async (status, body) => {
  const tab = openTab();
  await tab.sessions.begin(ada);
  service.expireAccessTokens();
  service.intercept = ({ path }) =>
    path === REFRESH
      ? { status, ...(body ? { body } : { raw: '<html>Log in to the wifi</html>' }) }
      : undefined;
  await expect(tab.sessions.send(get)).rejects.toMatchObject({ code: 'not_the_service' });
  expect([tab.ended, tab.sessions.sessionId]).toEqual([[], ada.sessionId]);
  service.intercept = undefined;
  expect((await tab.sessions.send(get)).status).toBe(200);
});

it('a stored session is not sent to another service, and one that names none to nobody', async () => {
  const tab = openTab();
  await tab.sessions.begin(ada);
  const other = openTab(tab.store, 'https://elsewhere.example');
  expect(await other.sessions.resume()).toBeNull();
  await expect(other.sessions.send(get)).rejects.toMatchObject({ code: 'session_ended' });
  expect(service.requests).toEqual([]);
  const old = { ...ada, baseUrl: undefined };
  await new KeyValueSessionStore({ ...slowStorage(), getItem: () => JSON.stringify(old) })
    .read()
    .then((session) => expect(session).toBeNull());
});

it('several accounts of one process have a store, a lock and tokens each', async () => {
  const storage = slowStorage();
  const tabs = ['ada', 'eve'].map((account) => openTab(new KeyValueSessionStore(storage, account)));
  await Promise.all([tabs[0].sessions.begin(ada), tabs[1].sessions.begin(eve)]);
  service.expireAccessTokens();
  const { arrival, release } = holdAnswers(REFRESH);
  const [first, second] = tabs.map((tab) => tab.sessions.send(get));
  await arrival;
  await turn();
  // The second does not wait until the first has its answer.
  expect(service.calls(`POST ${REFRESH}`)).toHaveLength(2);
  release();
  const emails = (await Promise.all([first, second])).map(({ body }) => (body as { email: string }).email);
  expect(emails).toEqual([ada.email, eve.email]);
  expect((await tabs[1].store.read())?.email).toBe(eve.email);
});

/** As on a phone: every step takes a turn of the event loop. */
function slowStorage() {
  const values = new Map<string, string>();
  return {
    getItem: async (key: string) => (await turn(1), values.get(key) ?? null),
    setItem: async (key: string, value: string) => (await turn(1), void values.set(key, value)),
    removeItem: async (key: string) => (await turn(1), void values.delete(key)),
  };
}
