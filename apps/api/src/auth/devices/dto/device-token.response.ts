import { ApiProperty } from '@nestjs/swagger';

export class DeviceTokenResponse {
  @ApiProperty({
    description: 'For the field `device_token` of login and recovery, until 180 days after its last use.',
    example: 'uS1p3rXk0cJb2m8bq1y4w5Zt7o9vA6dEfGhIjKlMnOQ',
  })
  device_token: string;
}
