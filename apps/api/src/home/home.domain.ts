import type { Extension } from '@app/extension';
import { HomeModule } from './home.module';

export const HOME: Extension = { modules: [HomeModule] };
