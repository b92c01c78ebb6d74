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

/**
 * Tokens in `localStorage` (all tabs, survives a restart) or `sessionStorage` (one tab).
 * Security: a script that runs in the page can read tokens there, as it could use them; the keys it cannot.
 */
export class WebStorageSessionStore implements SessionStore {
  readonly #area: StorageArea;
  readonly #events: StorageEvents;
  readonly #key: string;

  constructor(area: StorageArea, events: StorageEvents, key = 'health-records/session') {
    this.#area = area;
    this.#events = events;
    this.#key = key;
  }

  read(): StoredSession | null {
    return parseSession(this.#area.getItem(this.#key));
  }

  write(session: StoredSession | null): void {
    if (session) this.#area.setItem(this.#key, JSON.stringify(session));
    else this.#area.removeItem(this.#key);
  }

  subscribe(listener: (session: StoredSession | null) => void): () => void {
    // A key of null: the whole area was cleared.
    const changed = (event: { key: string | null }) => {
      if (event.key === this.#key || event.key === null) listener(this.read());
    };
    this.#events.addEventListener('storage', changed);
    return () => this.#events.removeEventListener('storage', changed);
  }
}

function parseSession(text: string | null): StoredSession | null {
  if (text === null) return null;
  try {
    const value = parseJson(text);
    if (!isJsonObject(value)) return null;
    const { sessionId, email, accessToken, refreshToken } = value;
    return [sessionId, email, accessToken, refreshToken].every((member) => typeof member === 'string')
      ? ({ sessionId, email, accessToken, refreshToken } as StoredSession)
      : null;
  } catch {
    return null;
  }
}
