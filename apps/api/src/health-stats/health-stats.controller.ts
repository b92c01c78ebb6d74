import { Controller } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { RecordController } from '@app/records';
import { CreateHealthStatRequest } from './dto/create-health-stat.request';
import { HealthStatResponse } from './dto/health-stat.response';
import { ListHealthStatsQuery } from './dto/list-health-stats.query';
import { UpdateHealthStatRequest } from './dto/update-health-stat.request';
import { HealthStatsService } from './health-stats.service';

@ApiTags('Health statistics')
@Controller('health-stats')
export class HealthStatsController extends RecordController({
  response: HealthStatResponse,
  list: { summary: 'List health statistics, latest recorded first', query: ListHealthStatsQuery },
  create: { summary: 'Add a health statistic to a profile', body: CreateHealthStatRequest },
  get: { summary: 'Read one health statistic' },
  update: { summary: 'Update one health statistic', body: UpdateHealthStatRequest },
  delete: { summary: 'Delete one health statistic' },
  changes: 'PUT',
  inSpaces: { create: 'carer', update: 'carer', delete: 'carer' },
}) {
  constructor(healthStats: HealthStatsService) {
    super(healthStats);
  }
}
