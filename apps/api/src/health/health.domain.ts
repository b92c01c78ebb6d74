import type { Extension } from '@app/extension';
import { HealthModule } from './health.module';

export const HEALTH: Extension = { modules: [HealthModule] };
