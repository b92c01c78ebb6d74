import { Injectable } from '@nestjs/common';
import { Database, type Executor, type Statement } from '@app/database';
import { NIL } from 'uuid';

/** What an operator sees of an account. */
export interface AccountSummary {
  id: string;
  /** Empty for a space. */
  email: string;
  /** Whether it is a space: a shared profile, and nobody signs in. */
  is_space: boolean;
  created_at: string;
  /** The last use of a session, or null without one. */
  last_used_at: string | null;
  sessions: number;
  recovery_enabled: boolean;
  /** Whether a sign-in by password asks for more. Nothing here can switch it off. */
  second_step: boolean;
  records: number;
  bytes: number;
  /** Since when nobody can sign in. */
  suspended_at: string | null;
  /** Since when an erasure waits, by whom and why. */
  held_at: string | null;
  held_by: string | null;
  held_why: string | null;
  /** When the owner asked for the erasure that waits. */
  erasure_asked_at: string | null;
}

/** Who holds an erasure, and why. */
export interface Hold {
  by: string;
  why: string;
}

const SUMMARY = `SELECT a.id, a.email, a.created_at, a.recovery_enabled, a.second_step, a.suspended_at, a.held_at, a.held_by, a.held_why,
    a.erasure_asked_at,
    EXISTS (SELECT 1 FROM spaces p WHERE p.account_id = a.id) AS is_space,
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
  text: 'DELETE FROM accounts WHERE id = $1 AND held_at IS NULL RETURNING id, email',
};
const RAISE: Statement = {
  name: 'operator end tokens',
  text: `UPDATE accounts SET token_version = token_version + 1, revision = revision + 1, updated_at = now()
    WHERE id = $1 RETURNING id`,
};

const SUSPEND: Statement = {
  name: 'operator suspend account',
  text: `UPDATE accounts SET suspended_at = now(), token_version = token_version + 1, revision = revision + 1,
      updated_at = now() WHERE id = $1 AND suspended_at IS NULL RETURNING id`,
};
const RESUME: Statement = {
  name: 'operator resume account',
  text: 'UPDATE accounts SET suspended_at = NULL WHERE id = $1 AND suspended_at IS NOT NULL RETURNING id',
};
const HOLD: Statement = {
  name: 'operator hold account',
  text: `UPDATE accounts SET held_at = now(), held_by = $2, held_why = $3
    WHERE id = $1 RETURNING id`,
};
const RELEASE: Statement = {
  name: 'operator release account',
  text: `UPDATE accounts SET held_at = NULL, held_by = NULL, held_why = NULL
    WHERE id = $1 AND held_at IS NOT NULL RETURNING erasure_asked_at IS NOT NULL AS is_erasure_asked`,
};

/** Its statements may read all accounts, and no request uses them. Their names begin with `operator`. */
@Injectable()
export class OperatorRepository {
  constructor(private readonly database: Database) {}

  /** In the order of their ids, so from old to new. */
  list(limit: number, after: string = NIL): Promise<AccountSummary[]> {
    return this.database.query<AccountSummary>(LIST, [after, limit]);
  }

  async findByEmail(email: string): Promise<AccountSummary | undefined> {
    const [login] = await this.database.query<{ account_id: string }>(FIND_LOGIN, [email]);
    return login && (await this.database.query<AccountSummary>(FIND, [login.account_id]))[0];
  }

  /** @returns `undefined` also for an account that is held. */
  async delete(transaction: Executor, id: string): Promise<{ id: string; email: string } | undefined> {
    return (await transaction.query<{ id: string; email: string }>(DELETE, [id]))[0];
  }

  async raiseTokenVersion(transaction: Executor, id: string): Promise<boolean> {
    return (await transaction.query(RAISE, [id])).length > 0;
  }

  /** @returns `false` if it is suspended already. */
  async suspend(transaction: Executor, id: string): Promise<boolean> {
    return (await transaction.query(SUSPEND, [id])).length > 0;
  }

  /** @returns `false` if it is not suspended. */
  async resume(transaction: Executor, id: string): Promise<boolean> {
    return (await transaction.query(RESUME, [id])).length > 0;
  }

  /** A second hold replaces who and why. */
  async hold(transaction: Executor, id: string, { by, why }: Hold): Promise<void> {
    await transaction.query(HOLD, [id, by, why]);
  }

  /** @returns whether the owner has asked for the erasure meanwhile; `undefined` if it is not held. */
  async release(transaction: Executor, id: string): Promise<boolean | undefined> {
    const [row] = await transaction.query<{ is_erasure_asked: boolean }>(RELEASE, [id]);
    return row?.is_erasure_asked;
  }
}
