import { BooleanField, TextField } from '@app/http';
import { StepUpRequest } from '@app/security';

/** The device's name in the list of sessions. */
export function DeviceLabelField(): PropertyDecorator {
  return TextField({
    optional: true,
    min: 1,
    max: 64,
    printable: true,
    description: 'Plaintext: what the list of sessions calls this device.',
    example: "Ana's phone",
  });
}

export class DeviceTokenRequest extends StepUpRequest {}

/** Asks a sign-in for a device token. */
export function RememberDeviceField(): PropertyDecorator {
  return BooleanField({
    optional: true,
    description: 'Whether the answer has a `device_token`. Default `false`.',
  });
}
