import { TextField, UuidField } from '@app/http';
import { OpaqueBlob, type OpaqueJson } from '@app/opaque';
import { DoseScheduleField, type DoseScheduleShape } from './dose-schedule.field';

export class CreateMedicationRequest {
  @UuidField({ optional: true, description: 'Made by the client, so that it can bind its ciphertext to it.' })
  id?: string;

  @UuidField({ description: 'One of your profiles.' })
  profile_id: string;

  @TextField({ min: 1, max: 64, printable: true, description: 'Plaintext.', example: 'oral' })
  route: string;

  @OpaqueBlob({ description: 'Name, dose, notes: encrypted under the key of the profile.' })
  encrypted_data: OpaqueJson;

  @DoseScheduleField()
  dose_schedule?: DoseScheduleShape | null;
}
