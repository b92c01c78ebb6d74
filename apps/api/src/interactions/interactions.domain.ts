import type { Extension } from '@app/extension';
import { InteractionsModule } from './interactions.module';

export const INTERACTIONS: Extension = { modules: [InteractionsModule] };
