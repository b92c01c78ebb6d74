import { Injectable } from '@nestjs/common';
import type { Caller, Created, Page, RequestKey, RevisionCondition } from '@app/common';
import { assertChanges, toListRequest } from '@app/http';
import type { CreateMedicationRequest } from './dto/create-medication.request';
import type { ListMedicationsQuery } from './dto/list-medications.query';
import { type MedicationResponse, toMedicationResponse } from './dto/medication.response';
import type { UpdateMedicationRequest } from './dto/update-medication.request';
import type { MedicationEntity } from './entities/medication.entity';
import { MedicationsRepository } from './medications.repository';

/** Only a schedule that differs counts as a change: adherence since the start is counted from there. */
const SCHEDULE_CHANGED_AT =
  'CASE WHEN r.dose_schedule IS DISTINCT FROM $dose_schedule THEN now() ELSE r.schedule_changed_at END';

@Injectable()
export class MedicationsService {
  constructor(private readonly medications: MedicationsRepository) {}

  async list(caller: Caller, query: ListMedicationsQuery): Promise<Page<MedicationResponse>> {
    const request = toListRequest(query, { profile_id: query.profile_id });
    return (await this.medications.list(caller, request)).map(toMedicationResponse);
  }

  async get(caller: Caller, id: string): Promise<MedicationResponse> {
    return toMedicationResponse(await this.medications.find(caller, id));
  }

  async create(
    caller: Caller,
    medication: CreateMedicationRequest,
    requestKey?: RequestKey,
  ): Promise<Created<MedicationResponse>> {
    const row = {
      id: medication.id,
      profile_id: medication.profile_id,
      route: medication.route,
      encrypted_data: medication.encrypted_data.text,
      dose_schedule: scheduleText(medication.dose_schedule),
    };
    return (await this.medications.insert(caller, row, requestKey)).map(toMedicationResponse);
  }

  async update(
    caller: Caller,
    id: string,
    medication: UpdateMedicationRequest,
    condition?: RevisionCondition,
  ): Promise<MedicationResponse> {
    const changes: Partial<MedicationEntity> = {
      profile_id: medication.profile_id,
      route: medication.route,
      encrypted_data: medication.encrypted_data?.text,
      dose_schedule: scheduleText(medication.dose_schedule),
    };
    assertChanges(changes, 'medication');
    const derived =
      changes.dose_schedule === undefined ? undefined : { schedule_changed_at: SCHEDULE_CHANGED_AT };
    const row = await this.medications.updateRecord(caller, id, { changes, derived, condition });
    return toMedicationResponse(row);
  }

  async delete(caller: Caller, id: string, condition?: RevisionCondition): Promise<void> {
    await this.medications.delete(caller, id, condition);
  }
}

/** The text in which a schedule is stored and returned; `undefined` leaves it alone. */
function scheduleText(schedule: object | null | undefined): string | null | undefined {
  return schedule && JSON.stringify(schedule);
}
