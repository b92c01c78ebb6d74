import { Injectable } from '@nestjs/common';
import { type Caller, notFound, ServiceError } from '@app/common';
import { Database, type Executor, IS_VALID_CALLER, type Statement } from '@app/database';
import type { SpaceEntity } from '../entities/space.entity';
import type { RekeyedProfileRequest } from './dto/circle.requests';
import type { SpaceRow } from './dto/space.response';

/** In one statement, so that the members are those of the version. */
const FIND: Statement = {
  name: 'space find',
  text: `SELECT s.profile_id, s.roster_version, s.keeper_id, me.role, m.member_id, m.role AS member_role,
      (SELECT a.token_version FROM accounts a WHERE a.id = $1) AS version,
      m.sharing_public, m.joined_at, m.wrap_from, m.wrap_roster,
      CASE WHEN m.member_id = $2 THEN m.wrap END AS wrap
    FROM spaces s JOIN space_members me ON me.account_id = $1 AND me.member_id = $2
    JOIN space_members m ON m.account_id = $1
    WHERE s.account_id = $1 ORDER BY m.joined_at, m.member_id`,
};
const LIST_ROSTERS: Statement = {
  name: 'space rosters list',
  text: `SELECT r.version, r.roster FROM space_rosters r
    JOIN space_members me ON me.account_id = $1 AND me.member_id = $2
    WHERE r.account_id = $1 AND r.version > $3 ORDER BY r.version LIMIT $4`,
};
/** Changes of a space wait for each other here; writes of records do not. */
const LOCK: Statement = {
  name: 'space lock',
  text: `SELECT s.profile_id, s.roster_version FROM accounts a JOIN spaces s ON s.account_id = $1
    WHERE a.id = $1 AND a.token_version = $2 FOR NO KEY UPDATE OF a`,
};
const ADD_ROSTERS: Statement = {
  name: 'space rosters insert',
  text: `INSERT INTO space_rosters (account_id, version, roster)
    SELECT a.id, v.version, v.roster FROM accounts a CROSS JOIN unnest($2::int[], $3::text[]) AS v (version, roster)
    WHERE a.id = $1`,
};
const SET_ROSTER_VERSION: Statement = {
  name: 'space set roster version',
  text: 'UPDATE spaces SET roster_version = $2 WHERE account_id = $1',
};
const RAISE: Statement = {
  name: 'space raise version',
  text: `UPDATE accounts SET token_version = token_version + 1, revision = revision + 1, updated_at = now()
    WHERE id = $1`,
};
/** Of the owners who are left, the one who joined first. */
const HAND_ON: Statement = {
  name: 'space hand on',
  text: `UPDATE spaces SET keeper_id = (SELECT m.member_id FROM space_members m
      WHERE m.account_id = $1 AND m.role = 'owner' ORDER BY m.joined_at, m.member_id LIMIT 1)
    WHERE account_id = $1 AND NOT EXISTS (
      SELECT 1 FROM space_members k WHERE k.account_id = $1 AND k.member_id = keeper_id AND k.role = 'owner')`,
};
const SET_KEEPER: Statement = {
  name: 'space set keeper',
  text: `UPDATE spaces SET keeper_id = $3 WHERE account_id = $1 AND ${IS_VALID_CALLER} RETURNING account_id`,
};
const SEAL_PROFILE: Statement = {
  name: 'space seal profile',
  text: `UPDATE profiles SET name_data = $4, name_iv = $5, author_id = $6, revision = revision + 1, updated_at = now()
    WHERE account_id = $1 AND id = $2 AND revision = $3 RETURNING id`,
};
/** Only where no other member is an owner. */
const DELETE: Statement = {
  name: 'space delete',
  text: `DELETE FROM accounts WHERE id = $1 AND token_version = $2 AND NOT EXISTS (
      SELECT 1 FROM space_members m WHERE m.account_id = $1 AND m.role = 'owner' AND m.member_id <> $3)
    RETURNING id`,
};

