import { Injectable } from '@nestjs/common';
import type { Caller, Created, IdempotencyKeyDigest, Page, RevisionCondition } from '@app/common';
import { type Executor, Syncs, type SyncSource } from '@app/database';
import { assertChanges, toListRequest } from '@app/http';
import type { CreateHealthStatRequest } from './dto/create-health-stat.request';
import { type HealthStatResponse, toHealthStatResponse } from './dto/health-stat.response';
import type { ListHealthStatsQuery } from './dto/list-health-stats.query';
import type { UpdateHealthStatRequest } from './dto/update-health-stat.request';
import { HealthStatEntity } from './entities/health-stat.entity';
import { HealthStatsRepository } from './health-stats.repository';

@Injectable()
@Syncs(HealthStatEntity)
export class HealthStatsService implements SyncSource {
  constructor(private readonly healthStats: HealthStatsRepository) {}

  async list(caller: Caller, query: ListHealthStatsQuery): Promise<Page<HealthStatResponse>> {
    const filters = {
      profile_id: query.profile_id,
      recorded_from: query.recorded_from,
      recorded_to: query.recorded_to,
    };
    return (await this.healthStats.list(caller, toListRequest(query, filters))).map(toHealthStatResponse);
  }

  async get(caller: Caller, id: string): Promise<HealthStatResponse> {
    return toHealthStatResponse(await this.healthStats.find(caller, id));
  }

  async create(
    caller: Caller,
    healthStat: CreateHealthStatRequest,
    requestKey?: IdempotencyKeyDigest,
  ): Promise<Created<HealthStatResponse>> {
    const row = {
      id: healthStat.id,
      profile_id: healthStat.profile_id,
      encrypted_data: healthStat.encrypted_data.text,
      recorded_at: healthStat.recorded_at,
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
      recorded_at: healthStat.recorded_at,
    };
    assertChanges(changes, 'statistic');
    return toHealthStatResponse(await this.healthStats.updateRecord(caller, id, { changes, condition }));
  }

  async delete(caller: Caller, id: string, condition?: RevisionCondition): Promise<void> {
    await this.healthStats.delete(caller, id, condition);
  }

  async findByIds(caller: Caller, ids: string[], snapshot: Executor): Promise<Map<string, object>> {
    return this.healthStats.findByIds(caller, ids, snapshot, toHealthStatResponse);
  }
}
