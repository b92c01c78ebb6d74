import { ApiProperty } from '@nestjs/swagger';

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
