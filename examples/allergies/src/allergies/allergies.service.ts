import { Injectable } from '@nestjs/common';
import { type Caller, type Created, type Page, ServiceError } from 'health-records-service/common';
import type { IdempotencyKeyDigest, RevisionCondition } from 'health-records-service/common';
import { ServiceConfig } from 'health-records-service/config';
import { type Executor, Syncs, type SyncSource } from 'health-records-service/database';
import { assertChanges, toListRequest } from 'health-records-service/http';
import { ALLERGY_ERRORS } from './allergies.errors';
import { AllergiesRepository } from './allergies.repository';
import { ALLERGY_SETTINGS } from './allergies.settings';
import type { CreateAllergyRequest, ListAllergiesQuery, UpdateAllergyRequest } from './dto/allergy.requests';
import { type AllergyResponse, toAllergyResponse } from './dto/allergy.response';
import { AllergyEntity } from './entities/allergy.entity';

@Injectable()
@Syncs(AllergyEntity)
export class AllergiesService implements SyncSource {
  private readonly statuses: string[];

  constructor(
    private readonly allergies: AllergiesRepository,
    config: ServiceConfig,
  ) {
    this.statuses = config.valuesOf(ALLERGY_SETTINGS).ALLERGY_STATUSES;
  }

  async list(caller: Caller, query: ListAllergiesQuery): Promise<Page<AllergyResponse>> {
    const filters = { status: query.status, profile_id: query.profile_id };
    return (await this.allergies.list(caller, toListRequest(query, filters))).map(toAllergyResponse);
  }

  async get(caller: Caller, id: string): Promise<AllergyResponse> {
    return toAllergyResponse(await this.allergies.find(caller, id));
  }

  async create(
    caller: Caller,
    body: CreateAllergyRequest,
    key?: IdempotencyKeyDigest,
  ): Promise<Created<AllergyResponse>> {
    const { id, profile_id, status, encrypted_data } = body;
    this.assertStatus(status);
    const row = { id, profile_id, status, encrypted_data: encrypted_data.text };
    return (await this.allergies.insert(caller, row, key)).map(toAllergyResponse);
  }

  async update(
    caller: Caller,
    id: string,
    { profile_id, status, encrypted_data }: UpdateAllergyRequest,
    condition?: RevisionCondition,
  ): Promise<AllergyResponse> {
    const changes = { profile_id, status, encrypted_data: encrypted_data?.text };
    assertChanges(changes, 'allergy');
    this.assertStatus(status);
    return toAllergyResponse(await this.allergies.updateRecord(caller, id, { changes, condition }));
  }

  async delete(caller: Caller, id: string, condition?: RevisionCondition): Promise<void> {
    await this.allergies.delete(caller, id, condition);
  }

  async findByIds(caller: Caller, ids: string[], snapshot: Executor): Promise<Map<string, object>> {
    return this.allergies.findByIds(caller, ids, snapshot, toAllergyResponse);
  }

  private assertStatus(status?: string): void {
    if (status !== undefined && !this.statuses.includes(status))
      throw new ServiceError(ALLERGY_ERRORS.allergy_status_unknown);
  }
}
