import { Injectable } from '@nestjs/common';
import { Database, ProfileRecordRepository } from 'health-records-service/database';
import { AllergyEntity } from './entities/allergy.entity';

@Injectable()
export class AllergiesRepository extends ProfileRecordRepository<AllergyEntity> {
  constructor(database: Database) {
    super(database, { entity: AllergyEntity, orderBy: 'created_at', filters: { status: 'r.status = ?' } });
  }
}
