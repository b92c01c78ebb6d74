import { newId } from '../ids';
import { isJsonObject, parseJson } from '../json';
import { accountOfSession } from './tokens';

/** The tokens of one login. Keys are never stored. */
export interface StoredSession {
  /** The service that issued the tokens. They are never sent to another one. */
  baseUrl: string;
  /**
   * Created at login and kept across refreshes. It shows a tab that another session has replaced this one.
   */
  sessionId: string;
  /** The account whose key the session opened. Tokens of another account never enter this session. */
  accountId: string;
  email: string;
  accessToken: string;
  refreshToken: string;
  /**
   * The `Idempotency-Key` of a refresh whose answer is not stored yet. A repeat, in this tab, after a reload or
   * in another tab, uses the same key and gets the same tokens.
   */
  refreshKey?: string;
}

/** The storage of the tokens of one account, for example through which the tabs of one browser share them. */
export interface SessionStore {
  /** Stores of equal name hold the same session. Locks and messages between tabs use this name. */
  readonly name: string;
  /** Whether several tabs of one origin use this store. They then lock together. */
  readonly isShared?: boolean;
  /** The session, or `null`. Always the newest one, because another tab may have written it. */
  read(): StoredSession | null | Promise<StoredSession | null>;
  /** Stores the session; `null` removes it. */
  write(session: StoredSession | null): void | Promise<void>;
  /** Calls the listener when another tab has written. @returns a function that ends the subscription. */
  subscribe?(listener: (session: StoredSession | null) => void): () => void;
  /**
   * For a store whose writes reach other tabs with a delay. Announces this tab's writes to the other tabs and
   * waits until `read` shows theirs. The caller holds the lock of the session. Called after each write, and
   * before a read that must be current.
   */
  settle?(): Promise<void>;
  /** Waits for a limited time until `read` shows tokens other than these. */
  awaitChange?(from: StoredSession): Promise<void>;
}

/** Tokens in the memory of one process; they end with it. The default in Node. */
export class MemorySessionStore implements SessionStore {
  readonly name = newId();
  #session: StoredSession | null = null;

  read(): StoredSession | null {
    return this.#session;
  }

  /** Stores the session; `null` removes it. */
  write(session: StoredSession | null): void {
    this.#session = session;
  }
}

/** The name of an account's entry in a storage. */
export function sessionKey(account: string | undefined): string {
  return account === undefined ? 'health-records/session' : `health-records/session/${account}`;
}

/** The part of the DOM's `Storage` that this store uses. */
export interface StorageArea {
  /** The text of a name; `null` for none. */
  getItem(key: string): string | null;
  /** Stores a text under a name. */
  setItem(key: string, value: string): void;
  /** Removes a name. */
  removeItem(key: string): void;
}

/** An object that dispatches `storage` events; `window` in a browser. */
export interface StorageEvents {
  /** Hears what other tabs have stored. */
  addEventListener(type: 'storage', listener: (event: { key: string | null }) => void): void;
  /** Ends a subscription. */
  removeEventListener(type: 'storage', listener: (event: { key: string | null }) => void): void;
}

/** The part of the Web Locks API that this store uses. */
export interface NoticeLocks {
  /** Runs while the lock of a name is held. */
  request(name: string, options: { mode: 'shared' }, run: () => Promise<void>): Promise<unknown>;
  /** The locks that are held now. */
  query(): Promise<{ held?: { name?: string }[] }>;
}

/** Options of a {@link WebStorageSessionStore}. */
export interface WebStorageOptions {
  /** Any name that the application gives an account, where one storage holds the sessions of several. */
  account?: string;
  /** Default: Web Locks of the platform, or `undefined` if it has none. */
  locks?: NoticeLocks | undefined;
  /** The longest wait for another tab's write, in milliseconds; default 2000. */
  patienceMs?: number;
}

/**
 * Tokens in `localStorage` (all tabs, kept across restarts) or `sessionStorage` (one tab).
 *
 * Browsers keep a copy of `localStorage` in each process. A write reaches the other processes with a delay,
 * perhaps after another tab already has the lock. The list of held locks is the same for all tabs at any
 * time. Therefore a tab holds a lock whose name contains the number of its newest write, and a reader
 * compares that number.
 * Security: a script in the page can read the tokens here and could use them anyway. It cannot read the keys.
 */
export class WebStorageSessionStore implements SessionStore {
  readonly isShared = true;
  readonly #area: StorageArea;
  readonly #events: StorageEvents;
  readonly #key: string;
  readonly #locks: NoticeLocks | undefined;
  readonly #patienceMs: number;
  /** This tab's write that has no lock yet. */
  #unposted: number | undefined;
  #withdraw: (() => void) | undefined;
  #text: string | null = null;
  #parsed: ReturnType<typeof parseSession> = null;

