/** Why a session ended. */
export type SessionEndReason =
  /** `logout`, `logoutEverywhere` or `deleteAccount` on this client. */
  | 'logged_out'
  /** The service refused the refresh token. */
  | 'refresh_refused'
  /** Another tab logged out. */
  | 'logged_out_elsewhere'
  /** Another tab logged in as somebody, or anew. */
  | 'replaced';

/** What a page can listen to. */
export interface ClientEvents {
  /** The keys are in memory. */
  unlocked: { email: string };
  /** The keys have been dropped; a session may remain. */
  locked: Record<string, never>;
  /** The credentials are cleared: show the login. */
  'session-ended': { reason: SessionEndReason };
}

/** A minimal typed event source. */
export class Events {
  readonly #listeners = new Map<keyof ClientEvents, Set<(event: never) => void>>();

  /** @returns ends the subscription. */
  on<K extends keyof ClientEvents>(type: K, listener: (event: ClientEvents[K]) => void): () => void {
    const listeners = this.#listeners.get(type) ?? new Set();
    this.#listeners.set(type, listeners.add(listener));
    return () => void listeners.delete(listener);
  }

  /** A listener that throws must not undo what it is told about: its error goes to the platform's handler. */
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
