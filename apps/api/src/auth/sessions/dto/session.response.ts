import { ApiProperty } from '@nestjs/swagger';
import type { SessionEntity } from '../entities/session.entity';

export class SessionResponse {
  @ApiProperty({ format: 'uuid' })
  id: string;

  @ApiProperty({ format: 'date-time', example: '2026-11-20T08:00:00.000Z' })
  created_at: string;

  @ApiProperty({
    format: 'date-time',
    description: 'The last sign-in or refresh.',
    example: '2026-11-20T08:00:00.000Z',
  })
  last_used_at: string;

  @ApiProperty({ description: 'Whether this is the session of the request.' })
  current: boolean;

  @ApiProperty({ type: String, nullable: true, example: "Ana's phone" })
  device_label: string | null;
}

export function toSessionResponse(row: SessionEntity, currentId: string): SessionResponse {
  return {
    id: row.id,
    created_at: row.created_at,
    last_used_at: row.last_used_at,
    current: row.id === currentId,
    device_label: row.device_label,
  };
}
