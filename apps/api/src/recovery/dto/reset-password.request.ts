import { IvField, type NewKdf, NewKdfField, SecretField, WrappedKeyField } from '@app/security';
import { RecoveryProofRequest } from './recovery-proof.request';

export class ResetPasswordRequest extends RecoveryProofRequest {
  @SecretField({ description: 'The auth secret of the new password.' })
  new_password: string;

  @WrappedKeyField("The account's key, unwrapped with the phrase and wrapped under the new password.")
  new_wrapped_dek: string;

  @IvField('IV of new_wrapped_dek.')
  new_wrapped_dek_iv: string;

  @NewKdfField()
  new_kdf?: NewKdf;
}
