import { ApiProperty } from '@nestjs/swagger';

export class OidcStartResponse {
  @ApiProperty({ description: 'Where the page sends the browser.' })
  url: string;

  @ApiProperty({ description: 'The page keeps it in its session storage, as the two below.' })
  state: string;

  @ApiProperty()
  nonce: string;

  @ApiProperty()
  code_verifier: string;
}

export class OidcLinkResponse {
  @ApiProperty({ format: 'date-time', example: '2026-11-20T08:00:00.000Z' })
  created_at: string;
}
