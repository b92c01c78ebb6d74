import type { Extension } from '@app/extension';
import { MedicationEntity } from './entities/medication.entity';
import { DoseEntity } from './entities/dose.entity';
import { MedicationsModule } from './medications.module';

export const MEDICATIONS: Extension = {
  modules: [MedicationsModule],
  entities: [MedicationEntity, DoseEntity],
};
