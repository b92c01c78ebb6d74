import { ApiProperty } from '@nestjs/swagger';
import { decodeCursor, type PageRequest, parseTimestamp } from '@app/common';
import { IsOptionalField } from '@app/opaque';
import { ValidateBy } from 'class-validator';
import { TimestampField } from './fields';

const MAX_LIMIT = 1000;

/** Query of every list: `limit`, `cursor`, `updated_since`. A list's own query extends it by its filters. */
export class ListQuery {
  @IsOptionalField()
  @ValidateBy({
    name: 'limit',
    validator: {
      validate: (value) =>
        typeof value === 'string' && /^\d{1,4}$/.test(value) && +value >= 1 && +value <= MAX_LIMIT,
      defaultMessage: () => `$property must be a whole number from 1 to ${MAX_LIMIT}`,
    },
  })
  @ApiProperty({
    required: false,
    type: 'integer',
    minimum: 1,
    maximum: MAX_LIMIT,
    description: 'Size of a page; without it the whole list is returned.',
  })
  limit?: string;

  @IsOptionalField()
  @ValidateBy({
    name: 'cursor',
    validator: {
      validate: (value) => typeof value === 'string' && decodeCursor(value) !== undefined,
      defaultMessage: () => '$property must be a cursor from a Link header of this list',
    },
  })
  @ApiProperty({
    required: false,
    type: String,
    description: 'Where the page begins; from the `Link` of the page before.',
  })
  cursor?: string;

  @TimestampField({ optional: true, description: 'Only records changed at or after this time.' })
  updated_since?: string;
}

/**
 * What every repository's `list` takes of a query.
 *
 * @param filters those of the record's kind; undefined ones do not filter.
 */
export function toListRequest(
  query: ListQuery,
  filters?: Record<string, unknown>,
): PageRequest & { updatedSince?: Date; filters?: Record<string, unknown> } {
  return {
    filters,
    limit: query.limit === undefined ? undefined : Number(query.limit),
    after: query.cursor === undefined ? undefined : decodeCursor(query.cursor),
    updatedSince: query.updated_since === undefined ? undefined : parseTimestamp(query.updated_since),
  };
}

/** A validated timestamp of a request, in the form in which it is stored; `undefined` stays so. */
export function toInstant(text: string | undefined): string | undefined {
  return text === undefined ? undefined : parseTimestamp(text)!.toISOString();
}