  constructor(area: StorageArea, events: StorageEvents, options: WebStorageOptions = {}) {
    this.#area = area;
    this.#events = events;
    this.#key = sessionKey(options.account);
    this.#locks = 'locks' in options ? options.locks : platformLocks();
    this.#patienceMs = options.patienceMs ?? 2000;
  }

  get name(): string {
    return this.#key;
  }

  read(): StoredSession | null {
    return this.#stored()?.session ?? null;
  }

  /** Stores the session; `null` removes it. */
  write(session: StoredSession | null): void {
    if (!session) {
      this.#area.removeItem(this.#key);
      this.#unposted = undefined;
      this.#withdraw?.();
      return;
    }
    // A time, so that the numbers also increase from session to session.
    this.#unposted = Math.max(Date.now(), this.#version() + 1);
    this.#area.setItem(this.#key, JSON.stringify({ ...session, version: this.#unposted }));
  }

  subscribe(listener: (session: StoredSession | null) => void): () => void {
    return this.#onChange(() => listener(this.read()));
  }

  async settle(): Promise<void> {
    if (!this.#locks) return;
    let newest: number;
    try {
      await this.#post(this.#locks);
      newest = await this.#newestPosted(this.#locks);
    } catch {
      // A page that is closing gets no locks. Its writes stay in the storage.
      return;
    }
    // An ended session has no number, so there is no wait for it.
    await this.#until(() => this.#version() >= newest || this.#area.getItem(this.#key) === null);
  }

  async awaitChange(from: StoredSession): Promise<void> {
    // With locks, `settle` has already waited.
    if (!this.#locks) await this.#until(() => this.read()?.refreshToken !== from.refreshToken);
  }

  #version(): number {
    return this.#stored()?.version ?? 0;
  }

  /** Each request asks for it. */
  #stored(): ReturnType<typeof parseSession> {
    const text = this.#area.getItem(this.#key);
    if (text !== this.#text) [this.#text, this.#parsed] = [text, parseSession(text)];
    return this.#parsed;
  }

  #noticeOf(version: number | ''): string {
    return `health-records/written ${this.#key} ${version}`;
  }

  /**
   * Holds a lock that is named after this tab's newest write, until the next one is posted or the tab is
   * closed.
   */
  async #post(locks: NoticeLocks): Promise<void> {
    const version = this.#unposted;
    if (version === undefined) return;
    const withdraw = this.#withdraw;
    await new Promise<void>((posted, failed) => {
      const held = () =>
        new Promise<void>((release) => {
          this.#withdraw = release;
          posted();
        });
      locks.request(this.#noticeOf(version), { mode: 'shared' }, held).catch(failed);
    });
    withdraw?.();
    if (this.#unposted === version) this.#unposted = undefined;
  }

  async #newestPosted(locks: NoticeLocks): Promise<number> {
    const prefix = this.#noticeOf('');
    const { held = [] } = await locks.query();
    const numbers = held.flatMap(({ name }) =>
      name?.startsWith(prefix) ? [Number(name.slice(prefix.length))] : [],
    );
    return Math.max(0, ...numbers);
  }

  #onChange(listener: () => void): () => void {
    // A key of null means that the whole area was cleared.
    const changed = (event: { key: string | null }) => {
      if (event.key === this.#key || event.key === null) listener();
    };
    this.#events.addEventListener('storage', changed);
    return () => this.#events.removeEventListener('storage', changed);
  }

  /** Resolves when the condition holds, or after `patienceMs`. */
  async #until(isSo: () => boolean): Promise<void> {
    if (isSo()) return;
    await new Promise<void>((resolve) => {
      const stop = () => {
        clearTimeout(timer);
        unsubscribe();
        resolve();
      };
      const timer = setTimeout(stop, this.#patienceMs);
      const unsubscribe = this.#onChange(() => {
        if (isSo()) stop();
      });
    });
  }
}

function platformLocks(): NoticeLocks | undefined {
  return (globalThis as { navigator?: { locks?: NoticeLocks } }).navigator?.locks;
}

/**
 * The session in a stored text. A text without a base URL is refused, because it does not name the service of
 * its tokens; so is one whose tokens are not of its account. A text of an earlier version names no account, but
 * its tokens do.
 */
export function parseSession(text: string | null): { session: StoredSession; version: number } | null {
  if (text === null) return null;
  try {
    const value = parseJson(text);
    if (!isJsonObject(value)) return null;
    const { baseUrl, sessionId, email, accessToken, refreshToken, refreshKey, version } = value;
    const members = { baseUrl, sessionId, email, accessToken, refreshToken };
    if (!Object.values(members).every((member) => typeof member === 'string')) return null;
    const accountId = accountOfSession(value);
    if (!accountId) return null;
    const more = { accountId, ...(typeof refreshKey === 'string' && { refreshKey }) };
    const session = { ...members, ...more } as StoredSession;
    return { session, version: typeof version === 'number' ? version : 0 };
  } catch {
    return null;
  }
}
