import { DeviceLabelField } from '../../devices/dto/device-label.field';
import { RememberDeviceField } from '../../devices/dto/device-token.request';
import { DeviceTokenField, EmailField, SecretField } from '@app/security';

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
