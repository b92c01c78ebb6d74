import { ApiProperty } from '@nestjs/swagger';

/** Parameters with which the client derives its secret from the password. */
export class PreloginResponse {
  @ApiProperty({ example: 'pbkdf2-sha256' })
  kdf: string;

  @ApiProperty({ type: 'integer', example: 1_000_000 })
  iterations: number;

  @ApiProperty({
    description: '16 bytes, base64; the same whether the account exists or not.',
    example: 'hK1aQ0c5b1Zt0mJ0xw1lYg==',
  })
  salt: string;
}
