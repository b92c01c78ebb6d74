import { Injectable } from '@nestjs/common';
import type { Caller } from '@app/common';
import { Database, type Executor, Housekeeping, type Statement } from '@app/database';
import { DEVICE_TOKEN_DAYS } from './entities/device-token.entity';

const MAX_DEVICE_TOKENS = 20;

/**
 * Each part sees the state before the statement. The DELETE keeps nineteen tokens, and the new token is the
 * twentieth.
 */
const INSERT: Statement = {
  name: 'device tokens insert',
  text: `WITH evicted AS (
      DELETE FROM device_tokens WHERE account_id = $1 AND token_hash IN (
        SELECT token_hash FROM device_tokens WHERE account_id = $1
        ORDER BY last_used_at DESC, token_hash OFFSET ${MAX_DEVICE_TOKENS - 1})
    )
    INSERT INTO device_tokens (account_id, token_hash) VALUES ($1, $2)`,
};
const TOUCH: Statement = {
  name: 'device tokens touch',
  text: 'UPDATE device_tokens SET last_used_at = now() WHERE account_id = $1 AND token_hash = $2',
};
const DELETE_ALL: Statement = {
  name: 'device tokens delete all',
  text: 'DELETE FROM device_tokens WHERE account_id = $1',
};
const FORGET: Statement = {
  name: 'device tokens forget',
  text: `DELETE FROM device_tokens WHERE last_used_at < now() - interval '${DEVICE_TOKEN_DAYS} days'`,
};

/** The hashes of device tokens. An account has at most twenty. `AccountsRepository` looks them up. */
@Injectable()
export class DeviceTokensRepository {
  constructor(
    private readonly database: Database,
    housekeeping: Housekeeping,
  ) {
    housekeeping.add(() => this.forget());
  }

  /**
   * Stores a token. If the account already has twenty tokens, it deletes the least recently used one.
   *
   * The transaction must hold the lock of the account's row.
   */
  async insert(transaction: Executor, { accountId }: Caller, hash: Buffer): Promise<void> {
    await transaction.query(INSERT, [accountId, hash]);
  }

  /** Records that a token was used now. */
  async touch(accountId: string, hash: Buffer): Promise<void> {
    await this.database.query(TOUCH, [accountId, hash]);
  }

  async deleteAll(transaction: Executor, accountId: string): Promise<void> {
    await transaction.query(DELETE_ALL, [accountId]);
  }

  private async forget(): Promise<void> {
    await this.database.query(FORGET, []);
  }
}
