import { BooleanField } from '@app/http';
import { IvField, type NewKdf, NewKdfField, SecretField, WrappedKeyField } from '@app/security';

export class ChangePasswordRequest {
  @SecretField({ description: 'The auth secret of the current password.' })
  current_password: string;

  @SecretField({ description: 'The auth secret of the new password.' })
  new_password: string;

  @WrappedKeyField("The account's key, wrapped under the new password.")
  new_wrapped_dek: string;

  @IvField('IV of new_wrapped_dek.')
  new_wrapped_dek_iv: string;

  @BooleanField({
    optional: true,
    description: 'Whether the tokens of all other devices end. Default `true`.',
  })
  forget_devices?: boolean;

  @NewKdfField()
  new_kdf?: NewKdf;
}
