import { Injectable } from '@nestjs/common';
import { Database, type Executor, type Statement } from '@app/database';

/** What an operator sees of an account. */
export interface AccountSummary {
  id: string;
  email: string;
  created_at: string;
  /** The last use of a session, or null without one. */
  last_used_at: string | null;
  sessions: number;
  recovery_enabled: boolean;
  records: number;
  bytes: number;
}

const SUMMARY = `SELECT a.id, a.email, a.created_at, a.recovery_enabled,
    (SELECT max(s.last_used_at) FROM sessions s WHERE s.account_id = a.id) AS last_used_at,
    (SELECT count(*) FROM sessions s WHERE s.account_id = a.id) AS sessions,
    coalesce((SELECT u.records FROM account_usage u WHERE u.account_id = a.id), 0) AS records,
    coalesce((SELECT u.bytes FROM account_usage u WHERE u.account_id = a.id), 0) AS bytes
  FROM accounts a`;

const LIST: Statement = {
  name: 'operator list accounts',
  text: `${SUMMARY} WHERE a.id > $1 ORDER BY a.id LIMIT $2`,
};
const FIND: Statement = {
  name: 'operator find account',
  text: `${SUMMARY} WHERE a.id = $1`,
};
const FIND_LOGIN: Statement = {
  name: 'operator find login',
  text: 'SELECT account_id FROM logins WHERE email = $1',
};
const DELETE: Statement = {
  name: 'operator erase account',
  text: 'DELETE FROM accounts WHERE id = $1 RETURNING id, email',
};
const RAISE: Statement = {
  name: 'operator end tokens',
  text: `UPDATE accounts SET token_version = token_version + 1, revision = revision + 1, updated_at = now()
    WHERE id = $1 RETURNING id`,
};

/** Before every id. */
const FIRST = '00000000-0000-0000-0000-000000000000';

/** Its statements may read all accounts, and no request uses them. Their names begin with `operator`. */
@Injectable()
export class OperatorRepository {
  constructor(private readonly database: Database) {}

  /** In the order of their ids, so from old to new. */
  list(limit: number, after = FIRST): Promise<AccountSummary[]> {
    return this.database.query<AccountSummary>(LIST, [after, limit]);
  }

  async findByEmail(email: string): Promise<AccountSummary | undefined> {
    const [login] = await this.database.query<{ account_id: string }>(FIND_LOGIN, [email]);
    return login && (await this.database.query<AccountSummary>(FIND, [login.account_id]))[0];
  }

  async delete(transaction: Executor, id: string): Promise<{ id: string; email: string } | undefined> {
    return (await transaction.query<{ id: string; email: string }>(DELETE, [id]))[0];
  }

  async raiseTokenVersion(transaction: Executor, id: string): Promise<boolean> {
    return (await transaction.query(RAISE, [id])).length > 0;
  }
}
