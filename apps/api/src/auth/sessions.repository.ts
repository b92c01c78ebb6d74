import { Injectable } from '@nestjs/common';
import { Database, type Executor, type Statement } from '@app/database';
import type { RefreshTicket } from '@app/security';

/** Stored refresh tokens of one account. Source: specification, "Limits". */
export const MAX_SESSIONS = 5;

const EVICT: Statement = {
  name: 'sessions evict',
  text: `DELETE FROM sessions WHERE account_id = $1 AND id IN (
    SELECT id FROM sessions WHERE account_id = $1 ORDER BY last_used_at DESC, id DESC OFFSET ${MAX_SESSIONS - 1})`,
};
const INSERT: Statement = {
  name: 'sessions insert',
  text: 'INSERT INTO sessions (account_id, id, token_hash) VALUES ($1, $2, $3)',
};
/** One statement: of many refreshes with one token exactly one finds its hash. */
const ROTATE: Statement = {
  name: 'sessions rotate',
  text: `UPDATE sessions s SET token_hash = $5, last_used_at = now() FROM accounts a
    WHERE a.id = $1 AND a.token_version = $2 AND s.account_id = a.id AND s.id = $3 AND s.token_hash = $4
    RETURNING a.email`,
};
const REVOKE: Statement = {
  name: 'sessions revoke',
  text: 'DELETE FROM sessions WHERE account_id = $1 AND id = $2 AND token_hash = $3',
};
const REVOKE_ALL: Statement = {
  name: 'sessions revoke all',
  text: 'DELETE FROM sessions WHERE account_id = $1',
};

/** The registry of refresh tokens: at most five for each account, as hashes. */
@Injectable()
export class SessionsRepository {
  constructor(private readonly database: Database) {}

  /** Stores a session's first token; the oldest beyond five are gone. The transaction must hold the account's row. */
  async store(transaction: Executor, accountId: string, id: string, tokenHash: Buffer): Promise<void> {
    await transaction.query(EVICT, [accountId]);
    await transaction.query(INSERT, [accountId, id, tokenHash]);
  }

  /** @returns the account's email, or `undefined` where the token is not the session's live one. */
  async rotate(ticket: RefreshTicket, tokenHash: Buffer): Promise<string | undefined> {
    const values = [ticket.accountId, ticket.tokenVersion, ticket.sessionId, ticket.tokenHash, tokenHash];
    return (await this.database.query<{ email: string }>(ROTATE, values))[0]?.email;
  }

  async revoke(ticket: RefreshTicket): Promise<void> {
    await this.database.query(REVOKE, [ticket.accountId, ticket.sessionId, ticket.tokenHash]);
  }

  async revokeAll(transaction: Executor, accountId: string): Promise<void> {
    await transaction.query(REVOKE_ALL, [accountId]);
  }
}
