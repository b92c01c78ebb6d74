import { newId } from '../ids';
import { isJsonObject } from '../json';
import type { AccountKey } from '../crypto/account-key';

/** The part of `BroadcastChannel` that this library uses. */
export interface TabChannel {
  /** Sends to the other tabs, not to this one. */
  postMessage(message: unknown): void;
  /** Hears what other tabs send. */
  addEventListener(type: 'message', listener: (event: { data: unknown }) => void): void;
  /** Hears nothing any more. */
  close(): void;
  /** Node: a process may end although it listens. */
  unref?(): void;
}

/** Opens a channel to the other tabs of this origin that open one of the same name. */
export type OpenChannel = (name: string) => TabChannel;

/** What a tab does when another one asks or tells. */
export interface TabDuties {
  lock(): void;
  noteActivity(): void;
  /** The account key, if this tab is unlocked. */
  accountKey(): AccountKey | undefined;
  sessionId(): string | undefined;
}

/** How long a new tab waits for an unlocked one, in milliseconds. */
const ANSWER_MS = 500;

/**
 * Messages between the tabs of one session. Messages about another session are ignored.
 * Security: a key goes only to a tab of this origin that asks for it, as a `CryptoKey` that no script can read,
 * through a channel of a random name. It is never stored.
 */
export class Tabs {
  readonly #open: OpenChannel;
  readonly #name: string;
  readonly #duties: TabDuties;
  readonly #channel: TabChannel;

  constructor(open: OpenChannel, name: string, duties: TabDuties) {
    this.#open = open;
    this.#name = name;
    this.#duties = duties;
    this.#channel = open(name);
    this.#channel.addEventListener('message', ({ data }) => this.#hear(data));
  }

  /** Locks the other tabs. */
  lock(): void {
    this.#tell({ type: 'lock' });
  }

  /** Keeps the other tabs from locking: the person is active here. */
  noteActivity(): void {
    this.#tell({ type: 'active' });
  }

  /** The account key of another tab; `undefined` when none is unlocked. */
  async ask(): Promise<AccountKey | undefined> {
    const reply = newId();
    const channel = this.#open(`${this.#name} ${reply}`);
    try {
      return await new Promise((resolve) => {
        const timer = setTimeout(() => resolve(undefined), ANSWER_MS);
        channel.addEventListener('message', ({ data }) => {
          if (!isAccountKey(data)) return;
          clearTimeout(timer);
          resolve(data);
        });
        this.#tell({ type: 'ask', reply });
      });
    } finally {
      channel.close();
    }
  }

  close(): void {
    this.#channel.close();
  }

  #tell(message: { type: string; reply?: string }): void {
    this.#channel.postMessage({ ...message, sessionId: this.#duties.sessionId() });
  }

  #hear(message: unknown): void {
    if (!isJsonObject(message) || message.sessionId === undefined) return;
    if (message.sessionId !== this.#duties.sessionId()) return;
    if (message.type === 'lock') this.#duties.lock();
    if (message.type === 'active') this.#duties.noteActivity();
    if (message.type === 'ask' && typeof message.reply === 'string') this.#give(message.reply);
  }

  #give(reply: string): void {
    const key = this.#duties.accountKey();
    if (!key) return;
    const channel = this.#open(`${this.#name} ${reply}`);
    try {
      channel.postMessage(key);
    } finally {
      channel.close();
    }
  }
}

function isAccountKey(value: unknown): value is AccountKey {
  if (typeof value !== 'object' || value === null) return false;
  const { key, id } = value as Partial<AccountKey>;
  if (!key || Object.prototype.toString.call(key) !== '[object CryptoKey]' || typeof id !== 'string')
    return false;
  return key.type === 'secret' && !key.extractable && key.algorithm.name === 'AES-GCM';
}

/** `BroadcastChannel` of the platform, if it has one. */
export function platformChannel(): OpenChannel | undefined {
  const Channel = (globalThis as unknown as { BroadcastChannel?: new (name: string) => TabChannel })
    .BroadcastChannel;
  return Channel && ((name) => new Channel(name));
}
