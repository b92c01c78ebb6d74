import { Injectable } from '@nestjs/common';
import { type Caller, newId, notFound, type Page, ServiceError } from '@app/common';
import { assertLiveSession, Database, type Executor } from '@app/database';
import { type ListQuery, toListRequest } from '@app/http';
import { EndedSessions, type IssuedToken, type RefreshTicket, Tokens } from '@app/security';
import { AccountsRepository } from '../accounts/accounts.repository';
import { type OpenedSession, DeviceTokensRepository } from '../devices/device-tokens.repository';
import { DeviceTokensService, type DeviceUse } from '../devices/device-tokens.service';
import type { AuthenticationResponse, TokensResponse } from './dto/authentication.response';
import { type SessionResponse, toSessionResponse } from './dto/session.response';
import type { AccountEntity } from '../accounts/entities/account.entity';
import { SecurityEventsService } from '../events/security-events.service';
import { type PastExchange, type RefreshClient, SessionsRepository } from './sessions.repository';

/** The values with which a session is started. */
export interface SessionStart extends Omit<DeviceUse, 'session'> {
  kind: 'login' | 'registered' | 'passkey_login';
  deviceLabel: string | undefined;
}

/** Manages the sessions of signed-in devices, and their tokens. */
@Injectable()
export class SessionsService {
  constructor(
    private readonly database: Database,
    private readonly accounts: AccountsRepository,
    private readonly sessions: SessionsRepository,
    private readonly devices: DeviceTokensRepository,
    private readonly deviceTokens: DeviceTokensService,
    private readonly tokens: Tokens,
    private readonly ended: EndedSessions,
    private readonly events: SecurityEventsService,
  ) {}

  /**
   * Opens a session and records a security event. It stops an erasure that waits. The transaction must hold the lock
   * of the account's row.
   *
   * Security: every sign-in ends here, after its secret was found right. So only its owner hears of a suspension.
   * @throws ServiceError `account_suspended`.
   */
  async start(
    transaction: Executor,
    account: AccountEntity,
    start: SessionStart,
  ): Promise<AuthenticationResponse> {
    if (account.suspended_at !== null) throw new ServiceError('account_suspended');
    const session = { id: newId(), label: start.deviceLabel ?? null };
    await this.events.record(transaction, account.id, start.kind, start.address);
    if (account.erase_at !== null) {
      await this.accounts.stopErasure(transaction, account.id);
      await this.events.record(transaction, account.id, 'erasure_stopped', start.address);
    }
    const response = await this.open(transaction, account, start.address, session);
    return {
      ...response,
      ...(await this.deviceTokens.signIn(transaction, account.id, { ...start, session })),
    };
  }

  /** Opens a session. The transaction must hold the lock of the account's row. */
  async open(
    transaction: Executor,
    account: AccountEntity,
    address: string,
    { id, label }: OpenedSession,
  ): Promise<AuthenticationResponse> {
    const refresh = this.tokens.issueRefreshToken(account.id, account.token_version, id);
    const session = { id, token_hash: refresh.hash, device_label: label };
    await this.sessions.start(transaction, account.id, session, address);
    return {
      token: this.tokens.issueAccessToken(account, id),
      refresh_token: refresh.token,
      wrapped_dek: account.wrapped_dek,
      wrapped_dek_iv: account.wrapped_dek_iv,
    };
  }

  /**
   * Exchanges a refresh token for a new pair.
   *
   * A repeat with the same Idempotency-Key gets the same refresh token, for a short time and until that token
   * is used. So a lost answer ends no session.
   *
   * Security: a token that is used again may be stolen, and the service cannot tell which use is the thief's.
   * The whole session ends, unless the token was exchanged a moment ago by a client with the same network and
   * user agent. Each reuse is an event.
   * Source: RFC 9700 section 4.14.2.
   * @param key digest of the request's Idempotency-Key.
   * @throws ServiceError `refresh_token_invalid`.
   */
  async refresh(refreshToken: string, client: RefreshClient, key?: Buffer): Promise<TokensResponse> {
    const ticket = this.tokens.readRefreshToken(refreshToken);
    const issuedAt = Math.floor(Date.now() / 1000);
    const next = this.tokens.issueSuccessor(ticket, issuedAt, key);
    const email = await this.sessions.rotate(ticket, { hash: next.hash, issuedAt }, client);
    if (email !== undefined) return this.pairOf(ticket, email, next);
    const past = await this.sessions.findExchange(ticket, client);
    const again = past && key && this.repeatOf(ticket, past, key);
    if (again) return this.pairOf(ticket, past.email, again);
    if (past) await this.recordReuse(ticket, past, client.address);
    throw new ServiceError('refresh_token_invalid');
  }

