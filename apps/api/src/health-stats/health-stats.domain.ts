import type { Extension } from '@app/extension';
import { HealthStatEntity } from './entities/health-stat.entity';
import { HealthStatsModule } from './health-stats.module';

export const HEALTH_STATS: Extension = { modules: [HealthStatsModule], entities: [HealthStatEntity] };
