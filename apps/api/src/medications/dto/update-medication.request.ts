import { EchoedField, EchoedFields, TextField, UuidField } from '@app/http';
import { OpaqueBlob, type OpaqueJson } from '@app/opaque';
import { DoseScheduleField, type DoseScheduleShape } from './dose-schedule.field';

/** Any non-empty subset of the create body. */
export class UpdateMedicationRequest extends EchoedFields {
  @UuidField({
    optional: true,
    description: 'Another of your profiles needs new `encrypted_data` too: the key differs.',
  })
  profile_id?: string;

  @TextField({ optional: true, min: 1, max: 64, printable: true, example: 'oral' })
  route?: string;

  @OpaqueBlob({ optional: true, description: 'Replaces the whole stored blob.' })
  encrypted_data?: OpaqueJson;

  @DoseScheduleField()
  dose_schedule?: DoseScheduleShape | null;

  @EchoedField()
  schedule_changed_at?: unknown;
}
