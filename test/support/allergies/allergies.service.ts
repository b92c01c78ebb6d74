import { Injectable } from '@nestjs/common';
import {
  type Caller,
  Clock,
  type Created,
  type Page,
  type IdempotencyKeyDigest,
  ServiceError,
} from '@app/common';
import { ServiceConfig } from '@app/config';
import { Database, type Executor, ProfileRecordRepository, Syncs, type SyncSource } from '@app/database';
import { toListRequest } from '@app/http';
import { ALLERGY_ERRORS, ALLERGY_SETTINGS } from './allergies.settings';
import { AllergyEntity } from './allergy.entity';
import {
  type AllergyResponse,
  type CreateAllergyRequest,
  type ListAllergiesQuery,
  toAllergyResponse,
  type UpdateAllergyRequest,
} from './allergy.requests';

@Injectable()
export class AllergiesRepository extends ProfileRecordRepository<AllergyEntity> {
  constructor(database: Database) {
    super(database, { entity: AllergyEntity, orderBy: 'created_at' });
  }
}

@Injectable()
@Syncs(AllergyEntity)
export class AllergiesService implements SyncSource {
  constructor(
    private readonly allergies: AllergiesRepository,
    private readonly config: ServiceConfig,
    readonly clock: Clock,
  ) {}

  async list(caller: Caller, query: ListAllergiesQuery): Promise<Page<AllergyResponse>> {
    const request = toListRequest(query, { profile_id: query.profile_id });
    return (await this.allergies.list(caller, request)).map(toAllergyResponse);
  }

  async get(caller: Caller, id: string): Promise<AllergyResponse> {
    return toAllergyResponse(await this.allergies.find(caller, id));
  }

  async create(
    caller: Caller,
    { profile_id, status, encrypted_data, reaction_data }: CreateAllergyRequest,
    key?: IdempotencyKeyDigest,
  ): Promise<Created<AllergyResponse>> {
    const limit = this.config.valuesOf(ALLERGY_SETTINGS).ALLERGIES_PER_PROFILE;
    const stored = await this.allergies.list(caller, { filters: { profile_id }, limit });
    if (stored.takeItems().length >= limit) throw new ServiceError(ALLERGY_ERRORS.too_many_allergies);
    const row = {
      profile_id,
      status,
      encrypted_data: encrypted_data.text,
      reaction_data: reaction_data?.text,
    };
    return (await this.allergies.insert(caller, row, key)).map(toAllergyResponse);
  }

  async update(
    caller: Caller,
    id: string,
    { reaction_data }: UpdateAllergyRequest,
  ): Promise<AllergyResponse> {
    const changes = { reaction_data: reaction_data?.text };
    return toAllergyResponse(await this.allergies.updateRecord(caller, id, { changes }));
  }

  async delete(caller: Caller, id: string): Promise<void> {
    await this.allergies.delete(caller, id);
  }

  async findByIds(caller: Caller, ids: string[], snapshot: Executor): Promise<Map<string, object>> {
    return this.allergies.findByIds(caller, ids, snapshot, toAllergyResponse);
  }
}
