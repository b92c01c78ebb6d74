import { BooleanField, EnumField } from '@app/http';
import {
  EmailField,
  IvField,
  type NewKdf,
  NewKdfField,
  SecretField,
  StepUpRequest,
  WrappedKeyField,
} from '@app/security';

export class PreloginRequest {
  @EmailField()
  email: string;
}

export class ChangePasswordRequest extends StepUpRequest {
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

/** The salt of the client's key derivation belongs to the email. A new email therefore needs a new secret. */
export class UpdateMeRequest extends ChangePasswordRequest {
  @EmailField()
  email: string;
}

export class DeleteMeRequest extends StepUpRequest {
  @EnumField({
    optional: true,
    values: ['delete'],
    example: 'delete',
    description:
      'Without it, shared profiles of which nobody else is an owner stop the erasure (`sole_owner`).',
  })
  sole_spaces?: 'delete';
}
