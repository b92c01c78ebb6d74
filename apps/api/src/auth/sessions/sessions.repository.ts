import { Injectable } from '@nestjs/common';
import { type Caller, isUuid } from '@app/common';
import { Database, type Executor, Housekeeping, OwnedRepository, type Statement } from '@app/database';
import {
  AddressPseudonyms,
  EndedSessions,
  REFRESH_TOKEN_TTL_SECONDS,
  type RefreshTicket,
} from '@app/security';
import { KNOWN_ADDRESS_DAYS } from '../accounts/entities/known-address.entity';
import { SessionEntity } from './entities/session.entity';

/** Maximum number of sessions of one account. */
const MAX_SESSIONS = 5;
/** A session ends after this number of days, even if it is refreshed often. */
const MAX_SESSION_AGE_DAYS = 180;
/**
 * Reuse of a token within this time, by the same client, counts as two tabs or a lost answer. All other reuse
 * counts as theft.
 */
const REUSE_GRACE_SECONDS = 10;
/** For this time, a repeat with the same Idempotency-Key gets the same successor. */
const REPEAT_SECONDS = 60;
/**
 * The most exchanges that a session remembers, so that its row stays small. No real client makes more in
 * `REPEAT_SECONDS`.
 */
const MAX_RETIRED = 20;

/**
 * The DELETE keeps four other sessions. It excludes the new session by its id, because Citus runs the parts one
 * after another.
 */
const START: Statement = {
  name: 'sessions start',
  text: `WITH remembered AS (
      INSERT INTO known_addresses (account_id, address, last_login_at) VALUES ($1, $5, now())
      ON CONFLICT (account_id, address) DO UPDATE SET last_login_at = excluded.last_login_at
    ), started AS (
      INSERT INTO sessions (account_id, id, token_hash, device_label) VALUES ($1, $2, $3, $4)
    )
    DELETE FROM sessions WHERE account_id = $1 AND id IN (
      SELECT id FROM sessions WHERE account_id = $1 AND id <> $2
      ORDER BY last_used_at DESC, id DESC OFFSET ${MAX_SESSIONS - 1}) RETURNING id`,
};
/**
 * One statement, so that only one of several concurrent refreshes with the same token finds its hash. Citus
 * allows no stable function with a column as its argument: the entry names the token's hash by its parameter.
 */
const ROTATE: Statement = {
  name: 'sessions rotate',
  text: `UPDATE sessions s SET token_hash = $5, last_used_at = now(), retired = jsonb_build_array(
        jsonb_build_object('hash', encode($4::bytea, 'hex'), 'at', now(), 'iat', $6::bigint,
          'origin', encode($7::bytea, 'hex'), 'agent', encode($8::bytea, 'hex')))
      || jsonb_path_query_array(s.retired, '$[0 to ${MAX_RETIRED - 2}] ? (@.iat > $since)',
        jsonb_build_object('since', $6::bigint - ${REPEAT_SECONDS}))
    FROM accounts a
    WHERE a.id = $1 AND a.token_version = $2 AND s.account_id = a.id AND s.id = $3 AND s.token_hash = $4
      AND s.created_at > now() - interval '${MAX_SESSION_AGE_DAYS} days'
    RETURNING a.email`,
};
/** An entry of an older version names no client. It counts as an exchange by the same client. */
const FIND_EXCHANGE: Statement = {
  name: 'sessions find exchange',
  text: `SELECT a.email, s.token_hash, (r->>'iat')::bigint AS issued_at,
      coalesce((r->>'at')::timestamptz > now() - interval '${REPEAT_SECONDS} seconds', false) AS is_repeatable,
      coalesce((r->>'at')::timestamptz > now() - interval '${REUSE_GRACE_SECONDS} seconds', false)
        AND coalesce(r->>'origin' = encode($5::bytea, 'hex'), true)
        AND coalesce(r->>'agent' = encode($6::bytea, 'hex'), true) AS is_harmless
    FROM accounts a JOIN sessions s ON s.account_id = $1 AND s.id = $3 AND s.token_hash <> $4
      LEFT JOIN LATERAL jsonb_array_elements(s.retired) r ON r->>'hash' = encode($4, 'hex')
    WHERE a.id = $1 AND a.token_version = $2`,
};
const END_REUSED: Statement = {
  name: 'sessions end reused',
  text: 'DELETE FROM sessions WHERE account_id = $1 AND id = $2 RETURNING id',
};
/** Only a session that has not ended can end others. */
const END: Statement = {
  name: 'sessions end',
  text: `DELETE FROM sessions s USING accounts a
    WHERE a.id = $1 AND a.token_version = $2 AND s.account_id = a.id AND s.id = $3
      AND EXISTS (SELECT 1 FROM sessions c WHERE c.account_id = $1 AND c.id = $4) RETURNING s.id`,
};
/**
 * Names the session and not the token: a refresh at the same moment then leaves no successor. `is_current` is
 * whether the token was not exchanged yet.
 */
