import { Injectable } from '@nestjs/common';
import { Syncs } from '@app/database';
import { RecordService } from '@app/records';
import type { CreateHealthStatRequest } from './dto/create-health-stat.request';
import { type HealthStatResponse, toHealthStatResponse } from './dto/health-stat.response';
import type { UpdateHealthStatRequest } from './dto/update-health-stat.request';
import { HealthStatEntity } from './entities/health-stat.entity';
import { HealthStatsRepository } from './health-stats.repository';

@Injectable()
@Syncs(HealthStatEntity)
export class HealthStatsService extends RecordService<
  HealthStatEntity,
  CreateHealthStatRequest,
  UpdateHealthStatRequest,
  HealthStatResponse
> {
  constructor(healthStats: HealthStatsRepository) {
    super(healthStats, 'statistic');
  }

  protected toRow(healthStat: CreateHealthStatRequest | UpdateHealthStatRequest) {
    const { profile_id, encrypted_data, recorded_at } = healthStat;
    return { profile_id, encrypted_data: encrypted_data?.text, recorded_at };
  }

  protected toResponse = toHealthStatResponse;
}
