import { parseSession, sessionKey, type SessionStore, type StoredSession } from './session-store';

/**
 * A storage of texts by name, such as `AsyncStorage` of React Native, or a few lines around the keychain of a
 * phone, Electron's `safeStorage`, or a database.
 */
export interface KeyValueStorage {
  /** The text of a name; `null` for none. */
  getItem(key: string): string | null | Promise<string | null>;
  /** Stores a text under a name. */
  setItem(key: string, value: string): unknown;
  /** Removes a name. */
  removeItem(key: string): unknown;
}

/**
 * Tokens in a storage of one process, which may be asynchronous: React Native, Electron, a server in Node. For
 * the tabs of a browser, use {@link WebStorageSessionStore}.
 */
export class KeyValueSessionStore implements SessionStore {
  readonly name: string;
  readonly #storage: KeyValueStorage;

  /** @param account any name that the application gives an account, where it holds several. */
  constructor(storage: KeyValueStorage, account?: string) {
    this.#storage = storage;
    this.name = sessionKey(account);
  }

  async read(): Promise<StoredSession | null> {
    return parseSession(await this.#storage.getItem(this.name))?.session ?? null;
  }

  /** Stores the session; `null` removes it. */
  async write(session: StoredSession | null): Promise<void> {
    if (session) await this.#storage.setItem(this.name, JSON.stringify(session));
    else await this.#storage.removeItem(this.name);
  }
}
