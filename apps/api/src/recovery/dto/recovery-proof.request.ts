import { DeviceTokenField, EmailField, SecretField } from '@app/security';

export class RecoveryProofRequest {
  @EmailField()
  email: string;

  @SecretField({ description: 'Derived from the recovery phrase.' })
  recovery_proof: string;

  @DeviceTokenField()
  device_token?: string;
}
