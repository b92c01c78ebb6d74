import { isJsonObject, parseJson } from '../json';

/** The tokens of one login. Keys are never stored. */
export interface StoredSession {
  /** Made at login and kept across refreshes; tells a tab that another account has taken over. */
  sessionId: string;
  email: string;
  accessToken: string;
  refreshToken: string;
}

/** Where the tabs of one browser share their tokens. */
export interface SessionStore {
  /** The session, `null` when there is none. Always the newest: another tab may have written. */
  read(): StoredSession | null;
  write(session: StoredSession | null): void;
  /** Calls back when another tab has written. @returns ends it. */
  subscribe(listener: (session: StoredSession | null) => void): () => void;
  /**
   * For a store whose writes reach other tabs some time later: makes the own ones known to them, and waits until `read`
   * shows theirs. Called with the lock of the session held, after each write and before a read that must not be outdated.
   */
  settle?(): Promise<void>;
  /** Waits a moment for `read` to show other tokens than these. */
  awaitChange?(from: StoredSession): Promise<void>;
}

/** Tokens in the memory of one process; gone with it. The default in Node. */
export class MemorySessionStore implements SessionStore {
  #session: StoredSession | null = null;

  read(): StoredSession | null {
    return this.#session;
  }

  write(session: StoredSession | null): void {
    this.#session = session;
  }

  subscribe(): () => void {
    return () => undefined;
  }
}

/** The part of the DOM's `Storage` that is used. */
export interface StorageArea {
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
  removeItem(key: string): void;
}

/** What dispatches `storage` events; `window` in a browser. */
export interface StorageEvents {
  addEventListener(type: 'storage', listener: (event: { key: string | null }) => void): void;
  removeEventListener(type: 'storage', listener: (event: { key: string | null }) => void): void;
}

/** The part of the Web Locks API that is used. */
export interface NoticeLocks {
  request(name: string, options: { mode: 'shared' }, run: () => Promise<void>): Promise<unknown>;
  query(): Promise<{ held?: { name?: string }[] }>;
}

/** How a {@link WebStorageSessionStore} works. */
export interface WebStorageOptions {
  /** Where in the storage; default `health-records/session`. */
  key?: string;
  /** Default: the platform's Web Locks, `undefined` where it has none. */
  locks?: NoticeLocks | undefined;
  /** How long to wait for another tab's write, in milliseconds; default 2000. */
  patienceMs?: number;
}

/**
 * Tokens in `localStorage` (all tabs, survives a restart) or `sessionStorage` (one tab).
 *
 * Browsers keep a copy of `localStorage` in each process, and a write reaches the others some time later, perhaps later
 * than a lock is passed on. Which locks are held is the same for all tabs at any instant: the number of the newest write
 * is posted as the name of a lock, and who reads compares.
 * Security: a script that runs in the page can read tokens there, as it could use them; the keys it cannot.
 */
export class WebStorageSessionStore implements SessionStore {
  readonly #area: StorageArea;
  readonly #events: StorageEvents;
  readonly #key: string;
  readonly #locks: NoticeLocks | undefined;
  readonly #patienceMs: number;
  /** The own write that is not posted yet. */
  #unposted: number | undefined;
  #withdraw: (() => void) | undefined;

  constructor(area: StorageArea, events: StorageEvents, options: WebStorageOptions = {}) {
    this.#area = area;
    this.#events = events;
    this.#key = options.key ?? 'health-records/session';
    this.#locks = 'locks' in options ? options.locks : platformLocks();
    this.#patienceMs = options.patienceMs ?? 2000;
  }

  read(): StoredSession | null {
    return parseSession(this.#area.getItem(this.#key))?.session ?? null;
  }

  write(session: StoredSession | null): void {
    if (!session) {
      this.#area.removeItem(this.#key);
      this.#unposted = undefined;
      this.#withdraw?.();
      return;
    }
    // A time, so that numbers grow from session to session, too.
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
      // A page that is being left gets no locks; what it wrote stays written.
      return;
    }
    // A session that was ended has no number, and is not waited for.
    await this.#until(() => this.#version() >= newest || this.#area.getItem(this.#key) === null);
  }

  async awaitChange(from: StoredSession): Promise<void> {
    // With locks `settle` has seen to it.
    if (!this.#locks) await this.#until(() => this.read()?.refreshToken !== from.refreshToken);
  }

  #version(): number {
    return parseSession(this.#area.getItem(this.#key))?.version ?? 0;
  }

  #noticeOf(version: number | ''): string {
    return `health-records/written ${this.#key} ${version}`;
  }

  /** Holds a lock that is named after the newest own write, until the next one is posted or the tab is closed. */
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
    // A key of null: the whole area was cleared.
    const changed = (event: { key: string | null }) => {
      if (event.key === this.#key || event.key === null) listener();
    };
    this.#events.addEventListener('storage', changed);
    return () => this.#events.removeEventListener('storage', changed);
  }

  /** Resolves when it is so, or patience is at its end. */
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

function parseSession(text: string | null): { session: StoredSession; version: number } | null {
  if (text === null) return null;
  try {
    const value = parseJson(text);
    if (!isJsonObject(value)) return null;
    const { sessionId, email, accessToken, refreshToken, version } = value;
    if (![sessionId, email, accessToken, refreshToken].every((member) => typeof member === 'string'))
      return null;
    const session = { sessionId, email, accessToken, refreshToken } as StoredSession;
    return { session, version: typeof version === 'number' ? version : 0 };
  } catch {
    return null;
  }
}
