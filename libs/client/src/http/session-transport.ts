import { ApiError, SessionEndedError } from '../errors';
import type { Events, SessionEndReason } from '../events';
import { newId } from '../ids';
import type { HttpAnswer, HttpRequest, HttpTransport } from './http-transport';
import { type LockRunner, withLockSoon } from './locks';
import { SessionSlot } from './session-slot';
import type { SessionStore, StoredSession } from './session-store';
import { exchange, revoke, type AccountTokens, type Tokens } from './tokens';

/** The session that this client uses. Compared by identity. */
interface Held {
  readonly sessionId: string;
  readonly accountId: string;
  email: string;
  /** The tokens that this client itself got and stored last. */
  written?: Tokens;
}

/**
 * Sends requests with the access token of the session. Any number of concurrent 401s, in any number of tabs,
 * cause one refresh, and each request is repeated once. Only a refresh token that the service calls invalid
 * ends the session: any other failure may come from a network between this device and the service.
 *
 * After each wait, every operation checks that its session is still the one that this client uses. A logout or
 * another login in the meantime therefore wins, and the operation ends with SessionEndedError.
 */
export class SessionTransport {
  readonly #http: HttpTransport;
  readonly #slot: SessionSlot;
  readonly #lock: LockRunner;
  readonly #events: Events;
  readonly #lockName: string;
  readonly #unsubscribe: () => void;
  #held: Held | undefined;
  /** The sign-in whose session is not stored yet. */
  #beginning: StoredSession | undefined;
  #refreshing: { held: Held; promise: Promise<StoredSession> } | undefined;

