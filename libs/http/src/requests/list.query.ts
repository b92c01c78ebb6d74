import { decodeCursor, type PageKey, type PageRequest } from '@app/common';
import { ReadField, TimestampField } from './fields';

const MAX_LIMIT = 1000;

/** An optional number of items, from 1 to 1000. */
export function LimitField(description: string): PropertyDecorator {
  return ReadField(
    { optional: true, description },
    { name: 'limit', rule: `must be a whole number from 1 to ${MAX_LIMIT}`, read: readLimit },
    { type: 'integer', minimum: 1, maximum: MAX_LIMIT },
  );
}

/**
 * Query of every list: `limit`, `cursor`, `updated_since`. The query class of each list extends it with its
 * filters.
 */
export class ListQuery {
  @LimitField('Size of a page; without it the whole list is returned.')
  limit?: number;

  @ReadField(
    { optional: true, description: 'Where the page begins; from the `Link` of the page before.' },
    { name: 'cursor', rule: 'must be a cursor from a Link header of this list', read: readCursor },
    { type: String },
  )
  cursor?: PageKey;

  @TimestampField({ optional: true, description: 'Only records changed at or after this time.' })
  updated_since?: string;
}

function readLimit(value: unknown): number | undefined {
  const limit = typeof value === 'string' && /^\d{1,4}$/.test(value) ? Number(value) : 0;
  return limit >= 1 && limit <= MAX_LIMIT ? limit : undefined;
}

function readCursor(value: unknown): PageKey | undefined {
  return typeof value === 'string' ? decodeCursor(value) : undefined;
}

/**
 * Converts a query to the parameter of a repository's `list`.
 *
 * @param filters the filters of this kind of record. An undefined filter has no effect.
 */
export function toListRequest(
  query: ListQuery,
  filters?: Record<string, unknown>,
): PageRequest & { updatedSince?: Date; filters?: Record<string, unknown> } {
  const { limit, cursor: after, updated_since: updatedSince } = query;
  return { filters, limit, after, updatedSince: updatedSince ? new Date(updatedSince) : undefined };
}
