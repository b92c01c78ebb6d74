import { ApiProperty } from '@nestjs/swagger';

/** The common fields of every record except a dose. */
export class RevisedResponse {
  @ApiProperty({ format: 'date-time', example: '2026-11-20T08:00:00.000Z' })
  created_at: string;

  @ApiProperty({ format: 'date-time', example: '2026-11-20T08:00:00.000Z' })
  updated_at: string;

  @ApiProperty({
    type: 'integer',
    description: '1 on create, one more with each update; also the `ETag`.',
    example: 1,
  })
  revision: number;
}
