import { Injectable } from '@nestjs/common';
import { Database, type Executor, type Statement } from '@app/database';
import { VERIFICATION_HOURS } from '../email/email-verification.repository';
import type { AccountEntity } from './entities/account.entity';

/** An operator has not decided that it stays. */
const NOT_KEPT = 'held_at IS NULL AND suspended_at IS NULL';
/** The first profile is the only change that a registration makes. Spaces, and whoever has a part in one, are used. */
const NEVER_USED = `${NOT_KEPT} AND NOT EXISTS (SELECT 1 FROM account_usage u WHERE u.account_id = a.id AND u.last_change > 1)
  AND NOT EXISTS (SELECT 1 FROM memberships h WHERE h.account_id = a.id)
  AND NOT EXISTS (SELECT 1 FROM spaces s WHERE s.account_id = a.id)`;

const DELETE_UNVERIFIED: Statement = {
  name: 'abandoned accounts give way',
  text: `DELETE FROM accounts a WHERE a.id = $1 AND NOT a.email_verified
      AND a.created_at < now() - interval '${VERIFICATION_HOURS} hours' AND ${NEVER_USED} RETURNING a.id, a.email`,
};
const isUnused = (days: string) => `a.created_at < now() - make_interval(days => ${days}) AND ${NEVER_USED}
  AND NOT EXISTS (SELECT 1 FROM sessions s WHERE s.account_id = a.id)
  AND NOT EXISTS (SELECT 1 FROM security_events e WHERE e.account_id = a.id
    AND e.created_at > now() - make_interval(days => ${days}) AND e.kind IN ('login', 'passkey_login'))`;
const FIND_OLD: Statement = {
  name: 'operator find old accounts',
  text: `SELECT id FROM accounts WHERE id > $1 AND created_at < now() - make_interval(days => $2)
    ORDER BY id LIMIT $3`,
};
const IS_UNUSED: Statement = {
  name: 'abandoned accounts is unused',
  text: `SELECT 1 AS unused FROM accounts a WHERE a.id = $1 AND ${isUnused('$2')}`,
};
const DELETE_UNUSED: Statement = {
  name: 'abandoned accounts delete unused',
  text: `DELETE FROM accounts a WHERE a.id = $1 AND ${isUnused('$2')} RETURNING a.id, a.email`,
};
const FIND_DUE: Statement = {
  name: 'operator find due erasures',
  text: `SELECT id FROM accounts WHERE erase_at < now() AND ${NOT_KEPT} ORDER BY erase_at LIMIT $1`,
};
const DELETE_DUE: Statement = {
  name: 'abandoned accounts delete due',
  text: `DELETE FROM accounts WHERE id = $1 AND erase_at < now() AND ${NOT_KEPT}
    RETURNING id, email, email_verified`,
};

export type ErasedAccount = Pick<AccountEntity, 'id' | 'email' | 'email_verified'>;

/** Accounts that their owners have left. What deletes one runs in `AccountsService.eraseBy`, which locks it before. Searches across accounts have names that begin with `operator`. */
@Injectable()
export class AbandonedAccountsRepository {
  constructor(private readonly database: Database) {}

  /** Deletes the account if nobody has confirmed its address in a day, or stored anything. */
  async deleteUnverified(transaction: Executor, id: string): Promise<ErasedAccount | undefined> {
    return (await transaction.query<ErasedAccount>(DELETE_UNVERIFIED, [id]))[0];
  }

  /** @param after an id; the search begins behind it. @returns ids in their order. */
  async findOld(after: string, days: number, limit: number): Promise<string[]> {
    return (await this.database.query<{ id: string }>(FIND_OLD, [after, days, limit])).map(({ id }) => id);
  }

  /** Whether the account has stored nothing, and had no session for so many days. */
  async isUnused(id: string, days: number): Promise<boolean> {
    return (await this.database.query(IS_UNUSED, [id, days])).length > 0;
  }

  async deleteUnused(transaction: Executor, id: string, days: number): Promise<ErasedAccount | undefined> {
    return (await transaction.query<ErasedAccount>(DELETE_UNUSED, [id, days]))[0];
  }

  /** @returns ids of accounts whose erasure is due. */
  async findDue(limit: number): Promise<string[]> {
    return (await this.database.query<{ id: string }>(FIND_DUE, [limit])).map(({ id }) => id);
  }

  async deleteDue(transaction: Executor, id: string): Promise<ErasedAccount | undefined> {
    return (await transaction.query<ErasedAccount>(DELETE_DUE, [id]))[0];
  }
}
