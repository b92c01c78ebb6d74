import { Injectable } from '@nestjs/common';
import { type SpaceRole, SPACE_ROLES } from '@app/common';
import type { Executor, Statement } from '@app/database';
import type { SpaceMemberEntity } from '../entities/space-member.entity';
import { MAX_SPACE_MEMBERS } from '../space-limits.rule';

/** The rank of a role. */
const rank = (role: string) =>
  `array_position(ARRAY[${SPACE_ROLES.map((each) => `'${each}'`).join(', ')}], ${role})`;

const INSERT: Statement = {
  name: 'space members insert',
  text: `INSERT INTO space_members (account_id, member_id, role, sharing_public, wrap, wrap_from, wrap_roster)
    SELECT a.id, $2, $3, $4, $5, $6, $7 FROM accounts a
    WHERE a.id = $1 AND (SELECT count(*) FROM space_members m WHERE m.account_id = $1) < ${MAX_SPACE_MEMBERS}
    ON CONFLICT DO NOTHING RETURNING member_id`,
};
const FIND: Statement = {
  name: 'space members find',
  text: 'SELECT role FROM space_members WHERE account_id = $1 AND member_id = $2',
};
const SET_WRAP: Statement = {
  name: 'space members set wrap',
  text: `UPDATE space_members SET wrap = $3, wrap_from = $4, wrap_roster = $5
    WHERE account_id = $1 AND member_id = $2 RETURNING member_id`,
};
const REPLACE_WRAPS: Statement = {
  name: 'space members replace wraps',
  text: `UPDATE space_members m SET wrap = v.wrap, wrap_from = $4, wrap_roster = $5
    FROM unnest($2::uuid[], $3::text[]) AS v (member_id, wrap)
    WHERE m.account_id = $1 AND m.member_id = v.member_id RETURNING m.member_id`,
};
const CLEAR_WRAPS: Statement = {
  name: 'space members clear wraps',
  text: 'UPDATE space_members SET wrap = NULL, wrap_from = NULL, wrap_roster = NULL WHERE account_id = $1',
};
const SET_SHARING: Statement = {
  name: 'space members set keys',
  text: 'UPDATE space_members SET sharing_public = $3 WHERE account_id = $1 AND member_id = $2',
};
const SET_ROLE: Statement = {
  name: 'space members set role',
  text: `UPDATE space_members SET role = $3 WHERE account_id = $1 AND member_id = $2 AND role <> 'owner'
    RETURNING member_id`,
};
const RAISE_ROLE: Statement = {
  name: 'space members raise role',
  text: `UPDATE space_members SET role = $3
    WHERE account_id = $1 AND member_id = $2 AND ${rank('role')} < ${rank('$3::text')} RETURNING member_id`,
};
const LOWER_ROLE: Statement = {
  name: 'space members lower role',
  text: `UPDATE space_members SET role = $3
    WHERE account_id = $1 AND member_id = $2 AND ${rank('role')} > ${rank('$3::text')} RETURNING member_id`,
};
/** The invitations that it has made go with it: nobody else can open what comes back. */
const DELETE: Statement = {
  name: 'space members delete',
  text: `WITH invited AS (DELETE FROM space_invitations WHERE account_id = $1 AND $2 IN (created_by, accepted_by))
    DELETE FROM space_members WHERE account_id = $1 AND member_id = $2 RETURNING member_id`,
};
const COUNT: Statement = {
  name: 'space members count',
  text: `SELECT count(*) FILTER (WHERE role = 'owner') AS owners, count(*) AS members
    FROM space_members WHERE account_id = $1`,
};

export type NewMember = Pick<
  SpaceMemberEntity,
  'member_id' | 'role' | 'sharing_public' | 'wrap' | 'wrap_from' | 'wrap_roster'
>;

/** A key of the profile, sealed to a member. */
export interface SealedKey {
  member_id: string;
  wrap: string;
}

/** The statements about members, in a transaction that holds the lock of the space. */
@Injectable()
export class MembersRepository {
  /** @returns `false` if it is a member already, or there are as many as there may be. */
  async insert(transaction: Executor, spaceId: string, member: NewMember): Promise<boolean> {
    const { member_id, role, sharing_public, wrap, wrap_from, wrap_roster } = member;
    const values = [spaceId, member_id, role, sharing_public, wrap, wrap_from, wrap_roster];
    return (await transaction.query(INSERT, values)).length > 0;
  }

  /** @returns its role; `undefined` if it is no member. */
  async roleOf(transaction: Executor, spaceId: string, memberId: string): Promise<SpaceRole | undefined> {
    return (await transaction.query<{ role: SpaceRole }>(FIND, [spaceId, memberId]))[0]?.role;
  }

  /** @param sealed who sealed it, and the roster that came with it. @returns whether there is such a member. */
  async setWrap(
    transaction: Executor,
    spaceId: string,
    { member_id, wrap }: SealedKey,
    sealed: { by: string; roster: number },
  ): Promise<boolean> {
    const rows = await transaction.query(SET_WRAP, [spaceId, member_id, wrap, sealed.by, sealed.roster]);
    return rows.length > 0;
  }

  /** Takes all former wraps away. @returns how many of the new ones have a member. */
  async replaceWraps(
    transaction: Executor,
    spaceId: string,
    wraps: SealedKey[],
    sealed: { by: string; roster: number },
  ): Promise<number> {
    await transaction.query(CLEAR_WRAPS, [spaceId]);
    const ids = wraps.map(({ member_id }) => member_id);
    const keys = wraps.map(({ wrap }) => wrap);
    return (await transaction.query(REPLACE_WRAPS, [spaceId, ids, keys, sealed.by, sealed.roster])).length;
  }

  async setSharingKey(transaction: Executor, spaceId: string, memberId: string, key: string): Promise<void> {
    await transaction.query(SET_SHARING, [spaceId, memberId, key]);
  }

  /** Any role for somebody who is no owner. @returns `false` if there is no such member. */
  setRole(transaction: Executor, spaceId: string, memberId: string, role: SpaceRole): Promise<boolean> {
    return this.changeRole(SET_ROLE, transaction, spaceId, memberId, role);
  }

  /** @returns `false` if there is no such member with a lower role. */
  raiseRole(transaction: Executor, spaceId: string, memberId: string, role: SpaceRole): Promise<boolean> {
    return this.changeRole(RAISE_ROLE, transaction, spaceId, memberId, role);
  }

  /** @returns `false` if there is no such member with a higher role. */
  lowerRole(transaction: Executor, spaceId: string, memberId: string, role: SpaceRole): Promise<boolean> {
    return this.changeRole(LOWER_ROLE, transaction, spaceId, memberId, role);
  }

  async delete(transaction: Executor, spaceId: string, memberId: string): Promise<boolean> {
    return (await transaction.query(DELETE, [spaceId, memberId])).length > 0;
  }

  async count(transaction: Executor, spaceId: string): Promise<{ owners: number; members: number }> {
    return (await transaction.query<{ owners: number; members: number }>(COUNT, [spaceId]))[0];
  }

  private async changeRole(
    statement: Statement,
    transaction: Executor,
    spaceId: string,
    memberId: string,
    role: SpaceRole,
  ): Promise<boolean> {
    return (await transaction.query(statement, [spaceId, memberId, role])).length > 0;
  }
}
