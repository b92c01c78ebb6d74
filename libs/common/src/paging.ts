import { isUuid } from './ids';
import { parseTimestamp } from './timestamp';

/**
 * The position after which a page continues: the sort instant and the id of the last record of the previous
 * page.
 */
export interface PageKey {
  /** RFC 3339, UTC, milliseconds. */
  at: string;
  id: string;
}

/** The paging parameters of a list. */
export interface PageRequest {
  /** 1 to 1000; absent means the whole list. */
  limit?: number;
  after?: PageKey;
}

/**
 * One page of a list, or a whole list that continues after it. `next` is absent on the last page.
 *
 * The items can be taken only once. Promises, and Nest until the answer is sent, hold the page longer than
 * its items are needed. Without this rule, they would keep each long list in memory.
 */
export class Page<T> {
  /**
   * @param rest the items of a whole list that follow `list`, read from the database as they are consumed.
   */
  constructor(
    private readonly list: T[],
    readonly next?: PageKey,
    readonly rest?: AsyncIterable<T[]>,
  ) {}

  /** Returns a page with the converted items. This page is empty afterwards. */
  map<U>(toItem: (item: T) => U): Page<U> {
    return new Page(this.takeItems().map(toItem), this.next, this.rest && mapped(this.rest, toItem));
  }

  /** Returns the items of this page and removes them from it. */
  takeItems(): T[] {
    return this.list.splice(0);
  }
}

async function* mapped<T, U>(pages: AsyncIterable<T[]>, toItem: (item: T) => U): AsyncGenerator<U[]> {
  for await (const items of pages) yield items.map(toItem);
}

/** The opaque text of a page key, for `cursor`. */
export function encodeCursor(key: PageKey): string {
  return Buffer.from(`${key.at} ${key.id}`).toString('base64url');
}

/** The page key of a cursor that this service created, or `undefined`. */
export function decodeCursor(cursor: string): PageKey | undefined {
  if (cursor.length > 128) return undefined;
  const [at, id, ...rest] = Buffer.from(cursor, 'base64url').toString('utf8').split(' ');
  if (at === undefined || rest.length > 0 || !isUuid(id)) return undefined;
  const instant = parseTimestamp(at);
  return instant && { at: instant.toISOString(), id };
}
