import { EchoedFields, ListQuery, TextField, UuidField } from 'health-records-service/http';
import { OpaqueBlob, type OpaqueJson } from 'health-records-service/opaque';

const STATUS = { min: 1, max: 64, printable: true, example: 'active' };

export class CreateAllergyRequest {
  @UuidField({ optional: true, description: 'Made by the client, so that it can bind its ciphertext to it.' })
  id?: string;

  @UuidField({ description: 'One of your profiles.' })
  profile_id: string;

  @TextField({ ...STATUS, description: 'Plain text.' })
  status: string;

  @OpaqueBlob({ description: 'To what, and how it shows: encrypted under the key of the profile.' })
  encrypted_data: OpaqueJson;
}

export class UpdateAllergyRequest extends EchoedFields {
  @UuidField({
    optional: true,
    description: 'Another profile needs new `encrypted_data` too: the key differs.',
  })
  profile_id?: string;

  @TextField({ ...STATUS, optional: true })
  status?: string;

  @OpaqueBlob({ optional: true, description: 'Replaces the whole stored blob.' })
  encrypted_data?: OpaqueJson;
}

export class ListAllergiesQuery extends ListQuery {
  @TextField({ ...STATUS, optional: true, description: 'Only those with this status.' })
  status?: string;

  @UuidField({ optional: true, description: 'Only those of this profile.' })
  profile_id?: string;
}
