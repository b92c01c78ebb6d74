import { ApiProperty } from '@nestjs/swagger';

export class TokensResponse {
  @ApiProperty({ description: 'Access token, for 15 minutes.' })
  token: string;

  @ApiProperty({ description: 'Refresh token, for 30 days and one use.' })
  refresh_token: string;
}

/** The answer of a sign-in: a pair of tokens, and the key that only the password opens. */
export class AuthenticationResponse extends TokensResponse {
  @ApiProperty({
    description: "The account's key, wrapped under the password.",
    example: 'q83vEjRWeJCrze8SNFZ4kKvN7xI0VniQ',
  })
  wrapped_dek: string;

  @ApiProperty({ example: 'AAECAwQFBgcICQoL' })
  wrapped_dek_iv: string;

  @ApiProperty({ required: false, description: 'Only if the request had `remember_device`.' })
  device_token?: string;
}
