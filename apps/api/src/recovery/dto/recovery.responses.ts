import { ApiProperty } from '@nestjs/swagger';

export class RecoveryInfoResponse {
  @ApiProperty({
    description: "The account's key, wrapped under the recovery phrase.",
    example: 'q83vEjRWeJCrze8SNFZ4kKvN7xI0VniQ',
  })
  recovery_wrapped_dek: string;

  @ApiProperty({ example: 'AAECAwQFBgcICQoL' })
  recovery_wrapped_dek_iv: string;
}

export class SetupRecoveryResponse {
  @ApiProperty({ example: true })
  recovery_enabled: true;
}

export class VerifyRecoveryResponse {
  @ApiProperty({
    description: '`false` alike for a wrong proof, an unknown email and recovery that is not set up.',
  })
  verified: boolean;
}

export class ResetPasswordResponse {
  @ApiProperty({ example: true })
  password_reset: true;
}
