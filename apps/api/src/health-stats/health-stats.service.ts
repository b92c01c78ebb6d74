import { Injectable } from '@nestjs/common';
import type { Caller, Created, Page, RequestKey, RevisionCondition } from '@app/common';
import { assertChanges, toInstant, toListRequest } from '@app/http';
import type { CreateHealthStatRequest } from './dto/create-health-stat.request';
import { type HealthStatResponse, toHealthStatResponse } from './dto/health-stat.response';
import type { ListHealthStatsQuery } from './dto/list-health-stats.query';
import type { UpdateHealthStatRequest } from './dto/update-health-stat.request';
import { HealthStatsRepository } from './health-stats.repository';

@Injectable()
export class HealthStatsService {
  constructor(private readonly healthStats: HealthStatsRepository) {}

  async list(caller: Caller, query: ListHealthStatsQuery): Promise<Page<HealthStatResponse>> {
    const filters = {
      profile_id: query.profile_id,
      recorded_from: toInstant(query.recorded_from),
      recorded_to: toInstant(query.recorded_to),
    };
    return (await this.healthStats.list(caller, toListRequest(query, filters))).map(toHealthStatResponse);
  }

  async get(caller: Caller, id: string): Promise<HealthStatResponse> {
    return toHealthStatResponse(await this.healthStats.find(caller, id));
  }

  async create(
    caller: Caller,
    healthStat: CreateHealthStatRequest,
    requestKey?: RequestKey,
  ): Promise<Created<HealthStatResponse>> {
    const row = {
      id: healthStat.id,
      profile_id: healthStat.profile_id,
      encrypted_data: healthStat.encrypted_data.text,
      recorded_at: toInstant(healthStat.recorded_at),
    };
    return (await this.healthStats.insert(caller, row, requestKey)).map(toHealthStatResponse);
  }

  async update(
    caller: Caller,
    id: string,
    healthStat: UpdateHealthStatRequest,
    condition?: RevisionCondition,
  ): Promise<HealthStatResponse> {
    const changes = {
      profile_id: healthStat.profile_id,
      encrypted_data: healthStat.encrypted_data?.text,
      recorded_at: toInstant(healthStat.recorded_at),
    };
    assertChanges(changes, 'statistic');
    return toHealthStatResponse(await this.healthStats.updateRecord(caller, id, { changes, condition }));
  }

  async delete(caller: Caller, id: string, condition?: RevisionCondition): Promise<void> {
    await this.healthStats.delete(caller, id, condition);
  }
}
