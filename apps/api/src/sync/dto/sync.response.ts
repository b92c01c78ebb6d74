import { ApiProperty } from '@nestjs/swagger';

/** One change of the feed: a record in its newest state, or its deletion. */
export class SyncChangeResponse {
  @ApiProperty({
    description:
      '`profile`, `medication`, `dose`, `appointment`, `health_stat`, or the kind of an added module.',
    example: 'dose',
  })
  kind: string;

  @ApiProperty({ format: 'uuid' })
  id: string;

  @ApiProperty({
    required: false,
    type: Object,
    additionalProperties: true,
    description: 'The record as its own route shows it; absent for a deletion.',
  })
  record?: object;

  @ApiProperty({ required: false, enum: [true], description: 'The record was deleted.' })
  deleted?: true;
}

export class SyncResponse {
  @ApiProperty({
    description: 'Another value than before means that the database was restored: sync from the beginning.',
    example: '9f1c2ab04d7e',
  })
  epoch: string;

  @ApiProperty({ description: 'Opaque. Send it with the next request, once the changes are stored.' })
  cursor: string;

  @ApiProperty({ description: 'Whether the next page can be fetched at once.' })
  has_more: boolean;

  @ApiProperty({ type: [SyncChangeResponse], description: 'In the order in which they were committed.' })
  changes: SyncChangeResponse[];
}
