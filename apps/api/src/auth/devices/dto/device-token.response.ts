import { ApiProperty } from '@nestjs/swagger';
import { idOfDeviceToken } from '../device-token.rule';
import type { DeviceTokenEntity } from '../entities/device-token.entity';

export class IssuedDeviceTokenResponse {
  @ApiProperty({
    description: 'For the field `device_token` of login and recovery, until 180 days after its last use.',
    example: 'uS1p3rXk0cJb2m8bq1y4w5Zt7o9vA6dEfGhIjKlMnOQ',
  })
  device_token: string;
}

export class DeviceTokenResponse {
  @ApiProperty({ format: 'uuid' })
  id: string;

  @ApiProperty({ format: 'date-time', example: '2026-11-20T08:00:00.000Z' })
  created_at: string;

  @ApiProperty({ format: 'date-time', example: '2026-11-20T08:00:00.000Z' })
  last_used_at: string;

  @ApiProperty({ description: 'Whether the device of the request has it.' })
  current: boolean;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'The label of the last session that the device opened.',
    example: "Ana's phone",
  })
  device_label: string | null;
}

export function toDeviceTokenResponse(row: DeviceTokenEntity, sessionId: string): DeviceTokenResponse {
  return {
    id: idOfDeviceToken(row.token_hash),
    created_at: row.created_at,
    last_used_at: row.last_used_at,
    current: row.session_id === sessionId,
    device_label: row.device_label,
  };
}
