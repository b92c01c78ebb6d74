import { Module } from '@nestjs/common';
import type { Extension } from '@app/extension';
import { Allergies1795000000000 } from './1795000000000-allergies';
import { AllergiesController } from './allergies.controller';
import { AllergiesRepository, AllergiesService } from './allergies.service';
import { ALLERGY_SETTINGS } from './allergies.settings';
import { AllergyEntity } from './allergy.entity';

@Module({ controllers: [AllergiesController], providers: [AllergiesService, AllergiesRepository] })
class AllergiesModule {}

/** What a team outside would add: nothing in the service knows of it. */
export const ALLERGIES: Extension = {
  modules: [AllergiesModule],
  entities: [AllergyEntity],
  migrations: [Allergies1795000000000],
  settings: ALLERGY_SETTINGS,
  corsHeaders: { allowed: ['X-Clinic'], exposed: ['X-Clinic-Round'] },
};
