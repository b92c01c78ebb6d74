import { BooleanField, ReadField, TextField } from '@app/http';
import { DeviceTokenField, StepUpRequest } from '@app/security';
import type { AuthenticationResponseJSON } from '@simplewebauthn/server';
import { DeviceLabelField, RememberDeviceField } from '../../devices/dto/device.requests';
import { UsedCredentialField } from '../../passkeys/dto/credential.field';

function TicketField(): PropertyDecorator {
  return TextField({
    min: 1,
    max: 4096,
    description: 'As the answer before gave it.',
    example: 'eyJhbGciOi…',
  });
}

function CodeField(optional = false): PropertyDecorator {
  const read = (value: unknown) => (typeof value === 'string' && /^\d{6}$/.test(value) ? value : undefined);
  return ReadField(
    { optional, description: 'What the app shows.' },
    { name: 'code', rule: 'must be six digits', read },
    { type: String, pattern: '^\\d{6}$', example: '492039' },
  );
}

export class NewTotpRequest extends StepUpRequest {}

export class RemoveTotpRequest extends StepUpRequest {}

export class RequireSecondStepRequest extends StepUpRequest {
  @BooleanField({ description: 'Whether a sign-in by password asks for a second step.', example: true })
  required: boolean;
}

export class ConfirmTotpRequest {
  @TicketField()
  ticket: string;

  @CodeField()
  code: string;
}

export class SecondStepRequest {
  @TicketField()
  ticket: string;

  @CodeField(true)
  code?: string;

  @UsedCredentialField({ optional: true, isNamed: true })
  response?: AuthenticationResponseJSON;

  @DeviceLabelField()
  device_label?: string;

  @DeviceTokenField()
  device_token?: string;

  @RememberDeviceField()
  remember_device?: boolean;
}
