import { Body, Controller, Delete, Get, HttpCode, Param, Post, Put, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller, Created, IdempotencyKeyDigest, Page, RevisionCondition } from '@app/common';
import {
  ApiIdempotencyKey,
  ApiIfMatch,
  ApiRoute,
  CHANGE_ERRORS,
  CREATE_ERRORS,
  EmptyBody,
  IdempotencyKey,
  IfMatch,
  ITEM_HEADERS,
  LIST_HEADERS,
} from '@app/http';
import { CurrentCaller } from '@app/security';
import { CreateHealthStatRequest } from './dto/create-health-stat.request';
import { ListHealthStatsQuery } from './dto/list-health-stats.query';
import { HealthStatResponse } from './dto/health-stat.response';
import { UpdateHealthStatRequest } from './dto/update-health-stat.request';
import { HealthStatsService } from './health-stats.service';

@ApiTags('Health statistics')
@Controller('health-stats')
export class HealthStatsController {
  constructor(private readonly healthStats: HealthStatsService) {}

  @Get()
  @ApiRoute({
    summary: 'List health statistics, latest recorded first',
    status: 200,
    body: [HealthStatResponse],
    headers: LIST_HEADERS,
    errors: ['validation_failed'],
  })
  list(
    @CurrentCaller() caller: Caller,
    @Query() query: ListHealthStatsQuery,
  ): Promise<Page<HealthStatResponse>> {
    return this.healthStats.list(caller, query);
  }

  @Post()
  @ApiIdempotencyKey()
  @ApiRoute({
    summary: 'Add a health statistic to a profile',
    status: 201,
    body: HealthStatResponse,
    headers: ITEM_HEADERS,
    errors: [...CREATE_ERRORS, 'not_found'],
  })
  create(
    @CurrentCaller() caller: Caller,
    @Body() healthStat: CreateHealthStatRequest,
    @IdempotencyKey() requestKey?: IdempotencyKeyDigest,
  ): Promise<Created<HealthStatResponse>> {
    return this.healthStats.create(caller, healthStat, requestKey);
  }

  @Get(':id')
  @ApiRoute({
    summary: 'Read one health statistic',
    status: 200,
    body: HealthStatResponse,
    headers: ITEM_HEADERS,
    errors: ['not_found'],
  })
  get(@CurrentCaller() caller: Caller, @Param('id') id: string): Promise<HealthStatResponse> {
    return this.healthStats.get(caller, id);
  }

  @Put(':id')
  @ApiIfMatch()
  @ApiRoute({
    summary: 'Update one health statistic',
    description: 'Takes any non-empty subset of the create body; a blob replaces the whole stored blob.',
    status: 200,
    body: HealthStatResponse,
    headers: ITEM_HEADERS,
    errors: CHANGE_ERRORS,
  })
  update(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @Body() healthStat: UpdateHealthStatRequest,
    @IfMatch() condition?: RevisionCondition,
  ): Promise<HealthStatResponse> {
    return this.healthStats.update(caller, id, healthStat, condition);
  }

  @Delete(':id')
  @HttpCode(204)
  @ApiIfMatch()
  @ApiRoute({ summary: 'Delete one health statistic', status: 204, errors: CHANGE_ERRORS })
  delete(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @Body() _body: EmptyBody,
    @IfMatch() condition?: RevisionCondition,
  ): Promise<void> {
    return this.healthStats.delete(caller, id, condition);
  }
}
