import { ApiProperty } from '@nestjs/swagger';

export class UsageResponse {
  @ApiProperty({ type: 'integer', description: 'Records of all kinds together.' })
  records: number;

  @ApiProperty({ type: 'integer', description: 'The most records that the account may store.' })
  max_records: number;

  @ApiProperty({
    type: 'integer',
    description: 'Bytes that the client chose, without what the database adds.',
  })
  bytes: number;

  @ApiProperty({ type: 'integer', description: 'The most bytes that the account may store.' })
  max_bytes: number;
}

interface Amounts {
  records: number;
  bytes: number;
}

export function toUsageResponse(used: Amounts, quotas: Amounts): UsageResponse {
  return {
    records: used.records,
    max_records: quotas.records,
    bytes: used.bytes,
    max_bytes: quotas.bytes,
  };
}
