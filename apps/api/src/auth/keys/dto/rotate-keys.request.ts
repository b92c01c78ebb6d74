import { BooleanField, IntegerField, UuidField } from '@app/http';
import { OpaqueBlob, type OpaqueJson, OpaqueParts, OpaqueString } from '@app/opaque';
import {
  IvField,
  type NewKdf,
  NewKdfField,
  PutAccountKeysRequest,
  SecretField,
  StepUpRequest,
  WrappedKeyField,
} from '@app/security';
import { MAX_REVISION, PutTrustBookRequest } from './trust-book.request';

const MAX_PROFILES = 500;
const BLOB = { ciphertext: 'q83vEjRWeJCrze8SNFZ4kKvN7xI0VniQ', iv: 'AAECAwQFBgcICQoL' };

/** A profile with its new key, sealed under it. */
export class RotatedProfileRequest {
  @UuidField({ example: '01994c5e-9f52-7d6b-b1a4-6a1f0f0e7c22' })
  profile_id: string;

  @IntegerField({ min: 1, max: MAX_REVISION, description: 'The revision that it must have.', example: 3 })
  revision: number;

  @OpaqueString({ description: "The profile's new key, wrapped by the account's new one." })
  wrapped_profile_dek: string;

  @OpaqueString({ description: 'IV of wrapped_profile_dek.', example: 'AAECAwQFBgcICQoL' })
  wrapped_profile_dek_iv: string;

  @OpaqueBlob({ description: 'Encrypted name.' })
  name_data: OpaqueJson;

  @OpaqueString({ description: 'IV of name_data.', example: 'AAECAwQFBgcICQoL' })
  name_iv: string;
}

export class RotateKeysRequest extends StepUpRequest {
  @SecretField({ description: 'The auth secret of the new password.' })
  new_password: string;

  @WrappedKeyField("The account's new key, wrapped under the new password.")
  new_wrapped_dek: string;

  @IvField('IV of new_wrapped_dek.')
  new_wrapped_dek_iv: string;

  @NewKdfField()
  new_kdf?: NewKdf;

  @SecretField({ description: 'Derived from the new recovery phrase; the phrase never leaves the client.' })
  recovery_proof: string;

  @WrappedKeyField("The account's new key, wrapped under the new recovery phrase.")
  recovery_wrapped_dek: string;

  @IvField('IV of recovery_wrapped_dek.')
  recovery_wrapped_dek_iv: string;

  @OpaqueParts(PutTrustBookRequest, {
    description: 'Sealed under the new key.',
    example: { revision: 0, encrypted_data: BLOB },
  })
  trust_book: PutTrustBookRequest;

  @OpaqueParts(RotatedProfileRequest, {
    most: MAX_PROFILES,
    description: 'All profiles of the account.',
    example: {
      profile_id: '01994c5e-9f52-7d6b-b1a4-6a1f0f0e7c22',
      revision: 3,
      wrapped_profile_dek: BLOB.ciphertext,
      wrapped_profile_dek_iv: BLOB.iv,
      name_data: BLOB,
      name_iv: BLOB.iv,
    },
  })
  profiles: RotatedProfileRequest[];

  @OpaqueParts(PutAccountKeysRequest, {
    optional: true,
    description:
      'The keys by which others know you, sealed under the new key. There exactly if the account has some.',
    example: {
      sharing_public: Buffer.alloc(1216, 7).toString('base64'),
      signing_public: Buffer.alloc(32, 7).toString('base64'),
      wrapped: Buffer.alloc(80, 7).toString('base64'),
      wrapped_iv: BLOB.iv,
    },
  })
  keys?: PutAccountKeysRequest;

  @BooleanField({
    example: false,
    description:
      'Whether all passkeys end, and the app of the second step with them: a device was stolen. Else passkeys sign in, ' +
      'and unlock nothing before they get a wrap of the new key.',
  })
  end_passkeys: boolean;
}
