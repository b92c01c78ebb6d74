import { EchoedFields, TimestampField, UuidField } from '@app/http';
import { OpaqueBlob, type OpaqueJson } from '@app/opaque';

/** Any non-empty subset of the create body. */
export class UpdateHealthStatRequest extends EchoedFields {
  @UuidField({
    optional: true,
    description: 'Another of your profiles needs new `encrypted_data` too: the key differs.',
  })
  profile_id?: string;

  @OpaqueBlob({ optional: true, description: 'Replaces the whole stored blob.' })
  encrypted_data?: OpaqueJson;

  @TimestampField({ optional: true, description: 'When it was measured.' })
  recorded_at?: string;
}
