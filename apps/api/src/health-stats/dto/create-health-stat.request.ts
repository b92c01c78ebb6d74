import { TimestampField, UuidField } from '@app/http';
import { OpaqueBlob, type OpaqueJson } from '@app/opaque';

export class CreateHealthStatRequest {
  @UuidField({ optional: true, description: 'Made by the client, so that it can bind its ciphertext to it.' })
  id?: string;

  @UuidField({ description: 'One of your profiles.' })
  profile_id: string;

  @OpaqueBlob({ description: 'The whole statistic, encrypted under the key of the profile.' })
  encrypted_data: OpaqueJson;

  @TimestampField({ optional: true, description: 'When it was measured. Plaintext. Default now.' })
  recorded_at?: string;
}
