import { isUuid } from './ids';
import { parseTimestamp } from './timestamp';

/** The place after which a page continues: the sort instant and the id of the last record of the page before. */
export interface PageKey {
  /** RFC 3339, UTC, milliseconds. */
  at: string;
  id: string;
}

/** What a list is asked for. */
export interface PageRequest {
  /** 1 to 1000; absent means the whole list. */
  limit?: number;
  after?: PageKey;
}

/**
 * One page of a list. `next` is absent on the last page.
 *
 * Its items are used once, and gone then: what waits for them (promises, and Nest until the last byte of the answer has left)
 * lives longer than they do, and would carry each long list through the garbage collector.
 */
export class Page<T> {
  constructor(
    private readonly list: T[],
    readonly next?: PageKey,
  ) {}

  /** The page of what `toItem` makes of the items, which are gone from here. */
  map<U>(toItem: (item: T) => U): Page<U> {
    return new Page(this.takeItems().map(toItem), this.next);
  }

  /** Hands the items over. */
  takeItems(): T[] {
    return this.list.splice(0);
  }
}

/** The opaque text of a page key, as it stands in `cursor`. */
export function encodeCursor(key: PageKey): string {
  return Buffer.from(`${key.at} ${key.id}`).toString('base64url');
}

/** The page key of a cursor this service made, or `undefined`. */
export function decodeCursor(cursor: string): PageKey | undefined {
  if (cursor.length > 128) return undefined;
  const [at, id, ...rest] = Buffer.from(cursor, 'base64url').toString('utf8').split(' ');
  if (at === undefined || rest.length > 0 || !isUuid(id)) return undefined;
  const instant = parseTimestamp(at);
  return instant && { at: instant.toISOString(), id };
}
