import type { SpaceRole } from '@app/common';
import { IntegerField, UuidField } from '@app/http';
import { OpaqueBlob, type OpaqueJson, OpaqueParts, OpaqueString } from '@app/opaque';
import { SharingPublicField, StepUpRequest } from '@app/security';
import { MemberIdsField, RosterField, RostersField, SpaceRoleField, SpaceWrapField } from '../../space.field';
import { MAX_SPACE_MEMBERS } from '../../space-limits.rule';

const ID = '01994c5e-9f52-7d6b-b1a4-6a1f0f0e7c22';
/** After a restore the service lacks some. */
const MAX_ROSTERS = 64;
const BLOB = { ciphertext: 'q83vEjRWeJCrze8SNFZ4kKvN7xI0VniQ', iv: 'AAECAwQFBgcICQoL' };

export class AddMemberRequest {
  @RosterField()
  roster: string;

  @UuidField({ example: ID })
  member_id: string;

  @SpaceWrapField()
  wrap: string;

  @UuidField({ optional: true, description: 'For a new member: the invitation that they have accepted.' })
  invitation_id?: string;

  @SharingPublicField({ optional: true })
  sharing_public?: string;
}

export class MemberWrapRequest {
  @UuidField({ example: ID })
  member_id: string;

  @SpaceWrapField()
  wrap: string;
}

export class MemberRoleRequest {
  @UuidField({ example: ID })
  member_id: string;

  @SpaceRoleField()
  role: SpaceRole;
}

export class RekeyedProfileRequest {
  @IntegerField({ min: 1, max: 2 ** 31 - 2, description: 'The revision that it must have.', example: 3 })
  revision: number;

  @OpaqueBlob({ description: 'Sealed under the new key.' })
  name_data: OpaqueJson;

  @OpaqueString({ description: 'IV of name_data.', example: 'AAECAwQFBgcICQoL' })
  name_iv: string;
}

export class RekeyRequest {
  @RostersField({ most: MAX_ROSTERS })
  rosters: string[];

  @OpaqueParts(MemberWrapRequest, {
    most: MAX_SPACE_MEMBERS,
    description: 'The new key, sealed to you and to others who stay. Who is left out has none.',
    example: { member_id: ID, wrap: Buffer.alloc(1232, 7).toString('base64') },
  })
  wraps: MemberWrapRequest[];

  @MemberIdsField({ most: MAX_SPACE_MEMBERS, description: 'Who is put out.' })
  remove: string[];

  @OpaqueParts(MemberRoleRequest, {
    most: MAX_SPACE_MEMBERS,
    description: 'Other roles of others.',
    example: { member_id: ID, role: 'viewer' },
  })
  roles: MemberRoleRequest[];

  @OpaqueParts(RekeyedProfileRequest, {
    example: { revision: 3, name_data: BLOB, name_iv: BLOB.iv },
  })
  profile: RekeyedProfileRequest;

  @SharingPublicField({ optional: true })
  sharing_public?: string;
}

export class SetRoleRequest extends MemberRoleRequest {
  @RosterField()
  roster: string;
}

export class SetKeysRequest {
  @RosterField()
  roster: string;

  @SharingPublicField({ optional: true })
  sharing_public?: string;

  @SpaceWrapField({ optional: true })
  wrap?: string;
}

export class LeaveRequest {
  @RosterField({ optional: true })
  roster?: string;
}

export class DeleteSpaceRequest extends StepUpRequest {}
