import { Injectable } from '@nestjs/common';
import { Syncs } from '@app/database';
import { RecordService } from '@app/records';
import type { CreateMedicationRequest } from './dto/create-medication.request';
import { type MedicationResponse, toMedicationResponse } from './dto/medication.response';
import type { UpdateMedicationRequest } from './dto/update-medication.request';
import { MedicationEntity } from './entities/medication.entity';
import { MedicationsRepository } from './medications.repository';

@Injectable()
@Syncs(MedicationEntity)
export class MedicationsService extends RecordService<
  MedicationEntity,
  CreateMedicationRequest,
  UpdateMedicationRequest,
  MedicationResponse
> {
  constructor(medications: MedicationsRepository) {
    super(medications, 'medication');
  }

  protected toRow(medication: CreateMedicationRequest | UpdateMedicationRequest) {
    const { profile_id, route, encrypted_data, dose_schedule } = medication;
    return {
      profile_id,
      route,
      encrypted_data: encrypted_data?.text,
      dose_schedule: scheduleText(dose_schedule),
    };
  }

  protected toResponse = toMedicationResponse;
}

/** The text in which a schedule is stored and returned. `undefined` keeps the stored schedule. */
function scheduleText(schedule: object | null | undefined): string | null | undefined {
  return schedule && JSON.stringify(schedule);
}
