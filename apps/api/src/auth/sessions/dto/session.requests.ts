import { TextField } from '@app/http';
import { DeviceTokenField, EmailField, SecretField } from '@app/security';
import { DeviceLabelField, RememberDeviceField } from '../../devices/dto/device.requests';

export class LoginRequest {
  @EmailField()
  email: string;

  @SecretField({ description: 'The auth secret, derived by the client.' })
  password: string;

  @DeviceLabelField()
  device_label?: string;

  @DeviceTokenField()
  device_token?: string;

  @RememberDeviceField()
  remember_device?: boolean;
}

export class RefreshRequest {
  @TextField({
    min: 1,
    max: 4096,
    description: 'As login, register or the last refresh gave it.',
    example: 'eyJhbGciOi…',
  })
  refresh_token: string;
}