const REVOKE: Statement = {
  name: 'sessions revoke',
  text: 'DELETE FROM sessions WHERE account_id = $1 AND id = $2 RETURNING token_hash = $3 AS is_current',
};
/** Waits for a transaction that ends the session at the same moment, and makes such a one wait. */
const LOCK: Statement = {
  name: 'sessions lock',
  text: 'SELECT device_label FROM sessions WHERE account_id = $1 AND id = $2 FOR KEY SHARE',
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

/** The client that exchanges a refresh token. */
export interface RefreshClient {
  address: string;
  /** Empty if unknown. */
  userAgent: string;
}

/** What is known about the exchange of a token that is used again. */
export interface PastExchange {
  email: string;
  /** The hash of the session's current token. */
  token_hash: Buffer;
  /** When the successor was issued, in seconds since the epoch. `null` if the exchange is not remembered. */
  issued_at: number | null;
  /** Whether a repeat with the same Idempotency-Key may still get the same successor. */
  is_repeatable: boolean;
  /** Whether the exchange was a moment ago, by the same client. */
  is_harmless: boolean;
}

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
    private readonly ended: EndedSessions,
  ) {
    super(database, {
      entity: SessionEntity,
      orderBy: 'last_used_at',
      direction: 'DESC',
      changedAt: 'last_used_at',
      filters: {},
    });
    housekeeping.add(() => database.query(EXPIRE, []));
    housekeeping.add(() => database.query(FORGET_ADDRESSES, []));
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
    const evicted = await transaction.query<{ id: string }>(START, [
      accountId,
      session.id,
      session.token_hash,
      session.device_label,
      this.pseudonyms.of(accountId, address),
    ]);
    await this.recordEnd(transaction, accountId, evicted);
  }

  /**
   * @param successor with the time at which it was issued, in seconds since the epoch.
   * @returns the account's email, or `undefined` if the token is not the session's current one.
   */
  async rotate(
    ticket: RefreshTicket,
    successor: { hash: Buffer; issuedAt: number },
    client: RefreshClient,
  ): Promise<string | undefined> {
    const { accountId, tokenVersion, sessionId, tokenHash } = ticket;
    const values = [accountId, tokenVersion, sessionId, tokenHash, successor.hash, successor.issuedAt];
    const rows = await this.database.query<{ email: string }>(ROTATE, [
      ...values,
      ...this.pseudonymsOf(accountId, client),
    ]);
    return rows[0]?.email;
  }

  /** @returns `undefined` if the session has ended, or the token is its current one. */
  async findExchange(ticket: RefreshTicket, client: RefreshClient): Promise<PastExchange | undefined> {
    const { accountId, tokenVersion, sessionId, tokenHash } = ticket;
    const values = [accountId, tokenVersion, sessionId, tokenHash, ...this.pseudonymsOf(accountId, client)];
    return (await this.database.query<PastExchange>(FIND_EXCHANGE, values))[0];
  }

  /** Ends the session of a token that was used again. @returns whether it had not ended yet. */
  async endReused(transaction: Executor, { accountId, sessionId }: RefreshTicket): Promise<boolean> {
    const rows = await transaction.query<{ id: string }>(END_REUSED, [accountId, sessionId]);
    await this.recordEnd(transaction, accountId, rows);
    return rows.length > 0;
  }

  /** @returns whether the caller's session has not ended and the caller had such a session. */
  async end(transaction: Executor, caller: Caller, id: string): Promise<boolean> {
    if (!isUuid(id)) return false;
    const { accountId, tokenVersion, sessionId } = caller;
    const rows = await transaction.query<{ id: string }>(END, [accountId, tokenVersion, id, sessionId]);
    await this.recordEnd(transaction, accountId, rows);
    return rows.length > 0;
  }

  /** Ends the session of a token. @returns `undefined` if it had ended before. */
  async revoke(
    transaction: Executor,
    { accountId, sessionId, tokenHash }: RefreshTicket,
  ): Promise<{ is_current: boolean } | undefined> {
    const values = [accountId, sessionId, tokenHash];
    const [revoked] = await transaction.query<{ is_current: boolean }>(REVOKE, values);
    if (revoked) await this.recordEnd(transaction, accountId, [{ id: sessionId }]);
    return revoked;
  }

  /**
   * Locks the caller's session until the transaction ends. The transaction must hold the lock of the account's
   * row, because others take the two locks in this order.
   *
   * @returns its label, or `undefined` if the session has ended.
   */
  async lock(transaction: Executor, { accountId, sessionId }: Caller): Promise<string | null | undefined> {
    const values = [accountId, sessionId];
    const [session] = await transaction.query<Pick<SessionEntity, 'device_label'>>(LOCK, values);
    return session?.device_label;
  }

  /** @returns the device label of the caller's session. The session that replaces it gets the same label. */
  async revokeAll(transaction: Executor, accountId: string, caller?: Caller): Promise<string | null> {
    const ended = await transaction.query<SessionEntity>(REVOKE_ALL, [accountId]);
    return ended.find(({ id }) => id === caller?.sessionId)?.device_label ?? null;
  }

  private recordEnd(transaction: Executor, accountId: string, ended: { id: string }[]): Promise<void> {
    return this.ended.record(
      transaction,
      accountId,
      ended.map(({ id }) => id),
    );
  }

  private pseudonymsOf(accountId: string, { address, userAgent }: RefreshClient): Buffer[] {
    return [this.pseudonyms.of(accountId, address), this.pseudonyms.ofAgent(accountId, userAgent)];
  }
}
