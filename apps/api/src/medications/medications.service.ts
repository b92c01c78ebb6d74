import { Injectable } from '@nestjs/common';
import {
  type Caller,
  Clock,
  type Created,
  type IdempotencyKeyDigest,
  type Page,
  type RevisionCondition,
} from '@app/common';
import { type Executor, Syncs, type SyncSource } from '@app/database';
import { assertChanges, toListRequest } from '@app/http';
import type { CreateMedicationRequest } from './dto/create-medication.request';
import type { ListMedicationsQuery } from './dto/list-medications.query';
import { type MedicationResponse, toMedicationResponse } from './dto/medication.response';
import type { UpdateMedicationRequest } from './dto/update-medication.request';
import { MedicationEntity } from './entities/medication.entity';
import { MedicationsRepository } from './medications.repository';

@Injectable()
@Syncs(MedicationEntity)
export class MedicationsService implements SyncSource {
  constructor(
    private readonly medications: MedicationsRepository,
    private readonly clock: Clock,
  ) {}

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
    requestKey?: IdempotencyKeyDigest,
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
    if (changes.dose_schedule !== undefined) changes.schedule_changed_at = this.clock.now().toISOString();
    return toMedicationResponse(await this.medications.updateRecord(caller, id, { changes, condition }));
  }

  async delete(caller: Caller, id: string, condition?: RevisionCondition): Promise<void> {
    await this.medications.delete(caller, id, condition);
  }

  async findByIds(caller: Caller, ids: string[], snapshot: Executor): Promise<Map<string, object>> {
    return this.medications.findByIds(caller, ids, snapshot, toMedicationResponse);
  }
}

/** The text in which a schedule is stored and returned. `undefined` keeps the stored schedule. */
function scheduleText(schedule: object | null | undefined): string | null | undefined {
  return schedule && JSON.stringify(schedule);
}
