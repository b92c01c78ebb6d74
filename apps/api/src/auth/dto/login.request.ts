import { DeviceLabelField } from './device-label.field';
import { EmailField, SecretField } from '@app/security';

export class LoginRequest {
  @EmailField()
  email: string;

  @SecretField({ description: 'The auth secret, derived by the client.' })
  password: string;

  @DeviceLabelField()
  device_label?: string;
}
