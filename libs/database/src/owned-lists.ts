import { setTimeout as sleep } from 'node:timers/promises';
import { type Caller, Page, type PageKey } from '@app/common';
import type { Database } from './database';
import type { OwnedShape, OwnedStatements } from './owned-statements';

/** Page size of a list without a limit. It is small, so that a page does not delay other requests. */
const PAGE = { rows: 1_000, bytes: 512 * 1024 };
/** A list with a limit ends after this number of bytes of text. The last record may exceed it. */
const MAX_BYTES = 2 * 1024 * 1024;
/** Longer lists use separate connections, so that no short read waits for them. */
const MAX_SHORT_ROWS = 100;

const MAX_PAUSE_MS = 50;

/** A request for a list. */
export interface OwnedList {
  caller: Caller;
  /** Names and values of the shape's filters. */
  filters: [name: string, value: unknown][];
  /** If absent, the whole list. */
  limit?: number;
  after?: PageKey;
  /** Called for an empty page. It throws if the page is empty because the caller has no access. */
  assertListable: () => Promise<void>;
}

/**
 * Reads lists by key, page by page. Each page is one statement that checks account and token version.
 *
 * A page ends at its maximum number of records, or with the record whose text exceeds its bytes.
 */
export class OwnedLists<Row extends { id: string }> {
  constructor(
    private readonly database: Database,
    private readonly statements: OwnedStatements,
    private readonly orderBy: OwnedShape['orderBy'],
  ) {}

  /** @throws the errors of the statements and of `assertListable`. */
  async read(list: OwnedList): Promise<Page<Row>> {
    const { rows, next } = await this.page(list, list.after);
    if (list.limit || !next) return new Page(rows, next);
    return new Page(rows, undefined, this.rest(list, next));
  }

  private async *rest(list: OwnedList, after: PageKey): AsyncGenerator<Row[]> {
    for (let key: PageKey | undefined = after; key !== undefined;) {
      const { rows, next } = await this.database.furtherPage(list.caller.accountId, () =>
        this.pageAndPause(list, key!),
      );
      yield rows;
      key = next;
    }
  }

  /**
   * The pause is as long as the page took. All long lists together then use half of the process and of a
   * connection.
   */
  private async pageAndPause(list: OwnedList, after: PageKey): Promise<{ rows: Row[]; next?: PageKey }> {
    const begin = performance.now();
    const page = await this.page(list, after);
    await sleep(Math.min(performance.now() - begin, MAX_PAUSE_MS));
    return page;
  }

  private async page(list: OwnedList, after?: PageKey): Promise<{ rows: Row[]; next?: PageKey }> {
    const { caller, filters, limit = PAGE.rows } = list;
    const bytes = list.limit === undefined ? PAGE.bytes : MAX_BYTES;
    const names = filters.map(([name]) => name);
    const statement = this.statements.list(names, after !== undefined);
    const values = [caller.accountId, caller.tokenVersion, ...filters.map(([, value]) => value)];
    if (after) values.push(after.at, after.id);
    // One extra row shows whether there is a further page.
    values.push(limit + 1, bytes);
    const isShort = list.limit !== undefined && list.limit <= MAX_SHORT_ROWS;
    const reader = isShort ? this.database.reader : this.database.longReader;
    const rows = await reader.query<Row>(statement, values);
    if (rows.length === 0) await list.assertListable();
    if (rows.length <= limit && this.statements.bytesOf(rows.slice(0, -1)) <= bytes) return { rows };
    rows.pop();
    const last = rows[rows.length - 1] as Row & Record<string, string>;
    return { rows, next: { at: last[this.orderBy], id: last.id } };
  }
}
