import { Injectable } from '@nestjs/common';
import { type Caller, isUuid } from '@app/common';
import { Database, type Executor, Housekeeping, OwnedRepository, type Statement } from '@app/database';
import { AddressPseudonyms, REFRESH_TOKEN_TTL_SECONDS, type RefreshTicket } from '@app/security';
import { KNOWN_ADDRESS_DAYS } from './entities/known-address.entity';
import { SessionEntity } from './entities/session.entity';

/** Maximum number of sessions of one account. Source: specification, "Limits". */
const MAX_SESSIONS = 5;
/** A session ends after this number of days, even if it is refreshed often. */
const MAX_SESSION_AGE_DAYS = 180;
/** Reuse of a token within this time counts as two tabs or a lost answer. Later reuse counts as theft. */
const REUSE_GRACE_SECONDS = 10;

/**
 * Each part sees the state before the statement. The DELETE keeps four sessions, and the new session is the
 * fifth.
 */
const START: Statement = {
  name: 'sessions start',
  text: `WITH evicted AS (
      DELETE FROM sessions WHERE account_id = $1 AND id IN (
        SELECT id FROM sessions WHERE account_id = $1
        ORDER BY last_used_at DESC, id DESC OFFSET ${MAX_SESSIONS - 1})
    ), remembered AS (
      INSERT INTO known_addresses (account_id, address) VALUES ($1, $5)
      ON CONFLICT (account_id, address) DO UPDATE SET last_login_at = now()
    )
    INSERT INTO sessions (account_id, id, token_hash, device_label) VALUES ($1, $2, $3, $4)`,
};
/** One statement, so that only one of several concurrent refreshes with the same token finds its hash. */
const ROTATE: Statement = {
  name: 'sessions rotate',
  text: `UPDATE sessions s SET token_hash = $5, last_used_at = now(), retired = jsonb_build_array(
        jsonb_build_object('hash', encode(s.token_hash, 'hex'), 'at', now())) || coalesce((
          SELECT jsonb_agg(r) FROM jsonb_array_elements(s.retired) r
          WHERE (r->>'at')::timestamptz > now() - interval '${REUSE_GRACE_SECONDS} seconds'), '[]')
    FROM accounts a
    WHERE a.id = $1 AND a.token_version = $2 AND s.account_id = a.id AND s.id = $3 AND s.token_hash = $4
      AND s.created_at > now() - interval '${MAX_SESSION_AGE_DAYS} days'
    RETURNING a.email`,
};
const END_REUSED: Statement = {
  name: 'sessions end reused',
  text: `DELETE FROM sessions s WHERE s.account_id = $1 AND s.id = $2 AND s.token_hash <> $3 AND NOT EXISTS (
      SELECT 1 FROM jsonb_array_elements(s.retired) r
      WHERE r->>'hash' = encode($3, 'hex')
        AND (r->>'at')::timestamptz > now() - interval '${REUSE_GRACE_SECONDS} seconds')
    RETURNING s.id`,
};
const END: Statement = {
  name: 'sessions end',
  text: `DELETE FROM sessions s USING accounts a
    WHERE a.id = $1 AND a.token_version = $2 AND s.account_id = a.id AND s.id = $3 RETURNING s.id`,
};
const REVOKE: Statement = {
  name: 'sessions revoke',
  text: 'DELETE FROM sessions WHERE account_id = $1 AND id = $2 AND token_hash = $3 RETURNING id',
};
const REVOKE_ALL: Statement = {
  name: 'sessions revoke all',
  text: 'DELETE FROM sessions WHERE account_id = $1 RETURNING id, device_label',
};
const EXPIRE: Statement = {
  name: 'sessions expire',
  text: `DELETE FROM sessions WHERE last_used_at < now() - interval '${REFRESH_TOKEN_TTL_SECONDS} seconds'
    OR created_at < now() - interval '${MAX_SESSION_AGE_DAYS} days'`,
};

const FORGET_ADDRESSES: Statement = {
  name: 'known addresses forget',
  text: `DELETE FROM known_addresses WHERE last_login_at < now() - interval '${KNOWN_ADDRESS_DAYS} days'`,
};

/**
 * Sessions with the hash of their refresh token, and the addresses from which they were opened.
 *
 * An account has at most five sessions.
 */
@Injectable()
export class SessionsRepository extends OwnedRepository<SessionEntity> {
  constructor(
    database: Database,
    housekeeping: Housekeeping,
    private readonly pseudonyms: AddressPseudonyms,
  ) {
    super(database, {
      entity: SessionEntity,
      orderBy: 'last_used_at',
      direction: 'DESC',
      changedAt: 'last_used_at',
      filters: {},
    });
    housekeeping.add(() => this.expire());
  }

  /**
   * Stores a session and its address. If the account already has five sessions, it deletes the least recently
   * used one.
   *
   * The transaction must hold the lock of the account's row.
   */
  async start(
    transaction: Executor,
    accountId: string,
    session: Pick<SessionEntity, 'id' | 'token_hash' | 'device_label'>,
    address: string,
  ): Promise<void> {
    await transaction.query(START, [
      accountId,
      session.id,
      session.token_hash,
      session.device_label,
      this.pseudonyms.of(accountId, address),
    ]);
  }

  /** @returns the account's email, or `undefined` if the token is not the session's current one. */
  async rotate(ticket: RefreshTicket, tokenHash: Buffer): Promise<string | undefined> {
    const values = [ticket.accountId, ticket.tokenVersion, ticket.sessionId, ticket.tokenHash, tokenHash];
    return (await this.database.query<{ email: string }>(ROTATE, values))[0]?.email;
  }

  /**
   * Ends the session of a token that was exchanged before the grace period. @returns whether a session was
   * ended.
   */
  async endReused(transaction: Executor, ticket: RefreshTicket): Promise<boolean> {
    const rows = await transaction.query(END_REUSED, [ticket.accountId, ticket.sessionId, ticket.tokenHash]);
    return rows.length > 0;
  }

  /** @returns whether the caller had such a session. */
  async end(transaction: Executor, caller: Caller, id: string): Promise<boolean> {
    if (!isUuid(id)) return false;
    const rows = await transaction.query(END, [caller.accountId, caller.tokenVersion, id]);
    return rows.length > 0;
  }

  /** @returns whether the token was the session's current one. */
  async revoke(transaction: Executor, ticket: RefreshTicket): Promise<boolean> {
    const rows = await transaction.query(REVOKE, [ticket.accountId, ticket.sessionId, ticket.tokenHash]);
    return rows.length > 0;
  }

  /** @returns the device label of the caller's session. The session that replaces it gets the same label. */
  async revokeAll(transaction: Executor, accountId: string, caller?: Caller): Promise<string | null> {
    const ended = await transaction.query<SessionEntity>(REVOKE_ALL, [accountId]);
    return ended.find(({ id }) => id === caller?.sessionId)?.device_label ?? null;
  }

  /** Deletes sessions whose token has expired, and addresses that no longer count as known. */
  private async expire(): Promise<void> {
    await this.database.query(EXPIRE, []);
    await this.database.query(FORGET_ADDRESSES, []);
  }
}
