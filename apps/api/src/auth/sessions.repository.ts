import { Injectable } from '@nestjs/common';
import { type Caller, isUuid } from '@app/common';
import { Database, type Executor, OwnedRepository, type Statement } from '@app/database';
import { REFRESH_TOKEN_TTL_SECONDS, type RefreshTicket } from '@app/security';
import { SessionEntity } from './entities/session.entity';

/** Stored refresh tokens of one account. Source: specification, "Limits". */
const MAX_SESSIONS = 5;
/** However often it is refreshed, a session ends after this many days. */
const MAX_LINE_DAYS = 180;
/** Reuse of an exchanged token within this time is two tabs or a lost answer; later it is a theft. */
const REUSE_GRACE_SECONDS = 10;

const EVICT: Statement = {
  name: 'sessions evict',
  text: `DELETE FROM sessions WHERE account_id = $1 AND id IN (
    SELECT id FROM sessions WHERE account_id = $1 ORDER BY last_used_at DESC, id DESC OFFSET ${MAX_SESSIONS - 1})`,
};
const INSERT: Statement = {
  name: 'sessions insert',
  text: 'INSERT INTO sessions (account_id, id, token_hash, device_label) VALUES ($1, $2, $3, $4)',
};
/** One statement: of many refreshes with one token exactly one finds its hash. */
const ROTATE: Statement = {
  name: 'sessions rotate',
  text: `UPDATE sessions s SET token_hash = $5, last_used_at = now(), retired = jsonb_build_array(
        jsonb_build_object('hash', encode(s.token_hash, 'hex'), 'at', now())) || coalesce((
          SELECT jsonb_agg(r) FROM jsonb_array_elements(s.retired) r
          WHERE (r->>'at')::timestamptz > now() - interval '${REUSE_GRACE_SECONDS} seconds'), '[]')
    FROM accounts a
    WHERE a.id = $1 AND a.token_version = $2 AND s.account_id = a.id AND s.id = $3 AND s.token_hash = $4
      AND s.created_at > now() - interval '${MAX_LINE_DAYS} days'
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
    OR created_at < now() - interval '${MAX_LINE_DAYS} days'`,
};

/** The registry of refresh tokens: at most five for each account, as hashes. */
@Injectable()
export class SessionsRepository extends OwnedRepository<SessionEntity> {
  constructor(database: Database) {
    super(database, {
      entity: SessionEntity,
      orderBy: 'last_used_at',
      direction: 'DESC',
      changedAt: 'last_used_at',
      filters: {},
    });
  }

  /** Stores a session's first token; the oldest beyond five are gone. The transaction must hold the account's row. */
  async store(
    transaction: Executor,
    accountId: string,
    session: Pick<SessionEntity, 'id' | 'token_hash' | 'device_label'>,
  ): Promise<void> {
    await transaction.query(EVICT, [accountId]);
    await transaction.query(INSERT, [accountId, session.id, session.token_hash, session.device_label]);
  }

  /** @returns the account's email, or `undefined` where the token is not the session's live one. */
  async rotate(ticket: RefreshTicket, tokenHash: Buffer): Promise<string | undefined> {
    const values = [ticket.accountId, ticket.tokenVersion, ticket.sessionId, ticket.tokenHash, tokenHash];
    return (await this.database.query<{ email: string }>(ROTATE, values))[0]?.email;
  }

  /** Ends the session of a token that was exchanged longer ago than a race would explain. @returns whether it did. */
  async endReused(transaction: Executor, ticket: RefreshTicket): Promise<boolean> {
    const rows = await transaction.query(END_REUSED, [ticket.accountId, ticket.sessionId, ticket.tokenHash]);
    return rows.length > 0;
  }

  /** @returns whether it was the caller's. */
  async end(transaction: Executor, caller: Caller, id: string): Promise<boolean> {
    if (!isUuid(id)) return false;
    const rows = await transaction.query(END, [caller.accountId, caller.tokenVersion, id]);
    return rows.length > 0;
  }

  /** @returns whether the token was live. */
  async revoke(transaction: Executor, ticket: RefreshTicket): Promise<boolean> {
    const rows = await transaction.query(REVOKE, [ticket.accountId, ticket.sessionId, ticket.tokenHash]);
    return rows.length > 0;
  }

  /** @returns the label of the caller's own session, for the one that may follow it. */
  async revokeAll(transaction: Executor, accountId: string, caller?: Caller): Promise<string | null> {
    const ended = await transaction.query<SessionEntity>(REVOKE_ALL, [accountId]);
    return ended.find(({ id }) => id === caller?.sessionId)?.device_label ?? null;
  }

  /** Forgets sessions whose token has expired. */
  async expire(): Promise<void> {
    await this.database.query(EXPIRE, []);
  }
}
