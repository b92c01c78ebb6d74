import { ApiProperty } from '@nestjs/swagger';
import { SPACE_ROLES, type SpaceRole } from '@app/common';
import type { SpaceMemberEntity } from '../../entities/space-member.entity';

export class SpaceMemberResponse {
  @ApiProperty({ format: 'uuid', description: 'The account of the person.' })
  member_id: string;

  @ApiProperty({ enum: SPACE_ROLES })
  role: SpaceRole;

  @ApiProperty({ example: 'q83vEjRWeJCrze8SNFZ4kKvN7xI0VniQ' })
  sharing_public: string;

  @ApiProperty({ format: 'date-time', example: '2026-11-20T08:00:00.000Z' })
  joined_at: string;
}

export class SpaceWrapResponse {
  @ApiProperty({ format: 'uuid', description: 'Who sealed it.' })
  from: string;

  @ApiProperty({ type: 'integer', description: 'The roster that came with it.', example: 3 })
  roster_version: number;

  @ApiProperty({ example: 'q83vEjRWeJCrze8SNFZ4kKvN7xI0VniQ' })
  wrap: string;
}

export class SpaceResponse {
  @ApiProperty({ format: 'uuid' })
  space_id: string;

  @ApiProperty({ format: 'uuid' })
  profile_id: string;

  @ApiProperty({ enum: SPACE_ROLES, description: 'Your own.' })
  role: SpaceRole;

  @ApiProperty({ type: 'integer', description: 'For the header of the next write.', example: 2 })
  version: number;

  @ApiProperty({ type: 'integer', example: 3 })
  roster_version: number;

  @ApiProperty({ format: 'uuid', description: 'The member among whose spaces it counts.' })
  keeper_id: string;

  @ApiProperty({ type: [SpaceMemberResponse], description: 'In the order in which they came.' })
  members: SpaceMemberResponse[];

  @ApiProperty({
    type: SpaceWrapResponse,
    nullable: true,
    description: 'The key of the profile, sealed to you.',
  })
  wrap: SpaceWrapResponse | null;
}

export class RosterResponse {
  @ApiProperty({ type: 'integer', example: 3 })
  version: number;

  @ApiProperty({ description: 'As its author sent it.', example: 'eyJ2ZXJzaW9uIjozfQ==.c2lnbmF0dXJl' })
  roster: string;
}

/** One member, with what is true of the space, and of the caller in it. */
export interface SpaceRow extends Pick<
  SpaceMemberEntity,
  'member_id' | 'sharing_public' | 'joined_at' | 'wrap' | 'wrap_from' | 'wrap_roster'
> {
  member_role: SpaceRole;
  profile_id: string;
  role: SpaceRole;
  version: number;
  roster_version: number;
  keeper_id: string;
}

/** @param rows of all members, at least one. */
export function toSpaceResponse(spaceId: string, rows: SpaceRow[], callerId: string): SpaceResponse {
  const [{ profile_id, role, version, roster_version, keeper_id }] = rows;
  const { wrap, wrap_from, wrap_roster } = rows.find(({ member_id }) => member_id === callerId)!;
  const members = rows.map(({ member_id, member_role, sharing_public, joined_at }) => ({
    member_id,
    role: member_role,
    sharing_public,
    joined_at,
  }));
  return {
    space_id: spaceId,
    profile_id,
    role,
    version,
    roster_version,
    keeper_id,
    members,
    wrap: wrap === null ? null : { from: wrap_from!, roster_version: wrap_roster!, wrap },
  };
}
