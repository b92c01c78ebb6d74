import { ApiProperty } from '@nestjs/swagger';
import {
  SECURITY_EVENTS,
  type SecurityEventEntity,
  type SecurityEventKind,
} from '../entities/security-event.entity';

/**
 * The part of the pseudonym that is shown. It distinguishes places, but is too short to find the address by
 * brute force.
 */
const ORIGIN_CHARACTERS = 8;

export class SecurityEventResponse {
  @ApiProperty({ format: 'uuid' })
  id: string;

  @ApiProperty({ enum: SECURITY_EVENTS })
  kind: SecurityEventKind;

  @ApiProperty({ format: 'date-time', example: '2026-11-20T08:00:00.000Z' })
  created_at: string;

  @ApiProperty({
    type: String,
    nullable: true,
    description:
      'Stands for the network of the request: the same one has the same mark. The address is not stored.',
    example: '9f2c41d0',
  })
  origin: string | null;

  @ApiProperty({
    type: 'integer',
    description:
      'Refusals of one kind from one network are gathered by the hour: how often it happened. The time is the first.',
    example: 1,
  })
  count: number;
}

export function toSecurityEventResponse(row: SecurityEventEntity): SecurityEventResponse {
  return {
    id: row.id,
    kind: row.kind,
    created_at: row.created_at,
    origin: row.origin && row.origin.toString('hex').slice(0, ORIGIN_CHARACTERS),
    count: row.count,
  };
}
