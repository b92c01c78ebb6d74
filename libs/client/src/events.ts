import type { RecordReference } from './errors';
import type { RecordsChanged, SyncStatus } from './offline/offline-host';

/** Why a session ended. */
export type SessionEndReason =
  /** `logout`, `logoutEverywhere` or `deleteAccount` on this client. */
  | 'logged_out'
  /** The service refused the refresh token. */
  | 'refresh_refused'
  /** Another tab logged out. */
  | 'logged_out_elsewhere'
  /** Another tab logged in, to the same or another account. */
  | 'replaced';

/** Why the keys were dropped. */
export type LockReason =
  /** `lock`, or the end or change of the session, on this client. */
  | 'called'
  /** Nobody was active for the time of `idleLock`. */
  | 'idle'
  /** `lock` in another tab. */
  | 'another_tab';

/** The events of the client. */
export interface ClientEvents {
  /** The keys are in memory. */
  unlocked: { email: string };
  /** The keys are no longer in memory; a session may remain. */
  locked: { reason: LockReason };
  /** The credentials are cleared. The page should show the login. */
  'session-ended': { reason: SessionEndReason };
  /** A list no longer has records that this session had seen: another device deleted them. */
  'records-gone': { records: readonly RecordReference[] };
  /** The state of the synchronisation, the outbox or its problems have changed. */
  sync: SyncStatus;
  /**
   * Records of these kinds were changed, by this tab, another tab or another device: read them again. Without an offline
   * store: by this client.
   */
  'records-changed': RecordsChanged;
}

/** A minimal event source with types. */
export class Events {
  readonly #listeners = new Map<keyof ClientEvents, Set<(event: never) => void>>();

  /** @returns a function that ends the subscription. */
  on<K extends keyof ClientEvents>(type: K, listener: (event: ClientEvents[K]) => void): () => void {
    const listeners = this.#listeners.get(type) ?? new Set();
    this.#listeners.set(type, listeners.add(listener));
    return () => void listeners.delete(listener);
  }

  /**
   * An error in a listener must not stop the operation that emits the event. It goes to the error handler of
   * the platform.
   */
  emit<K extends keyof ClientEvents>(type: K, event: ClientEvents[K]): void {
    for (const listener of [...(this.#listeners.get(type) ?? [])]) {
      try {
        (listener as (event: ClientEvents[K]) => void)(event);
      } catch (error) {
        queueMicrotask(() => {
          throw error;
        });
      }
    }
  }
}
