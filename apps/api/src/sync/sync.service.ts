import { Injectable } from '@nestjs/common';
import { type Caller, ServiceError } from '@app/common';
import { Database, type Executor, findEpoch, MAX_SHORT_BYTES, PAGE } from '@app/database';
import { type Change, ChangesRepository, type FeedSection } from './changes.repository';
import type { SyncQuery } from './dto/sync.query';
import type { SyncChangeResponse, SyncResponse } from './dto/sync.response';
import { accountMark, encodeSyncCursor, type SyncCursor } from './sync-cursor.rule';
import { SyncSourcesService } from './sync-sources.service';

@Injectable()
export class SyncService {
  constructor(
    private readonly database: Database,
    private readonly changes: ChangesRepository,
    private readonly sources: SyncSourcesService,
  ) {}

  /**
   * Returns a page of the account's feed. A page holds at least one change. A large one is a long read, like a
   * large page of a list.
   *
   * @throws ServiceError `sync_reset` for a cursor that the feed cannot continue; `token_revoked`; `overloaded` if
   *   other pages of the account take too long.
   */
  async page(caller: Caller, query: SyncQuery): Promise<SyncResponse> {
    const short = await this.read(caller, query, MAX_SHORT_BYTES);
    return short ?? this.database.longRead(caller.accountId, async () => (await this.read(caller, query))!);
  }

  /** @returns `undefined` if the page has more than `maxBytes`. */
  private async read(
    caller: Caller,
    { limit, cursor: known }: SyncQuery,
    maxBytes = Infinity,
  ): Promise<SyncResponse | undefined> {
    return this.database.snapshot(async (snapshot) => {
      const { id: epoch } = await findEpoch(snapshot);
      const account = accountMark(caller.accountId);
      if (known && (known.epoch !== epoch || known.account !== account)) throw reset();
      // Without a cursor the answer holds no deletions, because the client has no records yet.
      const after = known ?? { position: 0, start: Number.MAX_SAFE_INTEGER };
      const section = await this.changes.listAfter(caller, after, limit + 1, snapshot);
      if (known) assertContinuous(known, section);
      const page = cut(section.changes, limit);
      if (page.reduce((sum, { bytes }) => sum + bytes, 0) > maxBytes) return undefined;
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
    return index === limit || (index > 0 && bytes > PAGE.bytes);
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
