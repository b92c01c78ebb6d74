import { Injectable } from '@nestjs/common';
import type { Caller } from '@app/common';
import { assertLiveSession, Database, type Executor, Housekeeping, type Statement } from '@app/database';

/** How long deletions stay in the feed. */
const REMEMBERED_DAYS = 180;

/**
 * Parameters: $3 position, $4 start, $5 limit. Returns one row with an empty change if there is no change.
 */
const LIST_AFTER: Statement = {
  name: 'changes list after',
  text: `SELECT coalesce(u.last_change, 0) AS last_change, coalesce(u.forgotten_change, 0) AS forgotten_change,
      c.kind, c.record_id, c.position, c.deleted_at IS NOT NULL AS is_deleted, c.bytes
    FROM accounts a
    LEFT JOIN account_usage u ON u.account_id = $1
    LEFT JOIN LATERAL (
      SELECT kind, record_id, position, deleted_at, bytes FROM changes
      WHERE account_id = $1 AND position > $3 AND (deleted_at IS NULL OR position > $4)
      ORDER BY position LIMIT $5
    ) c ON true
    WHERE a.id = $1 AND a.token_version = $2`,
};

/**
 * Stores in the account the newest position that was deleted from its feed, so that an older cursor is
 * refused.
 */
const FORGET: Statement = {
  name: 'changes forget',
  text: `WITH gone AS (
      DELETE FROM changes WHERE deleted_at < now() - interval '${REMEMBERED_DAYS} days'
      RETURNING account_id, position
    )
    UPDATE account_usage u SET forgotten_change = greatest(u.forgotten_change, gone.position)
    FROM (SELECT account_id, max(position) AS position FROM gone GROUP BY account_id) gone
    WHERE u.account_id = gone.account_id`,
};

/** One entry of an account's feed. */
export interface Change {
  kind: string;
  record_id: string;
  position: number;
  is_deleted: boolean;
  bytes: number;
}

/** The part of a feed after a position. */
export interface FeedSection {
  /** The position of the newest change in the feed. */
  lastChange: number;
  /** Deletions up to this position may be missing from the feed. */
  forgottenChange: number;
  /** In the order of their positions. */
  changes: Change[];
}

@Injectable()
export class ChangesRepository {
  constructor(database: Database, housekeeping: Housekeeping) {
    housekeeping.add(() => database.query(FORGET, []));
  }

  /** @throws ServiceError `token_revoked`. */
  async listAfter(
    caller: Caller,
    { position, start }: { position: number; start: number },
    limit: number,
    snapshot: Executor,
  ): Promise<FeedSection> {
    const values = [caller.accountId, caller.tokenVersion, position, start, limit];
    const rows = await snapshot.query<Change & { last_change: number; forgotten_change: number }>(
      LIST_AFTER,
      values,
    );
    if (rows.length === 0) await assertLiveSession(snapshot, caller);
    const [{ last_change: lastChange, forgotten_change: forgottenChange }] = rows;
    return { lastChange, forgottenChange, changes: rows.filter((row) => row.kind !== null) };
  }
}
