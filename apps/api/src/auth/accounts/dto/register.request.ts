import { EnumField, TextField, UuidField } from '@app/http';
import { OpaqueBlob, type OpaqueJson, OpaqueString } from '@app/opaque';
import { EmailField, IvField, type NewKdf, NewKdfField, SecretField, WrappedKeyField } from '@app/security';
import { DeviceLabelField, RememberDeviceField } from '../../devices/dto/device.requests';

export class RegisterRequest {
  @EmailField()
  email: string;

  @SecretField({ description: 'The auth secret, derived by the client; never the password itself.' })
  password: string;

  @WrappedKeyField("The account's key, wrapped under the password.")
  wrapped_dek: string;

  @IvField('IV of wrapped_dek.')
  wrapped_dek_iv: string;

  @WrappedKeyField("The account's key, wrapped under the recovery phrase.")
  recovery_wrapped_dek: string;

  @IvField('IV of recovery_wrapped_dek.')
  recovery_wrapped_dek_iv: string;

  @SecretField({ optional: true, description: 'Derived from the recovery phrase; sets recovery up at once.' })
  recovery_proof?: string;

  @NewKdfField()
  new_kdf?: NewKdf;

  @UuidField({
    optional: true,
    description:
      'Id of the account, made by the client, which can so bind its keys to it. Never that of an erased account.',
  })
  account_id?: string;

  @UuidField({ optional: true, description: 'Id of the first profile, made by the client.' })
  default_profile_id?: string;

  @OpaqueString({
    optional: true,
    description: 'Key of the first profile, wrapped; without it no profile is made.',
  })
  default_profile_wrapped_dek?: string;

  @OpaqueString({ optional: true, allowEmpty: true, example: 'AAECAwQFBgcICQoL' })
  default_profile_wrapped_dek_iv?: string;

  @EnumField({ optional: true, values: ['human', 'pet'], description: 'Default `human`.', example: 'human' })
  default_profile_kind?: string;

  @TextField({ optional: true, min: 1, max: 64, description: 'Default `self`.', example: 'self' })
  default_profile_relationship?: string;

  @OpaqueBlob({ optional: true, emptyString: true })
  default_profile_name_data?: OpaqueJson;

  @OpaqueString({ optional: true, allowEmpty: true, example: 'AAECAwQFBgcICQoL' })
  default_profile_name_iv?: string;

  @DeviceLabelField()
  device_label?: string;

  @RememberDeviceField()
  remember_device?: boolean;

  @TextField({
    optional: true,
    min: 1,
    max: 64,
    description: 'Needed where the service takes invited people only.',
    example: 'abcde-fghjk-mnpqr-stuvw',
  })
  invite_code?: string;
}
