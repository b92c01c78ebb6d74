import { ApiProperty } from '@nestjs/swagger';
import { SPACE_ROLES, type SpaceRole } from '@app/common';
import type { SpaceSummary } from '../spaces.repository';

const STATES = ['member', 'waiting', 'removed', 'deleted'] as const;

export class SpaceOverviewResponse {
  @ApiProperty({ format: 'uuid' })
  space_id: string;

  @ApiProperty({
    enum: STATES,
    description: '`waiting`: for the inviter. `removed`: or never let in. `deleted`: there is no such space.',
  })
  state: (typeof STATES)[number];

  @ApiProperty({ enum: SPACE_ROLES, required: false, description: 'Only of a member, as all that follows.' })
  role?: SpaceRole;

  @ApiProperty({ type: 'integer', required: false, example: 2 })
  version?: number;

  @ApiProperty({
    type: 'integer',
    required: false,
    description: 'The newest place in its feed.',
    example: 41,
  })
  last_change?: number;

  @ApiProperty({ description: 'Whether it counts among your spaces.' })
  is_keeper: boolean;

  @ApiProperty({
    type: 'integer',
    required: false,
    description: 'For an owner: acceptances that wait.',
    example: 0,
  })
  accepted?: number;
}

export function toSpaceOverview(id: string, summary: SpaceSummary | undefined): SpaceOverviewResponse {
  if (!summary) return { space_id: id, state: 'deleted', is_keeper: false };
  const { role, version, last_change, is_keeper, is_waiting, accepted } = summary;
  if (role === null) return { space_id: id, state: is_waiting ? 'waiting' : 'removed', is_keeper: false };
  const known = { space_id: id, state: 'member' as const, role, version, last_change, is_keeper };
  return role === 'owner' ? { ...known, accepted } : known;
}
