import { ApiProperty } from '@nestjs/swagger';
import { bytesAt, type Quotas } from '@app/database';
import type { AccountUsage } from '../entities/account-usage.entity';

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

  @ApiProperty({
    type: 'integer',
    description: 'The most bytes that the account may store now. A new account may store less.',
  })
  max_bytes: number;
}

export function toUsageResponse({ records, bytes, age }: AccountUsage, quotas: Quotas): UsageResponse {
  return { records, max_records: quotas.records, bytes, max_bytes: bytesAt(quotas, age) };
}
