import { Injectable } from '@nestjs/common';
import { type Caller, newId, notFound, type Page, ServiceError } from '@app/common';
import { assertLiveSession, Database, type Executor } from '@app/database';
import { type ListQuery, toListRequest } from '@app/http';
import { type RefreshTicket, Tokens } from '@app/security';
import { AccountsRepository } from './accounts.repository';
import type { AuthenticationResponse, TokensResponse } from './dto/authentication.response';
import { type SessionResponse, toSessionResponse } from './dto/session.response';
import type { AccountEntity } from './entities/account.entity';
import { SecurityEventsService } from './security-events.service';
import { SessionsRepository } from './sessions.repository';

/** The values with which a session is started. */
export interface SessionStart {
  kind: 'login' | 'registered';
  address: string;
  deviceLabel: string | undefined;
}

/** Manages the sessions of signed-in devices, and their tokens. */
@Injectable()
export class SessionsService {
  constructor(
    private readonly database: Database,
    private readonly accounts: AccountsRepository,
    private readonly sessions: SessionsRepository,
    private readonly tokens: Tokens,
    private readonly events: SecurityEventsService,
  ) {}

  /**
   * Opens a session and records a security event. The transaction must hold the lock of the account's row.
   */
  async start(
    transaction: Executor,
    account: AccountEntity,
    start: SessionStart,
  ): Promise<AuthenticationResponse> {
    await this.events.record(transaction, account.id, start.kind, start.address);
    return this.open(transaction, account, start.address, start.deviceLabel ?? null);
  }

  /** Opens a session. The transaction must hold the lock of the account's row. */
  async open(
    transaction: Executor,
    account: AccountEntity,
    address: string,
    deviceLabel: string | null,
  ): Promise<AuthenticationResponse> {
    const id = newId();
    const refresh = this.tokens.issueRefreshToken(account.id, account.token_version, id);
    const session = { id, token_hash: refresh.hash, device_label: deviceLabel };
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
   * Security: a token that is used twice may be stolen, and the service cannot tell which use is the thief's.
   * The whole session ends.
   * Source: RFC 9700 section 4.14.2.
   * @throws ServiceError `refresh_token_invalid`.
   */
  async refresh(refreshToken: string, address: string): Promise<TokensResponse> {
    const ticket = this.tokens.readRefreshToken(refreshToken);
    const next = this.tokens.issueRefreshToken(ticket.accountId, ticket.tokenVersion, ticket.sessionId);
    const email = await this.sessions.rotate(ticket, next.hash);
    if (email === undefined) {
      await this.endIfReused(ticket, address);
      throw new ServiceError('refresh_token_invalid');
    }
    const subject = { id: ticket.accountId, email, token_version: ticket.tokenVersion };
    return { token: this.tokens.issueAccessToken(subject, ticket.sessionId), refresh_token: next.token };
  }

  /** Ends the session of this token. An invalid token is not an error. Source: RFC 7009 section 2.2. */
  async logout(refreshToken: string, address: string): Promise<void> {
    const ticket = this.tokens.tryReadRefreshToken(refreshToken);
    if (!ticket) return;
    await this.database.transaction(async (transaction) => {
      if (await this.sessions.revoke(transaction, ticket))
        await this.events.record(transaction, ticket.accountId, 'session_ended', address);
    });
  }

  async list(caller: Caller, query: ListQuery): Promise<Page<SessionResponse>> {
    const page = await this.sessions.list(caller, toListRequest(query));
    return page.map((row) => toSessionResponse(row, caller.sessionId));
  }

  /**
   * Ends one session. Its access token stays valid for up to 15 minutes, because access tokens are checked
   * against the account and not against the session.
   */
  async end(caller: Caller, id: string): Promise<void> {
    const isEnded = await this.database.transaction(async (transaction) => {
      if (!(await this.sessions.end(transaction, caller, id))) return false;
      await this.events.record(transaction, caller.accountId, 'session_ended', caller.address);
      return true;
    });
    if (isEnded) return;
    await assertLiveSession(this.database, caller);
    throw notFound();
  }

  /** Ends every session and every token of the account at once. */
  async logoutAll(caller: Caller): Promise<void> {
    await this.database.transaction(async (transaction) => {
      if (!(await this.accounts.raiseTokenVersion(transaction, caller)))
        throw new ServiceError('token_revoked');
      await this.sessions.revokeAll(transaction, caller.accountId);
      await this.events.record(transaction, caller.accountId, 'logged_out_everywhere', caller.address);
    });
  }

  /** Ends the session and records the event in one transaction: the owner must learn of a theft. */
  private async endIfReused(ticket: RefreshTicket, address: string): Promise<void> {
    await this.database.transaction(async (transaction) => {
      if (await this.sessions.endReused(transaction, ticket))
        await this.events.record(transaction, ticket.accountId, 'token_reuse', address);
    });
  }
}
