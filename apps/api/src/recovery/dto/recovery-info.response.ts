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
