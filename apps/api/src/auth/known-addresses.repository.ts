import { Injectable } from '@nestjs/common';
import { Database, type Executor, type Statement } from '@app/database';

const REMEMBERED_DAYS = 30;

const FIND: Statement = {
  name: 'known addresses find',
  text: `SELECT 1 AS known FROM known_addresses WHERE account_id = $1 AND address = $2
    AND last_login_at > now() - interval '${REMEMBERED_DAYS} days'`,
};
const REMEMBER: Statement = {
  name: 'known addresses remember',
  text: `INSERT INTO known_addresses (account_id, address) VALUES ($1, $2)
    ON CONFLICT (account_id, address) DO UPDATE SET last_login_at = now()`,
};
const FORGET: Statement = {
  name: 'known addresses forget',
  text: `DELETE FROM known_addresses WHERE last_login_at < now() - interval '${REMEMBERED_DAYS} days'`,
};

@Injectable()
export class KnownAddressesRepository {
  constructor(private readonly database: Database) {}

  async has(accountId: string, address: Buffer): Promise<boolean> {
    return (await this.database.query(FIND, [accountId, address])).length > 0;
  }

  async remember(transaction: Executor, accountId: string, address: Buffer): Promise<void> {
    await transaction.query(REMEMBER, [accountId, address]);
  }

  async forgetOld(): Promise<void> {
    await this.database.query(FORGET, []);
  }
}
