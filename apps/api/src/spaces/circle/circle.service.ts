import { Injectable } from '@nestjs/common';
import { type Caller, invalidField, notFound, ServiceError } from '@app/common';
import { InvitationsRepository } from '../invitations/invitations.repository';
import type {
  AddMemberRequest,
  MemberRoleRequest,
  RekeyRequest,
  SetKeysRequest,
  SetRoleRequest,
} from './dto/circle.requests';
import type { SpaceResponse } from './dto/space.response';
import { MembersRepository } from './members.repository';
import { type SpaceChange, SpaceChangeService } from './space-change.service';
import { SpaceRepository } from './space.repository';

/** Changes who belongs to a space, as what, and with which keys. All throw the errors of `SpaceChangeService.change`. */
@Injectable()
export class CircleService {
  constructor(
    private readonly changes: SpaceChangeService,
    private readonly spaces: SpaceRepository,
    private readonly members: MembersRepository,
    private readonly invitations: InvitationsRepository,
  ) {}

  /**
   * Lets somebody in who has accepted an invitation, or gives a member the key that it lacks.
   *
   * @throws ServiceError `not_found` for an invitation that this account has not accepted, or no member; `already_member`,
   *   `members_exceeded`.
   */
  async add(caller: Caller, request: AddMemberRequest): Promise<SpaceResponse> {
    const { roster, member_id, wrap, invitation_id, sharing_public } = request;
    assertTogether({ invitation_id, sharing_public });
    const spaceId = caller.accountId;
    return this.changes.changeAndTell(caller, [roster], async ({ transaction, sealed }) => {
      if (invitation_id === undefined) {
        if (!(await this.members.setWrap(transaction, spaceId, { member_id, wrap }, sealed)))
          throw notFound();
        return;
      }
      const role = await this.invitations.takeAccepted(transaction, spaceId, invitation_id, member_id);
      if (!role) throw notFound();
      const isNew = await this.members.insert(transaction, spaceId, {
        member_id,
        role,
        sharing_public: sharing_public!,
        wrap,
        wrap_from: sealed.by,
        wrap_roster: sealed.roster,
      });
      if (isNew) return;
      const isMember = (await this.members.roleOf(transaction, spaceId, member_id)) !== undefined;
      throw new ServiceError(isMember ? 'already_member' : 'members_exceeded');
    });
  }

  /**
   * Begins a new key: puts members out, lowers others, and seals the key to those who stay.
   *
   * @throws ServiceError `space_role_too_low` for another owner, `not_found` for no member, `revision_mismatch` for a
   *   profile that has changed.
   */
  async rekey(caller: Caller, request: RekeyRequest): Promise<SpaceResponse> {
    const own = caller.member!.id;
    const isOwn = (id: string) => id.toLowerCase() === own;
    if (request.remove.some(isOwn)) throw invalidField('remove', 'whoever makes a new key stays');
    if (request.roles.some(({ member_id: id }) => isOwn(id)))
      throw invalidField('roles', 'whoever makes a new key stays an owner');
    if (!request.wraps.some(({ member_id: id }) => isOwn(id)))
      throw invalidField('wraps', 'the new key must be sealed to its maker, too');
    return this.changes.changeAndTell(caller, request.rosters, async (change) => {
      const { transaction, space, sealed } = change;
      for (const id of new Set(request.remove)) await this.putOut(change, caller.accountId, id);
      for (const role of request.roles) await this.setRoleOf(change, caller.accountId, role);
      const { wraps, profile, sharing_public: key } = request;
      const given = await this.members.replaceWraps(transaction, caller.accountId, wraps, sealed);
      if (given !== wraps.length) throw notFound();
      if (key !== undefined) await this.members.setSharingKey(transaction, caller.accountId, own, key);
      if (!(await this.spaces.sealProfile(transaction, caller, space.profile_id, profile)))
        throw new ServiceError('revision_mismatch');
    });
  }

  /**
   * Raises another member, or lowers oneself.
   *
   * @throws ServiceError `space_role_too_low` for anything else, `not_found`, `sole_owner`.
   */
  async setRole(caller: Caller, { roster, member_id: id, role }: SetRoleRequest): Promise<SpaceResponse> {
    const { accountId, member } = caller;
    const isOwn = id.toLowerCase() === member!.id;
    if (!isOwn && member!.role !== 'owner') throw tooLow();
    return this.changes.changeAndTell(caller, [roster], async ({ transaction }) => {
      if (isOwn) {
        if (!(await this.members.lowerRole(transaction, accountId, id, role))) throw tooLow();
        if ((await this.members.count(transaction, accountId)).owners === 0)
          throw new ServiceError('sole_owner');
        await this.spaces.handOn(transaction, accountId);
      } else if (!(await this.members.raiseRole(transaction, accountId, id, role))) {
        const isMember = (await this.members.roleOf(transaction, accountId, id)) !== undefined;
        throw isMember ? tooLow() : notFound();
      }
    });
  }

  /** Stores a roster, and with it new keys of the caller's own. */
  async setKeys(caller: Caller, request: SetKeysRequest): Promise<SpaceResponse> {
    const { roster, sharing_public, wrap } = request;
    assertTogether({ sharing_public, wrap });
    const { accountId, member } = caller;
    return this.changes.changeAndTell(caller, [roster], async ({ transaction, sealed }) => {
      if (sharing_public === undefined || wrap === undefined) return;
      await this.members.setSharingKey(transaction, accountId, member!.id, sharing_public);
      await this.members.setWrap(transaction, accountId, { member_id: member!.id, wrap }, sealed);
    });
  }

  /**
   * @throws ServiceError `sole_owner` if the space would have no owner, `validation_failed` if an owner sends no roster.
   */
  async leave(caller: Caller, roster: string | undefined): Promise<void> {
    const { accountId, member } = caller;
    if (roster === undefined && member!.role === 'owner')
      throw invalidField('roster', 'roster must be sent by an owner who leaves');
    const leave = async ({ transaction }: SpaceChange) => {
      await this.members.delete(transaction, accountId, member!.id);
      if ((await this.members.count(transaction, accountId)).owners === 0)
        throw new ServiceError('sole_owner');
      await this.spaces.handOn(transaction, accountId);
    };
    await this.changes.change(caller, roster === undefined ? [] : [roster], leave, () => Promise.resolve());
  }

  private async putOut({ transaction }: SpaceChange, spaceId: string, id: string): Promise<void> {
    const role = await this.members.roleOf(transaction, spaceId, id);
    if (role === undefined) throw notFound();
    if (role === 'owner') throw tooLow();
    await this.members.delete(transaction, spaceId, id);
  }

  private async setRoleOf(
    { transaction }: SpaceChange,
    spaceId: string,
    { member_id: id, role }: MemberRoleRequest,
  ): Promise<void> {
    if (await this.members.setRole(transaction, spaceId, id, role)) return;
    throw (await this.members.roleOf(transaction, spaceId, id)) === undefined ? notFound() : tooLow();
  }
}

/** @throws ServiceError `validation_failed` if only one of two fields is there. */
function assertTogether(fields: Record<string, unknown>): void {
  const [[one, first], [other, second]] = Object.entries(fields);
  if ((first === undefined) === (second === undefined)) return;
  const field = first === undefined ? one : other;
  throw invalidField(field, `${one} and ${other} must be sent together`);
}

function tooLow(): ServiceError {
  return new ServiceError('space_role_too_low');
}
