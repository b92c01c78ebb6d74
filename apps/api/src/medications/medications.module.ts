import { Module } from '@nestjs/common';
import { DosesController } from './doses.controller';
import { DosesRepository } from './doses.repository';
import { DosesService } from './doses.service';
import { MedicationsController } from './medications.controller';
import { MedicationsRepository } from './medications.repository';
import { MedicationsService } from './medications.service';

@Module({
  controllers: [MedicationsController, DosesController],
  providers: [MedicationsService, MedicationsRepository, DosesService, DosesRepository],
})
export class MedicationsModule {}
