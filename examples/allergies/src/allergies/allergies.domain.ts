import type { Extension } from 'health-records-service';
import { AllergiesModule } from './allergies.module';
import { ALLERGY_SETTINGS } from './allergies.settings';
import { AllergyEntity } from './entities/allergy.entity';
import { Allergies1795000000000 } from './migrations/1795000000000-allergies';

export const ALLERGIES: Extension = {
  modules: [AllergiesModule],
  entities: [AllergyEntity],
  migrations: [Allergies1795000000000],
  settings: ALLERGY_SETTINGS,
};
