import { MemorySessionStore, type StoredSession } from '../http/session-store';
import { clientOf, EMAIL, PASSWORD, registered } from '../testing/fake-client';
import { type FakeService } from '../testing/fake-service';
import type { Key } from '../crypto/web-crypto';
import type { TabChannel } from './tabs';

/** Channels as a browser has them: what is sent is cloned, and arrives later, in the other tabs only. */
class FakeChannels {
  readonly sent: unknown[] = [];
  readonly #channels = new Map<string, Set<{ hear: (data: unknown) => void }>>();

  readonly open = (name: string): TabChannel => {
    const listeners: ((event: { data: unknown }) => void)[] = [];
    const own = { hear: (data: unknown) => listeners.forEach((listener) => listener({ data })) };
    const all = this.#channels.get(name) ?? new Set();
    this.#channels.set(name, all.add(own));
    return {
      postMessage: (message) => {
        this.sent.push(message);
        const others = [...all].filter((other) => other !== own);
        setTimeout(() => others.forEach((other) => other.hear(structuredClone(message))));
      },
      addEventListener: (_type, listener) => void listeners.push(listener),
      close: () => void all.delete(own),
    };
  };
}

/** The tabs of one browser share a store and its name. */
class SharedStore extends MemorySessionStore {
  readonly written: (StoredSession | null)[] = [];
  override write(session: StoredSession | null): void {
    this.written.push(session);
    super.write(session);
  }
}

const turn = () => new Promise((resolve) => setTimeout(resolve, 5));
let service: FakeService;
let channels: FakeChannels;
let store: SharedStore;
beforeAll(async () => {
  ({ service } = await registered());
});
beforeEach(() => {
  channels = new FakeChannels();
  store = new SharedStore();
});
const openTab = (options = {}) =>
  clientOf(service, { sessionStore: store, channel: channels.open, ...options });

it('a tab whose idle time is over gives its keys to nobody, though no timer has fired', async () => {
  let afterMs = 60_000;
  const quiet = { addEventListener: () => undefined, removeEventListener: () => undefined };
  const first = openTab({ idleLock: { afterMs: () => afterMs, activity: quiet } });
  await first.login(EMAIL, PASSWORD);
  const second = openTab();
  await second.resume();
  afterMs = 0;
  expect([await second.unlockFromOtherTab(), second.state, first.state]).toEqual([false, 'locked', 'locked']);
});

it('a new tab gets the keys of an unlocked one, unreadable and never stored', async () => {
  const first = openTab();
  await first.login(EMAIL, PASSWORD);
  const second = openTab();
  await second.resume();
  expect([await second.unlockFromOtherTab(), second.state]).toEqual([true, 'unlocked']);
  expect((await second.profiles.list())[0].details.name).toBe('Ada Canary');
  const given = channels.sent.find((each) => (each as { key?: unknown }).key) as { key: Key };
  expect(given.key.extractable).toBe(false);
  const members = store.written.flatMap((session) => Object.keys(session ?? {}));
  expect([...new Set(members)].sort()).toEqual([
    'accessToken',
    'accountId',
    'baseUrl',
    'email',
    'refreshToken',
    'sessionId',
  ]);
});

it('gets none from a locked tab, from a tab of another session, or from what is no key', async () => {
  const first = openTab();
  await first.login(EMAIL, PASSWORD);
  const stranger = clientOf(service, { channel: channels.open });
  Object.defineProperty(store, 'name', { value: 'one name' });
  await stranger.login(EMAIL, PASSWORD);
  first.lock();
  const liar = channels.open(`health-records/tabs https://health.example ${store.name}`);
  liar.addEventListener('message', ({ data }) => {
    const { type, reply } = data as { type: string; reply: string };
    if (type === 'ask') channels.open(`one name ${reply}`).postMessage({ key: 'a key', id: 'x' });
  });
  const second = openTab();
  await second.resume();
  expect([await second.unlockFromOtherTab(), second.state]).toEqual([false, 'locked']);
});

it('a lock in the meantime wins over the keys that come', async () => {
  const first = openTab();
  await first.login(EMAIL, PASSWORD);
  const second = openTab();
  await second.resume();
  const unlocking = second.unlockFromOtherTab();
  second.lock();
  await expect(unlocking).rejects.toMatchObject({ code: 'locked' });
  expect(second.state).toBe('locked');
});

it('a lock in one tab locks the others of the session, a logout or a new tab does not lock them', async () => {
  const [first, second] = [openTab(), openTab()];
  const reasons: string[] = [];
  await first.login(EMAIL, PASSWORD);
  await second.resume();
  await second.unlockFromOtherTab();
  second.on('locked', ({ reason }) => reasons.push(reason));
  const third = openTab();
  await third.resume();
  third.close();
  await turn();
  expect([first.state, second.state]).toEqual(['unlocked', 'unlocked']);
  first.lock();
  await turn();
  expect([first.state, second.state, reasons]).toEqual(['locked', 'locked', ['another_tab']]);
});
