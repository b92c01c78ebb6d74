import { Injectable } from '@nestjs/common';
import type { Caller } from '@app/common';
import {
  Database,
  type Executor,
  Housekeeping,
  IS_VALID_CALLER,
  isLiveSession,
  type Statement,
} from '@app/database';
import { DEVICE_TOKEN_DAYS, type DeviceTokenEntity } from './entities/device-token.entity';

const MAX_DEVICE_TOKENS = 10;

const IS_VALID = `last_used_at > now() - interval '${DEVICE_TOKEN_DAYS} days'`;

/** Keeps nine tokens. The new token is the tenth. */
const EVICT: Statement = {
  name: 'device tokens evict',
  text: `DELETE FROM device_tokens WHERE account_id = $1 AND token_hash IN (
    SELECT token_hash FROM device_tokens WHERE account_id = $1
    ORDER BY last_used_at DESC, token_hash OFFSET ${MAX_DEVICE_TOKENS - 1}) RETURNING token_hash`,
};
const INSERT: Statement = {
  name: 'device tokens insert',
  text: `INSERT INTO device_tokens (account_id, token_hash, session_id, device_label) VALUES ($1, $2, $3, $4)`,
};
const TOUCH: Statement = {
  name: 'device tokens touch',
  text: `UPDATE device_tokens SET last_used_at = now() WHERE account_id = $1 AND token_hash = $2`,
};
const USE: Statement = {
  name: 'device tokens use',
  text: `UPDATE device_tokens SET last_used_at = now(), session_id = $3, device_label = coalesce($4, device_label),
      token_hash = coalesce($5, token_hash)
    WHERE account_id = $1 AND token_hash = $2`,
};
const LIST: Statement = {
  name: 'device tokens list',
  text: `SELECT token_hash, created_at, last_used_at, session_id, device_label FROM device_tokens
    WHERE account_id = $1 AND ${IS_VALID_CALLER}
      AND ${IS_VALID} ORDER BY last_used_at DESC, token_hash`,
};
/** Only a session that has not ended can end a token. $3 the beginning of the hash. */
const END: Statement = {
  name: 'device tokens end',
  text: `DELETE FROM device_tokens WHERE account_id = $1 AND substring(token_hash FOR 16) = $3
      AND ${IS_VALID_CALLER}
      AND ${isLiveSession('$4')} RETURNING token_hash`,
};
const END_OF_SESSION: Statement = {
  name: 'device tokens end of session',
  text: 'DELETE FROM device_tokens WHERE account_id = $1 AND session_id = $2 RETURNING token_hash',
};
const END_OTHERS: Statement = {
  name: 'device tokens end others',
  text: 'DELETE FROM device_tokens WHERE account_id = $1 AND session_id IS DISTINCT FROM $2 RETURNING token_hash',
};
const MOVE: Statement = {
  name: 'device tokens move',
  text: 'UPDATE device_tokens SET session_id = $3 WHERE account_id = $1 AND session_id = $2',
};
const DELETE_ALL: Statement = {
  name: 'device tokens delete all',
  text: 'DELETE FROM device_tokens WHERE account_id = $1',
};
const FORGET: Statement = {
  name: 'device tokens forget',
  text: `DELETE FROM device_tokens WHERE last_used_at < now() - interval '${DEVICE_TOKEN_DAYS} days'`,
};

/** The session that a device has opened. */
export interface OpenedSession {
  id: string;
  label: string | null;
}

/** The hashes of device tokens. An account has at most ten. `AccountsRepository` looks them up. */
@Injectable()
export class DeviceTokensRepository {
  constructor(
    private readonly database: Database,
    housekeeping: Housekeeping,
  ) {
    housekeeping.add(() => database.query(FORGET, []));
  }

  /**
   * Stores a token. If the account already has ten tokens, it deletes the least recently used one.
   *
   * The transaction must hold the lock of the account's row.
   * @returns the number of deleted tokens.
   */
  async insert(
    transaction: Executor,
    accountId: string,
    hash: Buffer,
    session: OpenedSession,
  ): Promise<number> {
    const evicted = await transaction.query(EVICT, [accountId]);
    await transaction.query(INSERT, [accountId, hash, session.id, session.label]);
    return evicted.length;
  }

  /** Records that a token was used now. */
  async touch(accountId: string, hash: Buffer): Promise<void> {
    await this.database.query(TOUCH, [accountId, hash]);
  }

  /**
   * Records that the device of a token has opened a session.
   *
   * @param newHash of the token that replaces it, if the device asked for one.
   */
  async use(
    transaction: Executor,
    accountId: string,
    hash: Buffer,
    session: OpenedSession,
    newHash?: Buffer,
  ): Promise<void> {
    await transaction.query(USE, [accountId, hash, session.id, session.label, newHash ?? null]);
  }

  /** Last used first. Empty also if the caller's tokens are no longer valid. */
  async list({ accountId, tokenVersion }: Caller): Promise<DeviceTokenEntity[]> {
    return this.database.query<DeviceTokenEntity>(LIST, [accountId, tokenVersion]);
  }

  /** @returns whether the caller's session has not ended and the caller had such a token. */
  async end(transaction: Executor, caller: Caller, hashPrefix: Buffer): Promise<boolean> {
    const values = [caller.accountId, caller.tokenVersion, hashPrefix, caller.sessionId];
    return (await transaction.query(END, values)).length > 0;
  }

  /** Ends the tokens of the device that opened a session. @returns their number. */
  async endOfSession(transaction: Executor, accountId: string, sessionId: string): Promise<number> {
    return (await transaction.query(END_OF_SESSION, [accountId, sessionId])).length;
  }

  /** Ends the tokens of all devices but that of a session. @returns their number. */
  async endOthers(transaction: Executor, accountId: string, sessionId: string): Promise<number> {
    return (await transaction.query(END_OTHERS, [accountId, sessionId])).length;
  }

  /** The device of a session has opened another one. */
  async move(transaction: Executor, accountId: string, from: string, to: string): Promise<void> {
    await transaction.query(MOVE, [accountId, from, to]);
  }

  async deleteAll(transaction: Executor, accountId: string): Promise<void> {
    await transaction.query(DELETE_ALL, [accountId]);
  }
}
