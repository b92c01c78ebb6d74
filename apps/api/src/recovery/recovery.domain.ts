import type { Extension } from '@app/extension';
import { RecoveryModule } from './recovery.module';

export const RECOVERY: Extension = { modules: [RecoveryModule] };
