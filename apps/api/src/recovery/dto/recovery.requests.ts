import {
  DeviceTokenField,
  EmailField,
  IvField,
  type NewKdf,
  NewKdfField,
  SecretField,
  StepUpRequest,
  WrappedKeyField,
} from '@app/security';

/** The body, and the query of the same route for clients that follow the specification. */
export class RecoveryInfoRequest {
  @EmailField()
  email: string;
}

export class RecoveryProofRequest {
  @EmailField()
  email: string;

  @SecretField({ description: 'Derived from the recovery phrase.' })
  recovery_proof: string;

  @DeviceTokenField()
  device_token?: string;
}

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

export class SetupRecoveryRequest extends StepUpRequest {
  @SecretField({ description: 'Derived from the recovery phrase; the phrase never leaves the client.' })
  recovery_proof: string;

  @WrappedKeyField('Needed, with its IV, to replace a phrase; the one of registration stays otherwise.', true)
  recovery_wrapped_dek?: string;

  @IvField('IV of recovery_wrapped_dek.', true)
  recovery_wrapped_dek_iv?: string;
}
