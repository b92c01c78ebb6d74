import { Module } from '@nestjs/common';
import { HealthStatsController } from './health-stats.controller';
import { HealthStatsRepository } from './health-stats.repository';
import { HealthStatsService } from './health-stats.service';

@Module({ controllers: [HealthStatsController], providers: [HealthStatsService, HealthStatsRepository] })
export class HealthStatsModule {}
