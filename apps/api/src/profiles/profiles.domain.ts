import type { Extension } from '@app/extension';
import { ProfileEntity } from './entities/profile.entity';
import { ProfilesModule } from './profiles.module';

export const PROFILES: Extension = { modules: [ProfilesModule], entities: [ProfileEntity] };