const LOCK_BY_ID: Statement = {
  name: 'space lock by id',
  text: 'SELECT id FROM accounts WHERE id = $1 FOR NO KEY UPDATE',
};
const ERASE: Statement = {
  name: 'space erase',
  text: 'DELETE FROM accounts WHERE id = $1',
};

/** The facts of a space that is locked. */
export type LockedSpace = Pick<SpaceEntity, 'profile_id' | 'roster_version'>;

/** The statements of a space itself. Each names its account, and the version or the member. */
@Injectable()
export class SpaceRepository {
  constructor(private readonly database: Database) {}

  /** @returns a row for each member; none if the caller is not a member. */
  find(
    spaceId: string,
    memberId: string,
    executor: Executor = this.database.shortReads,
  ): Promise<SpaceRow[]> {
    return executor.query<SpaceRow>(FIND, [spaceId, memberId]);
  }

  /** @returns those after a version, in their order. */
  listRosters(
    { accountId, member }: Caller,
    after: number,
    limit: number,
  ): Promise<{ version: number; roster: string }[]> {
    return this.database.shortReads.query(LIST_ROSTERS, [accountId, member!.id, after, limit]);
  }

  /** @throws ServiceError `space_changed`. */
  async lock(transaction: Executor, { accountId, tokenVersion }: Caller): Promise<LockedSpace> {
    const [space] = await transaction.query<LockedSpace>(LOCK, [accountId, tokenVersion]);
    if (!space) throw new ServiceError('space_changed');
    return space;
  }

  /** @param versions of the rosters, rising. */
  async addRosters(
    transaction: Executor,
    spaceId: string,
    versions: number[],
    rosters: string[],
  ): Promise<void> {
    await transaction.query(ADD_ROSTERS, [spaceId, versions, rosters]);
    await transaction.query(SET_ROSTER_VERSION, [spaceId, versions.at(-1)]);
  }

  async raiseVersion(transaction: Executor, spaceId: string): Promise<void> {
    await transaction.query(RAISE, [spaceId]);
  }

  /** Stores the profile under a new key. @returns `false` if it has another revision. */
  async sealProfile(
    transaction: Executor,
    { accountId, member }: Caller,
    id: string,
    { revision, name_data, name_iv }: RekeyedProfileRequest,
  ): Promise<boolean> {
    const values = [accountId, id, revision, name_data.text, name_iv, member!.id];
    return (await transaction.query(SEAL_PROFILE, values)).length > 0;
  }

  /** If the keeper is gone, or no owner any more, an owner keeps the space from now on. */
  async handOn(transaction: Executor, spaceId: string): Promise<void> {
    await transaction.query(HAND_ON, [spaceId]);
  }

  /** @throws ServiceError `space_changed`. */
  async setKeeper({ accountId, tokenVersion, member }: Caller): Promise<void> {
    const rows = await this.database.query(SET_KEEPER, [accountId, tokenVersion, member!.id]);
    if (rows.length === 0) throw new ServiceError('space_changed');
  }

  /** Deletes the space and everything in it. @returns `false` if another member is an owner, or the version has risen. */
  async delete(transaction: Executor, { accountId, tokenVersion, member }: Caller): Promise<boolean> {
    return (await transaction.query(DELETE, [accountId, tokenVersion, member!.id])).length > 0;
  }

  /** Whatever its version is. */
  async lockById(transaction: Executor, spaceId: string): Promise<void> {
    await transaction.query(LOCK_BY_ID, [spaceId]);
  }

  /** Deletes the space and everything in it, whatever its version is. */
  async erase(transaction: Executor, spaceId: string): Promise<void> {
    await transaction.query(ERASE, [spaceId]);
  }
}

/** @throws ServiceError `not_found`. */
export function someRows<Row>(rows: Row[]): Row[] {
  if (rows.length === 0) throw notFound();
  return rows;
}
