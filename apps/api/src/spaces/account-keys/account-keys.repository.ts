import { Injectable } from '@nestjs/common';
import type { Caller } from '@app/common';
import { Database, IS_VALID_CALLER, isLiveSession, type Statement } from '@app/database';
import type { AccountKeys } from './dto/account-keys.response';

const COLUMNS = 'sharing_public, signing_public, wrapped, wrapped_iv';

const FIND: Statement = {
  name: 'account keys find',
  text: `SELECT ${COLUMNS} FROM account_keys WHERE account_id = $1 AND ${IS_VALID_CALLER}`,
};
const INSERT: Statement = {
  name: 'account keys insert',
  text: `INSERT INTO account_keys (account_id, ${COLUMNS})
    SELECT a.id, $4, $5, $6, $7 FROM accounts a WHERE a.id = $1 AND a.token_version = $2 AND ${isLiveSession('$3')}
    ON CONFLICT DO NOTHING RETURNING ${COLUMNS}`,
};

@Injectable()
export class AccountKeysRepository {
  constructor(private readonly database: Database) {}

  /** @returns `undefined` if there are none, or the caller's tokens are no longer valid. */
  async find({ accountId, tokenVersion }: Caller): Promise<AccountKeys | undefined> {
    return (await this.database.shortReads.query<AccountKeys>(FIND, [accountId, tokenVersion]))[0];
  }

  /** @returns `undefined` if there are some already, or the caller's session has ended. */
  async insert(caller: Caller, keys: AccountKeys): Promise<AccountKeys | undefined> {
    const { sharing_public, signing_public, wrapped, wrapped_iv } = keys;
    const values = [sharing_public, signing_public, wrapped, wrapped_iv];
    const identity = [caller.accountId, caller.tokenVersion, caller.sessionId];
    return (await this.database.query<AccountKeys>(INSERT, [...identity, ...values]))[0];
  }
}
