import { ApiError, SessionEndedError } from '../errors';
import type { Events, SessionEndReason } from '../events';
import type { HttpAnswer, HttpRequest, HttpTransport } from './http-transport';
import type { LockRunner } from './locks';
import { ObjectReader } from './object-reader';
import type { SessionStore, StoredSession } from './session-store';

/** The tokens of an answer. */
export interface Tokens {
  accessToken: string;
  refreshToken: string;
}

/** @throws ProtocolError */
export function readTokens(body: unknown): Tokens {
  const answer = new ObjectReader(body, 'tokens');
  return { accessToken: answer.text('token'), refreshToken: answer.text('refresh_token') };
}

/**
 * Sends requests with the access token of the session. Any number of concurrent 401s, in any number of tabs,
 * cause one refresh, and each request is repeated once. A refused refresh clears the credentials. Any
 * other failed refresh does not, since the session may still be valid.
 */
export class SessionTransport {
  readonly #http: HttpTransport;
  readonly #store: SessionStore;
  readonly #lock: LockRunner;
  readonly #events: Events;
  readonly #lockName: string;
  readonly #unsubscribe: () => void;
  #sessionId: string | undefined;
  #refreshing: Promise<StoredSession> | undefined;

  constructor(http: HttpTransport, store: SessionStore, lock: LockRunner, events: Events) {
    this.#http = http;
    this.#store = store;
    this.#lock = lock;
    this.#events = events;
    this.#lockName = `health-records/refresh ${http.baseUrl}`;
    this.#unsubscribe = store.subscribe((session) => {
      if (this.#sessionId !== undefined && session?.sessionId !== this.#sessionId) {
        this.#leave(session ? 'replaced' : 'logged_out_elsewhere');
      }
    });
  }

  /** Stops listening to other tabs. */
  close(): void {
    this.#unsubscribe();
  }

  /** Starts to use a new session. */
  begin(session: StoredSession): void {
    this.#sessionId = session.sessionId;
    this.#store.write(session);
  }

  /** Continues the stored session of an earlier page or another tab; `null` when there is no session. */
  resume(): StoredSession | null {
    const session = this.#store.read();
    this.#sessionId = session?.sessionId;
    return session;
  }

  /** Whether there is a session that has not ended. */
  get isActive(): boolean {
    return this.#sessionId !== undefined;
  }

  /** @throws SessionEndedError when there is no session, or another session has replaced it. */
  current(): StoredSession {
    const session = this.#store.read();
    if (this.#sessionId === undefined) throw new SessionEndedError();
    if (session?.sessionId !== this.#sessionId) {
      this.#leave(session ? 'replaced' : 'logged_out_elsewhere');
      throw new SessionEndedError();
    }
    return session;
  }

  /** Clears the credentials and reports the reason. */
  end(reason: SessionEndReason): void {
    if (this.#store.read()?.sessionId === this.#sessionId) this.#store.write(null);
    this.#leave(reason);
  }

  /** @throws SessionEndedError, and all errors of {@link HttpTransport.send}. */
  async send(request: HttpRequest): Promise<HttpAnswer> {
    const session = this.current();
    try {
      return await this.#http.send({ ...request, accessToken: session.accessToken });
    } catch (error) {
      if (!isUnauthorized(error)) throw error;
    }
    const renewed = await this.#refreshOnce(session);
    request.signal?.throwIfAborted();
    return this.#http.send({ ...request, accessToken: renewed.accessToken });
  }

  /**
   * Sends a request that replaces the tokens (a new password) or ends them. No tab can refresh at the same
   * time.
   * @param next makes the next session from the answer; `null` for no session.
   */
  sendExclusive<T>(
    request: HttpRequest,
    next: (answer: HttpAnswer, session: StoredSession) => { session: StoredSession | null; result: T },
  ): Promise<T> {
    return this.#lock(this.#lockName, async () => {
      await this.#store.settle?.();
      let session = this.current();
      let answer: HttpAnswer;
      try {
        answer = await this.#http.send({ ...request, accessToken: session.accessToken });
      } catch (error) {
        if (!isUnauthorized(error)) throw error;
        session = await this.#refresh(session);
        answer = await this.#http.send({ ...request, accessToken: session.accessToken });
      }
      const { session: following, result } = next(answer, session);
      this.#store.write(following);
      await this.#store.settle?.();
      return result;
    });
  }

  /**
   * Clears the credentials first, then revokes the refresh token, because the service may be unreachable for
   * a long time.
   * @throws TransportError, ApiError when the service did not revoke the token; the session has ended here
   * anyway.
   */
  async logout(signal?: AbortSignal): Promise<void> {
    await this.#lock(this.#lockName, async () => {
      await this.#store.settle?.();
      const session = this.#store.read();
      const isOurs = session !== null && session.sessionId === this.#sessionId;
      this.end('logged_out');
      if (!isOurs) return;
      await this.#http.send({
        method: 'POST',
        path: '/api/auth/logout',
        body: { refresh_token: session.refreshToken },
        replayable: true,
        ...(signal ? { signal } : {}),
      });
    });
  }

  /**
   * Ends every session of the account. Clears the credentials after the service has confirmed it.
   * @throws SessionEndedError, and all errors of {@link HttpTransport.send}; this session then continues.
   */
  async logoutEverywhere(signal?: AbortSignal): Promise<void> {
    await this.sendExclusive(
      { method: 'POST', path: '/api/auth/logout-all', ...(signal ? { signal } : {}) },
      () => ({ session: null, result: undefined }),
    );
    this.#leave('logged_out');
  }

  #leave(reason: SessionEndReason): void {
    if (this.#sessionId === undefined) return;
    this.#sessionId = undefined;
    this.#events.emit('session-ended', { reason });
  }

  #refreshOnce(stale: StoredSession): Promise<StoredSession> {
    this.#refreshing ??= this.#lock(this.#lockName, () => this.#refresh(stale)).finally(() => {
      this.#refreshing = undefined;
    });
    return this.#refreshing;
  }

  /** The caller must hold the lock. */
  async #refresh(stale: StoredSession): Promise<StoredSession> {
    await this.#store.settle?.();
    const session = this.current();
    // Another request or tab has already refreshed.
    if (session.accessToken !== stale.accessToken) return session;
    let tokens: Tokens;
    try {
      const answer = await this.#http.send({
        method: 'POST',
        path: '/api/auth/refresh',
        body: { refresh_token: session.refreshToken },
      });
      tokens = readTokens(answer.body);
    } catch (cause) {
      if (!isRefusal(cause)) throw cause;
      // Without Web Locks, another tab may have used this refresh token first. It may store the next one
      // soon.
      await this.#store.awaitChange?.(session);
      const stored = this.#store.read();
      if (stored?.sessionId === session.sessionId && stored.refreshToken !== session.refreshToken)
        return stored;
      this.end('refresh_refused');
      throw new SessionEndedError('The session has ended; log in again.', { cause });
    }
    // Without Web Locks, another tab may have logged out in the meantime. `current` throws then, so the
    // logout stays.
    const renewed = { ...this.current(), ...tokens };
    this.#store.write(renewed);
    await this.#store.settle?.();
    return renewed;
  }
}

function isUnauthorized(error: unknown): boolean {
  return error instanceof ApiError && error.status === 401;
}

/** Whether the service rejected the refresh token itself. */
function isRefusal(error: unknown): boolean {
  return (
    error instanceof ApiError &&
    error.status >= 400 &&
    error.status < 500 &&
    ![408, 425, 429].includes(error.status)
  );
}
