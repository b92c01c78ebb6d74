import { Injectable } from '@nestjs/common';
import { ServiceError } from 'health-records-service/common';
import { ServiceConfig } from 'health-records-service/config';
import { Syncs } from 'health-records-service/database';
import { RecordService } from 'health-records-service/records';
import { ALLERGY_ERRORS } from './allergies.errors';
import { AllergiesRepository } from './allergies.repository';
import { ALLERGY_SETTINGS } from './allergies.settings';
import type { CreateAllergyRequest, UpdateAllergyRequest } from './dto/allergy.requests';
import { type AllergyResponse, toAllergyResponse } from './dto/allergy.response';
import { AllergyEntity } from './entities/allergy.entity';

@Injectable()
@Syncs(AllergyEntity)
export class AllergiesService extends RecordService<
  AllergyEntity,
  CreateAllergyRequest,
  UpdateAllergyRequest,
  AllergyResponse
> {
  private readonly statuses: string[];

  constructor(allergies: AllergiesRepository, config: ServiceConfig) {
    super(allergies, 'allergy');
    this.statuses = config.valuesOf(ALLERGY_SETTINGS).ALLERGY_STATUSES;
  }

  protected toRow({ profile_id, status, encrypted_data }: CreateAllergyRequest | UpdateAllergyRequest) {
    if (status !== undefined && !this.statuses.includes(status))
      throw new ServiceError(ALLERGY_ERRORS.allergy_status_unknown);
    return { profile_id, status, encrypted_data: encrypted_data?.text };
  }

  protected toResponse = toAllergyResponse;
}
