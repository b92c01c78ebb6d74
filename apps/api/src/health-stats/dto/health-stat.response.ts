import { ApiProperty } from '@nestjs/swagger';
import { RevisedResponse } from '@app/http';
import { ApiOpaque, OpaqueJson } from '@app/opaque';
import type { HealthStatEntity } from '../entities/health-stat.entity';

export class HealthStatResponse extends RevisedResponse {
  @ApiProperty({ format: 'uuid' })
  id: string;

  @ApiProperty({ format: 'uuid' })
  profile_id: string;

  @ApiOpaque()
  encrypted_data: OpaqueJson;

  @ApiProperty({ format: 'date-time', example: '2026-11-20T08:00:00.000Z' })
  recorded_at: string;
}

export function toHealthStatResponse(row: HealthStatEntity): HealthStatResponse {
  return {
    id: row.id,
    profile_id: row.profile_id,
    encrypted_data: new OpaqueJson(row.encrypted_data),
    recorded_at: row.recorded_at,
    created_at: row.created_at,
    updated_at: row.updated_at,
    revision: row.revision,
  };
}
