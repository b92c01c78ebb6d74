import { type Caller, Page, type PageKey } from '@app/common';
import type { Database } from '../connection/database';
import type { OwnedShape, OwnedStatements } from './owned-statements';
import { assertLiveSession, assertMemberSession, revoked } from './sessions';
import type { Executor } from '../connection/statement';

/** The most bytes of a page, unless a single record has more, and its records for a list without a limit. */
export const PAGE = { records: 1_000, bytes: 512 * 1024 };
/** A page of more bytes is a long read. */
export const MAX_SHORT_BYTES = 128 * 1024;
/** The sizes of more records are not added up before they are read: only the size of the account counts. */
const MAX_MEASURED = 100;

/** A request for a list. */
export interface OwnedList {
  caller: Caller;
  /** Names and values of the shape's filters. */
  filters: [name: string, value: unknown][];
  /** If absent, the whole list. */
  limit?: number;
  after?: PageKey;
  /** Called if there are no records. It throws if this is because the parent is missing. */
  assertListable: () => Promise<void>;
}

interface Rows<Row> {
  rows: Row[];
  /** Present if there are further records. */
  next?: PageKey;
}

/**
 * Reads lists by key, page by page. Each page is one statement that checks account and token version.
 *
 * What a page weighs is known before it is read: a large one is a long read, and all others are short reads.
 */
export class OwnedLists<Row extends { id: string }> {
  constructor(
    private readonly database: Database,
    private readonly statements: OwnedStatements,
    private readonly orderBy: OwnedShape['orderBy'],
  ) {}

  /** @throws ServiceError `token_revoked`; the errors of the statements and of `assertListable`. */
  async read(list: OwnedList): Promise<Page<Row>> {
    const { rows, next } = await this.firstPage(list);
    if (list.limit || !next) return new Page(rows, next);
    return new Page(rows, undefined, this.rest(list, next));
  }

  private async firstPage(list: OwnedList): Promise<Rows<Row>> {
    const { limit = PAGE.records, after } = list;
    const statement = this.statements.shortList(namesOf(list), after !== undefined, MAX_MEASURED);
    // One extra record shows whether there is a further page.
    const values = [...valuesOf(list, after), limit + 1, MAX_SHORT_BYTES];
    const rows = await this.database.shortReads.query<Row>(statement, values);
    if (rows.length > 0) return rows.length <= limit ? { rows } : this.upTo(rows);
    if (await this.hasRecords(list, after))
      return this.database.longRead(list.caller.accountId, (reads) => this.longPage(list, reads, after));
    await list.assertListable();
    return { rows };
  }

  private async *rest(list: OwnedList, after: PageKey): AsyncGenerator<Row[]> {
    for (let key: PageKey | undefined = after; key !== undefined;) {
      await assertMemberSession(this.database, list.caller);
      const { rows, next } = await this.database.longRead(
        list.caller.accountId,
        (reads) => this.longPage(list, reads, key),
        Infinity,
      );
      yield rows;
      key = next;
    }
  }

  private async longPage(list: OwnedList, reads: Executor, after?: PageKey): Promise<Rows<Row>> {
    const { limit = PAGE.records } = list;
    const statement = this.statements.list(namesOf(list), after !== undefined);
    const rows = await reads.query<Row>(statement, [...valuesOf(list, after), limit + 1, PAGE.bytes]);
    if (rows.length > limit) return this.upTo(rows);
    const last = rows.at(-1);
    // The session has ended since the last page, or the records are gone.
    if (!last) await assertLiveSession(this.database, list.caller);
    // A page that its bytes have ended has no extra record: that is asked for, and need not be read.
    const next = last && this.keyOf(last);
    return next && (await this.hasRecords(list, next)) ? { rows, next } : { rows };
  }

  /** @throws ServiceError `token_revoked`. */
  private async hasRecords(list: OwnedList, after: PageKey | undefined): Promise<boolean> {
    const statement = this.statements.hasRecords(namesOf(list), after !== undefined);
    const [found] = await this.database.query<{ any: boolean }>(statement, valuesOf(list, after));
    if (!found) throw revoked(list.caller);
    return found.any;
  }

  /** The page without its extra record. */
  private upTo(rows: Row[]): Rows<Row> {
    rows.pop();
    return { rows, next: this.keyOf(rows[rows.length - 1]) };
  }

  private keyOf(row: Row): PageKey {
    return { at: (row as Row & Record<string, string>)[this.orderBy], id: row.id };
  }
}

const namesOf = ({ filters }: OwnedList) => filters.map(([name]) => name);

function valuesOf({ caller, filters }: OwnedList, after: PageKey | undefined): unknown[] {
  const values = [caller.accountId, caller.tokenVersion, ...filters.map(([, value]) => value)];
  return after ? [...values, after.at, after.id] : values;
}
