import { Injectable } from '@nestjs/common';
import { Database, ProfileRecordRepository } from '@app/database';
import { HealthStatEntity } from './entities/health-stat.entity';

@Injectable()
export class HealthStatsRepository extends ProfileRecordRepository<HealthStatEntity> {
  constructor(database: Database) {
    super(database, {
      entity: HealthStatEntity,
      orderBy: 'recorded_at',
      filters: { recorded_from: 'r.recorded_at >= ?', recorded_to: 'r.recorded_at <= ?' },
    });
  }
}
