import { Controller } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { RecordController } from '@app/records';
import { CreateMedicationRequest } from './dto/create-medication.request';
import { ListMedicationsQuery } from './dto/list-medications.query';
import { MedicationResponse } from './dto/medication.response';
import { UpdateMedicationRequest } from './dto/update-medication.request';
import { MedicationsService } from './medications.service';

@ApiTags('Medications')
@Controller('medications')
export class MedicationsController extends RecordController({
  response: MedicationResponse,
  list: { summary: 'List medications, newest first', query: ListMedicationsQuery },
  create: { summary: 'Add a medication to a profile', body: CreateMedicationRequest },
  get: { summary: 'Read one medication' },
  update: { summary: 'Update one medication', body: UpdateMedicationRequest },
  delete: { summary: 'Delete one medication and its doses' },
  changes: 'POST',
}) {
  constructor(medications: MedicationsService) {
    super(medications);
  }
}
