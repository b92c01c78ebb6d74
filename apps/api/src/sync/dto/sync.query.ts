import { LimitField, ReadField } from '@app/http';
import { decodeSyncCursor, type SyncCursor } from '../sync-cursor.rule';

const DEFAULT_LIMIT = 500;

export class SyncQuery {
  @LimitField(
    `The most changes of a page, ${DEFAULT_LIMIT} by default. A page of large records may hold fewer.`,
  )
  limit = DEFAULT_LIMIT;

  @ReadField(
    {
      optional: true,
      description:
        'The `cursor` of the last answer. Without it the feed begins with everything that there is.',
    },
    { name: 'syncCursor', rule: 'must be the cursor of an earlier answer', read: readCursor },
    { type: String },
  )
  cursor?: SyncCursor;
}

function readCursor(value: unknown): SyncCursor | undefined {
  return typeof value === 'string' ? decodeSyncCursor(value) : undefined;
}
