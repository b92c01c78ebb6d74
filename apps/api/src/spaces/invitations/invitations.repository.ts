import { Injectable } from '@nestjs/common';
import type { SpaceRole } from '@app/common';
import { Database, type Executor, IS_VALID_CALLER, type Statement } from '@app/database';
import type { SpaceInvitationEntity } from '../entities/space-invitation.entity';
import { MAX_SPACE_MEMBERS } from '../space-limits.rule';

/** An expired invitation counts as gone. */
const IS_OPEN = 'i.expires_at > now()';
const IS_RIGHT = `i.account_id = $1 AND i.id = $2 AND i.proof_hash = $3 AND ${IS_OPEN}`;

const LIST: Statement = {
  name: 'space invitations list',
  text: `SELECT i.id, i.role, i.expires_at, i.created_by, i.created_at, i.accepted_by, i.accepted_at, i.acceptance
    FROM space_invitations i WHERE i.account_id = $1 AND ${IS_VALID_CALLER} AND ${IS_OPEN} ORDER BY i.created_at, i.id`,
};
const FORGET: Statement = {
  name: 'space invitations forget',
  text: `DELETE FROM space_invitations i WHERE i.account_id = $1 AND NOT ${IS_OPEN}`,
};
const INSERT: Statement = {
  name: 'space invitations insert',
  text: `INSERT INTO space_invitations (account_id, id, role, proof_hash, offer, created_by, expires_at)
    SELECT a.id, $2, $3, $4, $5, $6, $7 FROM accounts a WHERE a.id = $1
      AND (SELECT count(*) FROM space_members m WHERE m.account_id = $1)
        + (SELECT count(*) FROM space_invitations i WHERE i.account_id = $1) < ${MAX_SPACE_MEMBERS}
    ON CONFLICT DO NOTHING
    RETURNING id, role, expires_at, created_by, created_at, accepted_by, accepted_at, acceptance`,
};
const HAS: Statement = {
  name: 'space invitations has',
  text: 'SELECT 1 AS found FROM space_invitations WHERE account_id = $1 AND id = $2',
};
const DELETE: Statement = {
  name: 'space invitations delete',
  text: `DELETE FROM space_invitations i USING accounts a
    WHERE a.id = $1 AND a.token_version = $2 AND i.account_id = $1 AND i.id = $3 AND ${IS_OPEN} RETURNING i.id`,
};
const FIND: Statement = {
  name: 'space invitations find',
  text: `SELECT i.role, i.expires_at, i.offer, i.accepted_by, EXISTS (
      SELECT 1 FROM space_members m WHERE m.account_id = $1 AND m.member_id = $4) AS is_member
    FROM space_invitations i WHERE ${IS_RIGHT}`,
};
/** Of several accounts at once, the row lets one in: the others find it taken. */
const ACCEPT: Statement = {
  name: 'space invitations accept',
  text: `UPDATE space_invitations i SET accepted_by = $4, accepted_at = now(), acceptance = $5
    WHERE ${IS_RIGHT} AND i.accepted_by IS NULL RETURNING i.id`,
};
const WITHDRAW: Statement = {
  name: 'space invitations withdraw',
  text: 'DELETE FROM space_invitations WHERE account_id = $1 AND accepted_by = $2',
};
const TAKE_ACCEPTED: Statement = {
  name: 'space invitations take accepted',
  text: `DELETE FROM space_invitations i WHERE i.account_id = $1 AND i.id = $2 AND i.accepted_by = $3 AND ${IS_OPEN}
    RETURNING i.role`,
};

/** An invitation as owners see it. */
export type ListedInvitation = Omit<SpaceInvitationEntity, 'account_id' | 'proof_hash' | 'offer'>;

/** An invitation as somebody with its proof sees it. */
export interface OfferedInvitation extends Pick<
  SpaceInvitationEntity,
  'role' | 'expires_at' | 'offer' | 'accepted_by'
> {
  /** Whether whoever asks is a member of the space. */
  is_member: boolean;
}

/** Where an invitation is, and the proof that its link was seen. */
export interface InvitationKey {
  spaceId: string;
  id: string;
  proofHash: Buffer;
}

@Injectable()
export class InvitationsRepository {
  constructor(private readonly database: Database) {}

  /** Oldest first. Empty also if the version has risen. */
  list(spaceId: string, version: number): Promise<ListedInvitation[]> {
    return this.database.query(LIST, [spaceId, version]);
  }

  /**
   * Forgets the expired ones first. The transaction must hold the lock of the space.
   *
   * @returns `taken` for the id of another one, `full` if there are as many members and invitations as there may be.
   */
  async insert(
    transaction: Executor,
    spaceId: string,
    invitation: Pick<
      SpaceInvitationEntity,
      'id' | 'role' | 'proof_hash' | 'offer' | 'created_by' | 'expires_at'
    >,
  ): Promise<ListedInvitation | 'taken' | 'full'> {
    await transaction.query(FORGET, [spaceId]);
    const { id, role, proof_hash, offer, created_by, expires_at } = invitation;
    const values = [spaceId, id, role, proof_hash, offer, created_by, expires_at];
    const [row] = await transaction.query<ListedInvitation>(INSERT, values);
    if (row) return row;
    return (await transaction.query(HAS, [spaceId, id])).length > 0 ? 'taken' : 'full';
  }

  /** @returns whether there was one. */
  async delete(spaceId: string, version: number, id: string): Promise<boolean> {
    return (await this.database.query(DELETE, [spaceId, version, id])).length > 0;
  }

  /** @returns `undefined` for an unknown or expired one, and for a wrong proof. */
  async find(key: InvitationKey, accountId: string): Promise<OfferedInvitation | undefined> {
    const values = [key.spaceId, key.id, key.proofHash, accountId];
    return (await this.database.query<OfferedInvitation>(FIND, values))[0];
  }

  /** @returns `false` if somebody has accepted it. */
  async accept(key: InvitationKey, accountId: string, acceptance: string): Promise<boolean> {
    const values = [key.spaceId, key.id, key.proofHash, accountId, acceptance];
    return (await this.database.query(ACCEPT, values)).length > 0;
  }

  /** Ends the invitations that an account has accepted and that wait. */
  async withdraw(spaceId: string, accountId: string): Promise<void> {
    await this.database.query(WITHDRAW, [spaceId, accountId]);
  }

  /** Ends an invitation whose sender lets the account in. @returns its role; `undefined` if this account has not accepted it. */
  async takeAccepted(
    transaction: Executor,
    spaceId: string,
    id: string,
    accountId: string,
  ): Promise<SpaceRole | undefined> {
    return (await transaction.query<{ role: SpaceRole }>(TAKE_ACCEPTED, [spaceId, id, accountId]))[0]?.role;
  }
}
