import { onDevice } from '../device-storage-error';
import type { SessionStore, StoredSession } from './session-store';

/**
 * The place of one session in its store. The store may be asynchronous, so the steps of this client run one
 * after another: no step finds the store between another one's check and write.
 */
export class SessionSlot {
  readonly #store: SessionStore;
  #last: Promise<unknown> = Promise.resolve();

  constructor(store: SessionStore) {
    this.#store = store;
  }

  read(): Promise<StoredSession | null> {
    return this.#inTurn(() => onDevice(() => this.#store.read()));
  }

  /** @param check called at once before the write; what it throws prevents the write. */
  write(session: StoredSession | null, check: () => void): Promise<void> {
    return this.#inTurn(async () => {
      check();
      await onDevice(() => this.#store.write(session));
    });
  }

  /** Removes the session if it has this id. @returns the removed session. */
  clear(sessionId: string): Promise<StoredSession | null> {
    return this.#inTurn(async () => {
      const stored = await onDevice(() => this.#store.read());
      if (stored?.sessionId !== sessionId) return null;
      await onDevice(() => this.#store.write(null));
      return stored;
    });
  }

  /** See {@link SessionStore.settle}. */
  async settle(): Promise<void> {
    await this.#store.settle?.();
  }

  /** See {@link SessionStore.awaitChange}. */
  async awaitChange(from: StoredSession): Promise<void> {
    await this.#store.awaitChange?.(from);
  }

  #inTurn<T>(run: () => Promise<T>): Promise<T> {
    const turn = this.#last.then(run);
    this.#last = turn.catch(() => undefined);
    return turn;
  }
}
