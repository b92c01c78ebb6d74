import type { Extension } from '@app/extension';
import { ChangeEntity } from './entities/change.entity';
import { SyncModule } from './sync.module';

export const SYNC: Extension = { modules: [SyncModule], entities: [ChangeEntity] };
