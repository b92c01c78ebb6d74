import { TextField } from '@app/http';
import { IvField, StepUpRequest, WrappedKeyField } from '@app/security';
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import { DeviceLabelField } from '../../devices/dto/device.requests';
import { CreatedCredentialField, UsedCredentialField } from './credential.field';

const WRAPPED = 'The account key, wrapped under the key that the passkey gives by PRF.';

function LabelField(optional = false): PropertyDecorator {
  return TextField({
    optional,
    min: 1,
    max: 64,
    printable: true,
    description: 'Plaintext: what the list of passkeys calls this one.',
    example: "Ana's phone",
  });
}

function TicketField(): PropertyDecorator {
  return TextField({ min: 1, max: 4096, description: 'As the options gave it.', example: 'eyJhbGciOi…' });
}

function AccountKeyIdField(): PropertyDecorator {
  return TextField({
    optional: true,
    min: 1,
    max: 64,
    printable: true,
    description: 'Which account key is wrapped; made by the client.',
    example: 'q83vEjRWeJCrze8SNFZ4kA==',
  });
}

/** A wrap of the account key: all three fields or none. */
export class PasskeyWrap {
  @WrappedKeyField(WRAPPED, true)
  wrapped_dek?: string;

  @IvField('IV of wrapped_dek.', true)
  wrapped_dek_iv?: string;

  @AccountKeyIdField()
  account_key_id?: string;
}

export class PasskeyStepUpRequest extends StepUpRequest {}

export class AddPasskeyRequest extends PasskeyWrap {
  @TicketField()
  ticket: string;

  @CreatedCredentialField()
  response: RegistrationResponseJSON;

  @LabelField()
  label: string;
}

export class UpdatePasskeyRequest extends PasskeyWrap {
  @LabelField(true)
  label?: string;
}

export class PasskeyLoginRequest {
  @TicketField()
  ticket: string;

  @UsedCredentialField()
  response: AuthenticationResponseJSON;

  @DeviceLabelField()
  device_label?: string;
}
