import { ApiProperty } from '@nestjs/swagger';
import { RevisedResponse } from '@app/http';
import { ApiOpaque, OpaqueJson } from '@app/opaque';
import type { AppointmentEntity } from '../entities/appointment.entity';

export class AppointmentResponse extends RevisedResponse {
  @ApiProperty({ format: 'uuid' })
  id: string;

  @ApiProperty({ format: 'uuid' })
  profile_id: string;

  @ApiProperty({ example: 'scheduled' })
  status: string;

  @ApiOpaque()
  encrypted_data: OpaqueJson;
}

export function toAppointmentResponse(row: AppointmentEntity): AppointmentResponse {
  return {
    id: row.id,
    profile_id: row.profile_id,
    status: row.status,
    encrypted_data: new OpaqueJson(row.encrypted_data),
    created_at: row.created_at,
    updated_at: row.updated_at,
    revision: row.revision,
  };
}
