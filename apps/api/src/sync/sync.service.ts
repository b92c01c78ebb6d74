import { Injectable } from '@nestjs/common';
import { type Caller, ServiceError, Turns } from '@app/common';
import { type Executor, findEpoch } from '@app/database';
import { type Change, ChangesRepository, type FeedSection } from './changes.repository';
import type { SyncQuery } from './dto/sync.query';
import type { SyncChangeResponse, SyncResponse } from './dto/sync.response';
import { accountMark, encodeSyncCursor, type SyncCursor } from './sync-cursor.rule';
import { SyncSourcesService } from './sync-sources.service';

/**
 * Maximum number of blob bytes in one page, because a page is built in memory and in one turn of the event loop. A page
 * holds at least one change.
 */
const MAX_PAGE_BYTES = 1024 * 1024;
/** As long as for a place in the budget of the account. */
const PATIENCE_MS = 10_000;

@Injectable()
export class SyncService {
  /**
   * One page of an account at a time. Node accepts one new connection in each turn of its event loop, and large
   * pages make these turns long: with four pages of 4 MiB at a time, new clients waited for seconds.
   */
  private readonly pages = new Turns({ atOnce: 1, patienceMs: PATIENCE_MS });

  constructor(
    private readonly changes: ChangesRepository,
    private readonly sources: SyncSourcesService,
  ) {}

  /**
   * Returns a page of the account's feed.
   *
   * @throws ServiceError `sync_reset` for a cursor that the feed cannot continue; `token_revoked`; `overloaded` if
   *   other pages of the account take too long.
   */
  page(caller: Caller, query: SyncQuery): Promise<SyncResponse> {
    return this.pages.run(caller.accountId, () => this.read(caller, query));
  }

  private async read(caller: Caller, { limit, cursor: known }: SyncQuery): Promise<SyncResponse> {
    return this.changes.atOneInstant(async (snapshot) => {
      const { id: epoch } = await findEpoch(snapshot);
      const account = accountMark(caller.accountId);
      if (known && (known.epoch !== epoch || known.account !== account)) throw reset();
      // Without a cursor the answer holds no deletions, because the client has no records yet.
      const after = known ?? { position: 0, start: Number.MAX_SAFE_INTEGER };
      const section = await this.changes.listAfter(caller, after, limit + 1, snapshot);
      if (known) assertContinuous(known, section);
      const page = cut(section.changes, limit);
      const hasMore = page.length < section.changes.length;
      const cursor = encodeSyncCursor({
        epoch,
        account,
        position: hasMore ? page[page.length - 1].position : section.lastChange,
        start: known?.start ?? section.lastChange,
      });
      return { epoch, cursor, has_more: hasMore, changes: await this.toResponses(caller, page, snapshot) };
    });
  }

  /** Runs one statement for each kind of record in the page. */
  private async toResponses(
    caller: Caller,
    page: Change[],
    snapshot: Executor,
  ): Promise<SyncChangeResponse[]> {
    const records = new Map<string, Map<string, object>>();
    for (const kind of new Set(page.map((change) => change.kind))) {
      const ids = page.filter((change) => change.kind === kind && !change.is_deleted);
      if (ids.length > 0)
        records.set(kind, await this.sources.of(kind).findByIds(caller, ids.map(idOf), snapshot));
    }
    return page.map(({ kind, record_id: id, is_deleted: isDeleted }) =>
      isDeleted ? { kind, id, deleted: true } : { kind, id, record: records.get(kind)!.get(id) },
    );
  }
}

const idOf = (change: Change) => change.record_id;

/** The first changes that fit into a page. */
function cut(changes: Change[], limit: number): Change[] {
  let bytes = 0;
  const end = changes.findIndex((change, index) => {
    bytes += change.bytes;
    return index === limit || (index > 0 && bytes > MAX_PAGE_BYTES);
  });
  return end === -1 ? changes : changes.slice(0, end);
}

/**
 * @throws ServiceError `sync_reset` if changes after the cursor were removed from the feed, or if the cursor
 * is ahead of the feed.
 */
function assertContinuous(
  { position, start }: SyncCursor,
  { lastChange, forgottenChange }: FeedSection,
): void {
  if (position > lastChange || Math.max(position, start) < forgottenChange) throw reset();
}

function reset(): ServiceError {
  return new ServiceError('sync_reset');
}
