import { ApiProperty } from '@nestjs/swagger';

export class SecondStepResponse {
  @ApiProperty({ description: 'Whether a sign-in by password asks for a second step.' })
  required: boolean;

  @ApiProperty({ description: 'Whether an app gives codes. The passkeys have a list of their own.' })
  totp: boolean;
}

export class NewTotpResponse {
  @ApiProperty({ description: 'For the confirmation, within five minutes.', example: 'eyJhbGciOi…' })
  ticket: string;

  @ApiProperty({
    description: 'Base32, for an app that is typed into.',
    example: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP',
  })
  secret: string;

  @ApiProperty({
    description: 'For a QR code.',
    example:
      'otpauth://totp/Health%20Records:ana%40example.org?issuer=Health%20Records&secret=JBSWY3DPEHPK3PXP',
  })
  uri: string;
}
