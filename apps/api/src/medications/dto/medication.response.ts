import { ApiProperty } from '@nestjs/swagger';
import { RevisedResponse } from '@app/http';
import { ApiOpaque, OpaqueJson } from '@app/opaque';
import type { MedicationEntity } from '../entities/medication.entity';
import { DoseScheduleShape } from './dose-schedule.field';

export class MedicationResponse extends RevisedResponse {
  @ApiProperty({ format: 'uuid' })
  id: string;

  @ApiProperty({ format: 'uuid' })
  profile_id: string;

  @ApiProperty({ example: 'oral' })
  route: string;

  @ApiOpaque()
  encrypted_data: OpaqueJson;

  @ApiProperty({ type: DoseScheduleShape, nullable: true })
  dose_schedule: OpaqueJson | null;

  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description:
      'When the schedule was last set, changed or cleared: adherence since the start counts from here. ' +
      '`null` if there never was one.',
  })
  schedule_changed_at: string | null;
}

export function toMedicationResponse(row: MedicationEntity): MedicationResponse {
  return {
    id: row.id,
    profile_id: row.profile_id,
    route: row.route,
    encrypted_data: new OpaqueJson(row.encrypted_data),
    dose_schedule: row.dose_schedule === null ? null : new OpaqueJson(row.dose_schedule),
    schedule_changed_at: row.schedule_changed_at,
    created_at: row.created_at,
    updated_at: row.updated_at,
    revision: row.revision,
  };
}
