import { EchoedField, EchoedFields, EnumField, TextField } from '@app/http';
import { OpaqueBlob, type OpaqueJson, OpaqueString } from '@app/opaque';
import { PROFILE_KINDS } from './create-profile.request';

/**
 * Any subset of the fields. A changed blob or key needs its IV in the same request, unless the stored IV is
 * empty.
 */
export class UpdateProfileRequest extends EchoedFields {
  @EchoedField()
  profile_id?: unknown;

  @EnumField({ optional: true, values: PROFILE_KINDS, example: 'human' })
  kind?: string;

  @TextField({ optional: true, min: 1, max: 64, example: 'child' })
  relationship?: string;

  @OpaqueString({
    optional: true,
    allowEmpty: true,
    description: "The profile's key, wrapped by the account's. Empty for a shared profile, and only there.",
  })
  wrapped_profile_dek?: string;

  @OpaqueString({
    optional: true,
    allowEmpty: true,
    description: 'IV of wrapped_profile_dek.',
    example: 'AAECAwQFBgcICQoL',
  })
  wrapped_profile_dek_iv?: string;

  @OpaqueBlob({ optional: true, emptyString: true, description: 'Encrypted name.' })
  name_data?: OpaqueJson;

  @OpaqueString({
    optional: true,
    allowEmpty: true,
    description: 'IV of name_data.',
    example: 'AAECAwQFBgcICQoL',
  })
  name_iv?: string;
}