  /**
   * Ends the session of this token, also if the token was exchanged: its holder asks for the end of the session,
   * and a thief may have been faster. An invalid token is not an error. Source: RFC 7009 section 2.2.
   */
  async logout(refreshToken: string, address: string): Promise<void> {
    const ticket = this.tokens.tryReadRefreshToken(refreshToken);
    if (!ticket) return;
    await this.database.transaction(async (transaction) => {
      const revoked = await this.sessions.revoke(transaction, ticket);
      if (!revoked) return;
      const kind = revoked.is_current ? 'session_ended' : 'token_repeated';
      await this.events.record(transaction, ticket.accountId, kind, address);
    });
    await this.ended.reload();
  }

  async list(caller: Caller, query: ListQuery): Promise<Page<SessionResponse>> {
    const page = await this.sessions.list(caller, toListRequest(query));
    return page.map((row) => toSessionResponse(row, caller.sessionId));
  }

  /**
   * Ends one session, and the token of its device. Its access tokens end with it, in other processes within seconds;
   * see `EndedSessions`.
   */
  async end(caller: Caller, id: string): Promise<void> {
    const isEnded = await this.database.transaction(async (transaction) => {
      if (!(await this.sessions.end(transaction, caller, id))) return false;
      await this.events.record(transaction, caller.accountId, 'session_ended', caller.address);
      await this.deviceTokens.endOfSession(transaction, caller, id);
      return true;
    });
    if (isEnded) return this.ended.reload();
    await assertLiveSession(this.database, caller);
    throw notFound();
  }

  /**
   * Locks the caller's account until the transaction ends, as the first statement of the transaction.
   *
   * @throws ServiceError `token_revoked` if the session has ended.
   */
  async lockCaller(transaction: Executor, caller: Caller): Promise<void> {
    const subject = { id: caller.accountId, token_version: caller.tokenVersion };
    const isLive =
      (await this.accounts.lock(transaction, subject)) &&
      (await this.sessions.lock(transaction, caller)) !== undefined;
    if (!isLive) throw new ServiceError('token_revoked');
  }

  /** Ends every session and every token of the account at once, device tokens too. */
  async logoutAll(caller: Caller): Promise<void> {
    await this.database.transaction(async (transaction) => {
      if (!(await this.accounts.raiseTokenVersion(transaction, caller)))
        throw new ServiceError('token_revoked');
      if ((await this.sessions.lock(transaction, caller)) === undefined)
        throw new ServiceError('token_revoked');
      await this.sessions.revokeAll(transaction, caller.accountId);
      await this.devices.deleteAll(transaction, caller.accountId);
      await this.events.record(transaction, caller.accountId, 'logged_out_everywhere', caller.address);
    });
  }

  private pairOf(ticket: RefreshTicket, email: string, next: IssuedToken): TokensResponse {
    const subject = { id: ticket.accountId, email, token_version: ticket.tokenVersion };
    return { token: this.tokens.issueAccessToken(subject, ticket.sessionId), refresh_token: next.token };
  }

  /** @returns the successor, if it was issued for this key and is not used yet. */
  private repeatOf(ticket: RefreshTicket, past: PastExchange, key: Buffer): IssuedToken | undefined {
    if (!past.is_repeatable || past.issued_at === null) return undefined;
    const successors = this.tokens.successorsOf(ticket, past.issued_at, key);
    return successors.find(({ hash }) => hash.equals(past.token_hash));
  }

  /** The event and the end of the session are one transaction: the owner must learn of a theft. */
  private async recordReuse(ticket: RefreshTicket, past: PastExchange, address: string): Promise<void> {
    await this.database.transaction(async (transaction) => {
      if (past.is_harmless)
        await this.events.gather(transaction, ticket.accountId, 'token_repeated', address);
      else if (await this.sessions.endReused(transaction, ticket))
        await this.events.record(transaction, ticket.accountId, 'token_reuse', address);
    });
    if (!past.is_harmless) await this.ended.reload();
  }
}
