import { ApiProperty } from '@nestjs/swagger';
import { SPACE_ROLES, type SpaceRole } from '@app/common';
import { ApiOpaque, OpaqueJson } from '@app/opaque';
import type { ListedInvitation, OfferedInvitation } from '../invitations.repository';

const TIME = { format: 'date-time', example: '2026-11-20T08:00:00.000Z' } as const;

export class InvitationResponse {
  @ApiProperty({ format: 'uuid' })
  id: string;

  @ApiProperty({ enum: SPACE_ROLES })
  role: SpaceRole;

  @ApiProperty(TIME)
  expires_at: string;

  @ApiProperty({ format: 'uuid', description: 'The member who has sent it.' })
  created_by: string;

  @ApiProperty(TIME)
  created_at: string;

  @ApiProperty({
    type: String,
    format: 'uuid',
    nullable: true,
    description: 'The account that has accepted it.',
  })
  accepted_by: string | null;

  @ApiProperty({ ...TIME, type: String, nullable: true })
  accepted_at: string | null;

  /** `""` before it is accepted. */
  @ApiOpaque()
  acceptance: OpaqueJson;
}

export class OfferResponse {
  @ApiProperty({ enum: SPACE_ROLES })
  role: SpaceRole;

  @ApiProperty(TIME)
  expires_at: string;

  @ApiOpaque()
  offer: OpaqueJson;
}

export class AcceptedInvitationResponse {
  @ApiProperty({ enum: ['waiting'], description: 'For the member who has sent it.' })
  state: 'waiting';
}

export function toInvitationResponse(row: ListedInvitation): InvitationResponse {
  const { id, role, expires_at, created_by, created_at, accepted_by, accepted_at, acceptance } = row;
  const sealed = new OpaqueJson(acceptance ?? '""');
  return { id, role, expires_at, created_by, created_at, accepted_by, accepted_at, acceptance: sealed };
}

export function toOfferResponse({ role, expires_at, offer }: OfferedInvitation): OfferResponse {
  return { role, expires_at, offer: new OpaqueJson(offer) };
}
