import { TextField, UuidField } from '@app/http';
import { OpaqueBlob, type OpaqueJson } from '@app/opaque';

export class CreateAppointmentRequest {
  @UuidField({ optional: true, description: 'Made by the client, so that it can bind its ciphertext to it.' })
  id?: string;

  @UuidField({ description: 'One of your profiles.' })
  profile_id: string;

  @TextField({
    min: 1,
    max: 64,
    printable: true,
    description:
      'Plaintext, compared exactly; the reference client uses scheduled, completed, cancelled, missed.',
    example: 'scheduled',
  })
  status: string;

  @OpaqueBlob({ description: 'With whom, where, when: encrypted under the key of the profile.' })
  encrypted_data: OpaqueJson;
}
