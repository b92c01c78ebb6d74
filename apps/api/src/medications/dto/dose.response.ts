import { ApiProperty } from '@nestjs/swagger';
import { AuthoredResponse } from '@app/http';
import { withAuthor } from '@app/records';
import type { DoseEntity } from '../entities/dose.entity';

export class DoseResponse extends AuthoredResponse {
  @ApiProperty({ format: 'uuid' })
  id: string;

  @ApiProperty({ format: 'uuid' })
  medication_id: string;

  @ApiProperty({ description: '`true` for a taken dose, `false` for a skipped one.' })
  taken: boolean;

  @ApiProperty({ format: 'date-time', example: '2026-11-20T08:00:00.000Z' })
  loggedAt: string;

  @ApiProperty({ type: String, nullable: true, description: 'As the client sent it; `null` without one.' })
  proof: string | null;

  @ApiProperty({ format: 'date-time', example: '2026-11-20T08:00:00.000Z' })
  created_at: string;
}

export function toDoseResponse(row: DoseEntity): DoseResponse {
  const { id, medication_id, taken, logged_at: loggedAt, proof, created_at } = row;
  return withAuthor({ id, medication_id, taken, loggedAt, proof, created_at }, row);
}
