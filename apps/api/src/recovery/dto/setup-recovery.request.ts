import { IvField, SecretField, WrappedKeyField } from '@app/security';

export class SetupRecoveryRequest {
  @SecretField({ description: 'The auth secret of the current password.' })
  current_password: string;

  @SecretField({ description: 'Derived from the recovery phrase; the phrase never leaves the client.' })
  recovery_proof: string;

  @WrappedKeyField('Needed, with its IV, to replace a phrase; the one of registration stays otherwise.', true)
  recovery_wrapped_dek?: string;

  @IvField('IV of recovery_wrapped_dek.', true)
  recovery_wrapped_dek_iv?: string;
}
