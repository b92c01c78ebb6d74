import { Controller } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { RecordController } from 'health-records-service/records';
import { ALLERGY_ERRORS } from './allergies.errors';
import { AllergiesService } from './allergies.service';
import { CreateAllergyRequest, ListAllergiesQuery, UpdateAllergyRequest } from './dto/allergy.requests';
import { AllergyResponse } from './dto/allergy.response';

const { allergy_status_unknown } = ALLERGY_ERRORS;

@ApiTags('Allergies')
@Controller('allergies')
export class AllergiesController extends RecordController({
  response: AllergyResponse,
  list: { summary: 'List allergies, newest first', query: ListAllergiesQuery },
  create: {
    summary: 'Add an allergy to a profile',
    body: CreateAllergyRequest,
    errors: ['not_found', allergy_status_unknown],
  },
  get: { summary: 'Read one allergy' },
  update: { summary: 'Update one allergy', body: UpdateAllergyRequest, errors: [allergy_status_unknown] },
  delete: { summary: 'Delete one allergy' },
  changes: 'PUT',
}) {
  constructor(allergies: AllergiesService) {
    super(allergies);
  }
}
