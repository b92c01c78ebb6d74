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
 * Sends requests with the access token of the session. Any number of concurrent 401s, in any number of tabs, cause one
 * refresh, and each request is repeated once. A refused refresh clears the credentials; one that merely did not get
 * through does not, since the session may well be alive.
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

  /** Begins to use a session that was just made. */
  begin(session: StoredSession): void {
    this.#sessionId = session.sessionId;
    this.#store.write(session);
  }

  /** Takes up the stored session, of an earlier page or of another tab; `null` when there is none. */
  resume(): StoredSession | null {
    const session = this.#store.read();
    this.#sessionId = session?.sessionId;
    return session;
  }

  /** Whether a session was begun or resumed and has not ended. */
  get isActive(): boolean {
    return this.#sessionId !== undefined;
  }

  /** @throws SessionEndedError when there is no session, or another one has taken its place. */
  current(): StoredSession {
    const session = this.#store.read();
    if (this.#sessionId === undefined) throw new SessionEndedError();
    if (session?.sessionId !== this.#sessionId) {
      this.#leave(session ? 'replaced' : 'logged_out_elsewhere');
      throw new SessionEndedError();
    }
    return session;
  }

  /** Clears the credentials and says why. */
  end(reason: SessionEndReason): void {
    if (this.#store.read()?.sessionId === this.#sessionId) this.#store.write(null);
    this.#leave(reason);
  }

  /** @throws SessionEndedError, and what {@link HttpTransport.send} throws. */
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
   * Sends a request that replaces the tokens (a new password) or ends them, while no tab refreshes.
   * @param next the session that follows from the answer; `null` for none.
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
   * Clears the credentials, then revokes the refresh token. In this order, since the service may be out of reach for long.
   * @throws TransportError, ApiError when the service could not be told; the session has ended here nevertheless.
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
   * Ends every session of the account; the credentials are cleared when the service has done so.
   * @throws SessionEndedError, and what {@link HttpTransport.send} throws; this session then goes on.
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

  /** Call with the lock held. */
  async #refresh(stale: StoredSession): Promise<StoredSession> {
    await this.#store.settle?.();
    const session = this.current();
    // Another request or tab was faster.
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
      // Without Web Locks another tab may have used this refresh token first, and be about to store the next one.
      await this.#store.awaitChange?.(session);
      const stored = this.#store.read();
      if (stored?.sessionId === session.sessionId && stored.refreshToken !== session.refreshToken)
        return stored;
      this.end('refresh_refused');
      throw new SessionEndedError('The session has ended; log in again.', { cause });
    }
    // A logout in a tab without Web Locks may have come in between; it must not be undone.
    const renewed = { ...this.current(), ...tokens };
    this.#store.write(renewed);
    await this.#store.settle?.();
    return renewed;
  }
}

function isUnauthorized(error: unknown): boolean {
  return error instanceof ApiError && error.status === 401;
}

/** Whether the service looked at the refresh token and said no. */
function isRefusal(error: unknown): boolean {
  return (
    error instanceof ApiError &&
    error.status >= 400 &&
    error.status < 500 &&
    ![408, 425, 429].includes(error.status)
  );
}
