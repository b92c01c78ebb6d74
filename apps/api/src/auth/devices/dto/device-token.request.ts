import { BooleanField } from '@app/http';
import { SecretField } from '@app/security';

export class DeviceTokenRequest {
  @SecretField({ description: 'The auth secret of the current password.' })
  current_password: string;
}

/** Asks a sign-in for a device token. */
export function RememberDeviceField(): PropertyDecorator {
  return BooleanField({
    optional: true,
    description: 'Whether the answer has a `device_token`. Default `false`.',
  });
}