  constructor(http: HttpTransport, store: SessionStore, lock: LockRunner, events: Events) {
    this.#http = http;
    this.#slot = new SessionSlot(store);
    this.#lock = lock;
    this.#events = events;
    this.#lockName = `health-records/refresh ${http.baseUrl} ${store.name}`;
    this.#unsubscribe =
      store.subscribe?.((session) => {
        if (this.#held && session?.sessionId !== this.#held.sessionId) this.#lose(this.#held, session);
      }) ?? (() => undefined);
  }

  /** Stops listening to other tabs. */
  close(): void {
    this.#unsubscribe();
  }

  /**
   * Starts to use a new session. A refresh of the earlier session, here or in another tab, ends first or finds
   * this one.
   * @throws SessionEndedError after a logout or another login in the meantime.
   */
  async begin(session: StoredSession): Promise<void> {
    this.#held = undefined;
    this.#beginning = session;
    await this.#withLockSoon(() =>
      this.#slot.write(session, () => {
        if (this.#beginning !== session) throw new SessionEndedError();
        this.#beginning = undefined;
        this.#held = { ...heldOf(session), written: session };
      }),
    ).catch((error: unknown) => {
      if (this.sessionId === session.sessionId) this.#held = undefined;
      this.discard(session);
      throw error;
    });
    await this.#slot.settle();
    if (this.sessionId !== session.sessionId) throw new SessionEndedError();
  }

  /** Continues the stored session of an earlier page or another tab; `null` when there is none. */
  async resume(): Promise<StoredSession | null> {
    this.#beginning = undefined;
    const before = this.#held;
    const session = this.#own(await this.#slot.read());
    if (this.#held !== before || this.#beginning) return null;
    if (session?.sessionId !== before?.sessionId) {
      this.#held = session ? heldOf(session) : undefined;
    }
    return session;
  }

  /** The id of the session; `undefined` without a session. */
  get sessionId(): string | undefined {
    return this.#held?.sessionId;
  }

  /** The account of the session; `undefined` without a session. */
  get accountId(): string | undefined {
    return this.#held?.accountId;
  }

  /** The email of the session; `undefined` without a session. */
  get email(): string | undefined {
    return this.#held?.email;
  }

  /** The stored session. @throws SessionEndedError */
  async current(): Promise<StoredSession> {
    return this.#read(this.#required());
  }

  /**
   * For an operation of several steps.
   * @returns a function that throws SessionEndedError when this session is no longer the one in use.
   * @throws SessionEndedError without a session.
   */
  hold(): () => void {
    const held = this.#required();
    return () => this.#assertHeld(held);
  }

  /** Clears the credentials and reports the reason. */
  async end(reason: SessionEndReason): Promise<void> {
    if (this.#held) await this.#end(this.#held, reason);
  }

  /** @throws SessionEndedError, and all errors of {@link HttpTransport.send}. */
  async send(request: HttpRequest): Promise<HttpAnswer> {
    const held = this.#required();
    const session = await this.#read(held);
    let answer = await this.#attempt(held, request, session);
    if (!answer) {
      const renewed = await this.#refreshOnce(held, session);
      request.signal?.throwIfAborted();
      answer = await this.#attempt(held, request, renewed, true);
    }
    this.#assertHeld(held);
    return answer!;
  }

  /**
   * Sends a request that replaces the tokens (a new password) or ends them. No tab can refresh at the same
   * time.
   * @param next makes the next session from the answer; `null` for no session. It must be of the same account.
   */
  sendExclusive(
    request: HttpRequest,
    next: (answer: HttpAnswer, session: StoredSession) => StoredSession | null,
  ): Promise<void> {
    const held = this.#required();
    return this.#lock(this.#lockName, async () => {
      await this.#slot.settle();
      let session = await this.#read(held);
      let answer = await this.#attempt(held, request, session);
      if (!answer) {
        session = await this.#refresh(held, session);
        answer = (await this.#attempt(held, request, session, true))!;
      }
      await this.#adopt(held, next(answer, session));
    });
  }

  /**
   * Clears the credentials first, then revokes the refresh token, because the service may be unreachable for
   * a long time.
   * @throws TransportError, ApiError when the service did not revoke the token; the session has ended here
   * anyway.
   */
  async logout(signal?: AbortSignal): Promise<void> {
    const held = this.#held;
    this.#held = this.#beginning = undefined;
    if (!held) return;
    let last = await this.#slot.clear(held.sessionId);
    this.#events.emit('session-ended', { reason: 'logged_out' });
    // A refresh that another tab had begun may have stored its tokens after that.
    await this.#withLockSoon(async () => {
      last = (await this.#slot.clear(held.sessionId)) ?? last;
    });
    if (last) await revoke(this.#http, last.refreshToken, signal);
  }

  /**
   * Ends every session of the account. Clears the credentials after the service has confirmed it.
   * @throws SessionEndedError, and all errors of {@link HttpTransport.send}; this session then continues.
   */
  async logoutEverywhere(signal?: AbortSignal): Promise<void> {
    const held = this.#required();
    await this.sendExclusive(
      { method: 'POST', path: '/api/auth/logout-all', ...(signal ? { signal } : {}) },
      () => null,
    );
    this.#leave(held, 'logged_out');
  }

  /**
   * Ends a session at the service whose tokens nobody will use. If the service is unavailable, the session
   * expires later.
   */
  discard(tokens: Tokens): void {
    revoke(this.#http, tokens.refreshToken).catch(() => undefined);
  }

  #required(): Held {
    if (!this.#held) throw new SessionEndedError();
    return this.#held;
  }

  #assertHeld(held: Held): void {
    if (this.#held !== held) throw new SessionEndedError();
  }

  /** Ignores tokens of another service: they are neither sent nor cleared. */
  #own(session: StoredSession | null): StoredSession | null {
    return session?.baseUrl === this.#http.baseUrl ? session : null;
  }

  /** @throws SessionEndedError when the session has ended, or another one has replaced it. */
  async #read(held: Held): Promise<StoredSession> {
    const session = await this.#slot.read();
    this.#assertHeld(held);
    if (this.#own(session)?.sessionId !== held.sessionId) {
      this.#lose(held, session);
      throw new SessionEndedError();
    }
    held.email = session!.email;
    return session!;
  }

  /** @returns `undefined` for an access token that the service no longer takes, unless it is the last attempt. */
  async #attempt(
    held: Held,
    request: HttpRequest,
    session: StoredSession,
    isLast = false,
  ): Promise<HttpAnswer | undefined> {
    try {
      return await this.#http.send({ ...request, accessToken: session.accessToken });
    } catch (error) {
      this.#assertHeld(held);
      if (isLast || !(error instanceof ApiError && error.status === 401)) throw error;
      return undefined;
    }
  }

  #withLockSoon(run: () => Promise<unknown>): Promise<void> {
    return withLockSoon(this.#lock, this.#lockName, async () => {
      await this.#slot.settle();
      await run();
    });
  }

  async #end(held: Held, reason: SessionEndReason): Promise<void> {
    await this.#slot.clear(held.sessionId);
    this.#leave(held, reason);
  }

  /** The storage holds another session, or none. */
  #lose(held: Held, stored: StoredSession | null): void {
    // The tab that logged out may not have seen the newest tokens.
    if (!stored && held.written) this.discard(held.written);
    this.#leave(held, stored ? 'replaced' : 'logged_out_elsewhere');
  }

  #leave(held: Held, reason: SessionEndReason): void {
    if (this.#held !== held) return;
    this.#held = undefined;
    this.#events.emit('session-ended', { reason });
  }

  #refreshOnce(held: Held, stale: StoredSession): Promise<StoredSession> {
    if (this.#refreshing?.held === held) return this.#refreshing.promise;
    const promise = this.#lock(this.#lockName, () => this.#refresh(held, stale)).finally(() => {
      if (this.#refreshing === current) this.#refreshing = undefined;
    });
    const current = (this.#refreshing = { held, promise });
    return promise;
  }

  /** The caller must hold the lock. */
  async #refresh(held: Held, stale: StoredSession): Promise<StoredSession> {
    await this.#slot.settle();
    let session = await this.#read(held);
    // Another request or tab has already refreshed.
    if (session.accessToken !== stale.accessToken) return session;
    const refreshKey = session.refreshKey ?? newId();
    // Stored before it is sent: after a lost answer or a reload, the repeat has the same key.
    session = { ...session, refreshKey };
    await this.#replace(held, session);
    let tokens: AccountTokens;
    try {
      tokens = await exchange(this.#http, session, refreshKey);
    } catch (cause) {
      this.#assertHeld(held);
      if (!(cause instanceof ApiError && cause.code === 'refresh_token_invalid')) throw cause;
      // Without Web Locks, another tab may have used this refresh token first. It may store the next one
      // soon.
      await this.#slot.awaitChange(session);
      const stored = await this.#read(held);
      if (stored.refreshToken !== session.refreshToken) return stored;
      await this.#end(held, 'refresh_refused');
      throw new SessionEndedError('The session has ended; log in again.', { cause });
    }
    const renewed = { ...session, ...tokens };
    delete renewed.refreshKey;
    await this.#adopt(held, renewed);
    return renewed;
  }

  /** Stores new tokens, or ends them at the service when the session is no longer in use. */
  async #adopt(held: Held, session: StoredSession | null): Promise<void> {
    try {
      await this.#replace(held, session);
    } catch (error) {
      if (session) this.discard(session);
      throw error;
    }
    if (session) Object.assign(held, { email: session.email, written: session });
  }

  /** @throws SessionEndedError when this session is no longer in use, here or in the storage. */
  async #replace(held: Held, session: StoredSession | null): Promise<void> {
    // Without Web Locks, another tab may have logged out in the meantime. The logout stays.
    await this.#read(held);
    await this.#slot.write(session, () => this.#assertHeld(held));
    await this.#slot.settle();
    this.#assertHeld(held);
  }
}

function heldOf({ sessionId, accountId, email }: StoredSession): Held {
  return { sessionId, accountId, email };
}
