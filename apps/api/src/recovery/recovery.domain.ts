import type { Extension } from '@app/extension';
import { DecoyShapeEntity } from './entities/decoy-shape.entity';
import { RecoveryModule } from './recovery.module';

export const RECOVERY: Extension = { modules: [RecoveryModule], entities: [DecoyShapeEntity] };
