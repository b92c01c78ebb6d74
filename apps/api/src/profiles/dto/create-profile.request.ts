import { EnumField, TextField, UuidField } from '@app/http';
import { OpaqueBlob, type OpaqueJson, OpaqueString } from '@app/opaque';

export const PROFILE_KINDS = ['human', 'pet'] as const;

export class CreateProfileRequest {
  @UuidField({
    optional: true,
    description: 'Made by the client, so that it can bind its ciphertexts to it.',
  })
  profile_id?: string;

  @EnumField({ optional: true, values: PROFILE_KINDS, description: 'Default `human`.', example: 'human' })
  kind?: string;

  @TextField({
    optional: true,
    min: 1,
    max: 64,
    description: 'To the owner. Default `self`.',
    example: 'child',
  })
  relationship?: string;

  @OpaqueString({ description: "The profile's key, wrapped by the account's." })
  wrapped_profile_dek: string;

  @OpaqueString({
    optional: true,
    allowEmpty: true,
    description: 'IV of wrapped_profile_dek.',
    example: 'AAECAwQFBgcICQoL',
  })
  wrapped_profile_dek_iv?: string;

  @OpaqueBlob({ optional: true, emptyString: true, description: 'Encrypted name; empty until it is set.' })
  name_data?: OpaqueJson;

  @OpaqueString({
    optional: true,
    allowEmpty: true,
    description: 'IV of name_data.',
    example: 'AAECAwQFBgcICQoL',
  })
  name_iv?: string;
}
