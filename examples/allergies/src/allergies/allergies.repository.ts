import { Injectable } from '@nestjs/common';
import { ServiceError } from 'health-records-service/common';
import { Database, ProfileRecordRepository } from 'health-records-service/database';
import { ALLERGY_ERRORS } from './allergies.errors';
import { AllergyEntity } from './entities/allergy.entity';

@Injectable()
export class AllergiesRepository extends ProfileRecordRepository<AllergyEntity> {
  constructor(database: Database) {
    super(database, { entity: AllergyEntity, orderBy: 'created_at', filters: { status: 'r.status = ?' } });
  }

  /** A rule over what is stored. It holds also where two requests come at once. */
  protected override assertChange(current: AllergyEntity, { status }: Partial<AllergyEntity>): void {
    if (current.status === 'outgrown' && status !== undefined && status !== current.status)
      throw new ServiceError(ALLERGY_ERRORS.allergy_outgrown);
  }
}
