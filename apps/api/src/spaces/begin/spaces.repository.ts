import { Injectable } from '@nestjs/common';
import { type Caller, ServiceError, type SpaceRole } from '@app/common';
import { Database, type Executor, isLiveSession, type Statement } from '@app/database';

/** The last sharer's tokens are compared, and two begins of one account wait for each other. */
const LOCK_PERSON: Statement = {
  name: 'spaces lock person',
  text: `SELECT created_at FROM accounts WHERE id = $1 AND token_version = $2 AND ${isLiveSession('$3')}
    FOR NO KEY UPDATE`,
};
const INSERT_ACCOUNT: Statement = {
  name: 'spaces insert account',
  text: `INSERT INTO accounts (id, email, password_hash, wrapped_dek, wrapped_dek_iv, recovery_wrapped_dek,
      recovery_wrapped_dek_iv, created_at)
    VALUES ($1, '', '', '', '', '', '', $2) ON CONFLICT (id) DO NOTHING RETURNING id`,
};
const INSERT: Statement = {
  name: 'spaces insert',
  text: `INSERT INTO spaces (account_id, profile_id, roster_version, keeper_id) VALUES ($1, $2, 0, $3)`,
};
const HAS_ROSTER: Statement = {
  name: 'spaces has roster',
  text: `SELECT 1 AS found FROM space_rosters r JOIN space_members m ON m.account_id = $1 AND m.member_id = $2
    WHERE r.account_id = $1 AND r.version = $3 AND r.roster = $4`,
};
const SUMMARY: Statement = {
  name: 'space summary',
  text: `SELECT m.role, a.token_version AS version, coalesce(u.last_change, 0) AS last_change,
      s.keeper_id = $2 AS is_keeper,
      EXISTS (SELECT 1 FROM space_invitations i WHERE i.account_id = $1 AND i.accepted_by = $2
        AND i.expires_at > now()) AS is_waiting,
      (SELECT count(*) FROM space_invitations i WHERE i.account_id = $1 AND i.accepted_by IS NOT NULL
        AND i.expires_at > now()) AS accepted
    FROM accounts a JOIN spaces s ON s.account_id = $1 LEFT JOIN account_usage u ON u.account_id = $1
    LEFT JOIN space_members m ON m.account_id = $1 AND m.member_id = $2 WHERE a.id = $1`,
};

/** A space as one account sees it from outside. */
export interface SpaceSummary {
  /** Null for somebody who is no member. */
  role: SpaceRole | null;
  version: number;
  last_change: number;
  is_keeper: boolean;
  /** Whether an acceptance of the account waits for an owner. */
  is_waiting: boolean;
  /** The acceptances that wait. */
  accepted: number;
}

/** The statements that make a space, and look at one from outside. */
@Injectable()
export class SpacesRepository {
  constructor(private readonly database: Database) {}

  /**
   * Locks the account of the person until the transaction ends.
   *
   * @returns when it was made. @throws ServiceError `token_revoked`.
   */
  async lockPerson(
    transaction: Executor,
    { accountId, tokenVersion, sessionId }: Caller,
  ): Promise<{ created_at: string }> {
    const values = [accountId, tokenVersion, sessionId];
    const [person] = await transaction.query<{ created_at: string }>(LOCK_PERSON, values);
    if (!person) throw new ServiceError('token_revoked');
    return person;
  }

  /** @param createdAt the age counts for the quota. @throws ServiceError `id_taken`. */
  async insertAccount(transaction: Executor, id: string, createdAt: string): Promise<void> {
    const rows = await transaction.query(INSERT_ACCOUNT, [id, createdAt]);
    if (rows.length === 0) throw new ServiceError('id_taken');
  }

  async insert(transaction: Executor, id: string, profileId: string, keeperId: string): Promise<void> {
    await transaction.query(INSERT, [id, profileId, keeperId]);
  }

  /** Whether the account is a member of the space, and this is a roster of it. */
  async hasRoster(
    transaction: Executor,
    id: string,
    memberId: string,
    version: number,
    roster: string,
  ): Promise<boolean> {
    return (await transaction.query(HAS_ROSTER, [id, memberId, version, roster])).length > 0;
  }

  /** @returns `undefined` if there is no such space. */
  async summary(
    id: string,
    accountId: string,
    executor: Executor = this.database.shortReads,
  ): Promise<SpaceSummary | undefined> {
    return (await executor.query<SpaceSummary>(SUMMARY, [id, accountId]))[0];
  }
}
