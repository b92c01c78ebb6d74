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

/** Signed-in devices: their tokens, from the first to the last. */
@Injectable()
export class SessionsService {
  constructor(
    private readonly database: Database,
    private readonly accounts: AccountsRepository,
    private readonly sessions: SessionsRepository,
    private readonly tokens: Tokens,
    private readonly events: SecurityEventsService,
  ) {}

  /** Opens a session in a transaction that holds the account's row. */
  async open(
    transaction: Executor,
    account: AccountEntity,
    session: { id?: string; deviceLabel?: string | null } = {},
  ): Promise<AuthenticationResponse> {
    const id = session.id ?? newId();
    const refresh = this.tokens.issueRefreshToken(account.id, account.token_version, id);
    const row = { id, token_hash: refresh.hash, device_label: session.deviceLabel ?? null };
    await this.sessions.store(transaction, account.id, row);
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
   * Security: a token that was exchanged before may be in a thief's hands, or the thief's exchange came first: its whole
   * session ends. Source: RFC 9700 section 4.14.2.
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

  /** Ends the session of this token. A token that is none has no session: that is no error. Source: RFC 7009 section 2.2. */
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

  /** Ends one session. Its access token lives on for its 15 minutes: it is checked against the account, not the session. */
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

  /** Ends every session and kills every token of the account at once. */
  async logoutAll(caller: Caller): Promise<void> {
    await this.database.transaction(async (transaction) => {
      if (!(await this.accounts.raiseTokenVersion(transaction, caller)))
        throw new ServiceError('token_revoked');
      await this.sessions.revokeAll(transaction, caller.accountId);
      await this.events.record(transaction, caller.accountId, 'logged_out_everywhere', caller.address);
    });
  }

  /** The owner must hear of a theft: the end of the session and the event are one. */
  private async endIfReused(ticket: RefreshTicket, address: string): Promise<void> {
    await this.database.transaction(async (transaction) => {
      if (await this.sessions.endReused(transaction, ticket))
        await this.events.record(transaction, ticket.accountId, 'token_reuse', address);
    });
  }
}
