import type { Database, Statement } from '@app/database';
import type { RatePolicy } from '@app/http';

/**
 * Counts the points of each key. A window that has ended starts again.
 *
 * Ordered by key: statements with common keys lock the rows in the same order, so they cannot deadlock.
 */
const TAKE: Statement = {
  name: 'rate limits take',
  text: `INSERT INTO rate_limits AS r (key, points, expire)
    SELECT wanted.key, $4::integer, $3::bigint + wanted.window_ms
    FROM unnest($1::text[], $2::bigint[]) AS wanted (key, window_ms) ORDER BY wanted.key
    ON CONFLICT (key) DO UPDATE SET
      points = CASE WHEN r.expire <= $3 THEN $4::integer ELSE r.points + $4::integer END,
      expire = CASE WHEN r.expire <= $3 THEN excluded.expire ELSE r.expire END
    RETURNING key, points, expire`,
};
/**
 * A counter without points is deleted: otherwise every refused try of another email would leave rows for a day, and
 * a client without a token could fill the disk.
 */
const GIVE_BACK: Statement = {
  name: 'rate limits give back',
  text: `WITH taken AS (
      SELECT key, points FROM rate_limits WHERE key = ANY ($1) AND expire > $2 ORDER BY key FOR UPDATE
    ), empty AS (
      DELETE FROM rate_limits r USING taken WHERE r.key = taken.key AND taken.points <= 1
    )
    UPDATE rate_limits r SET points = taken.points - 1 FROM taken WHERE r.key = taken.key AND taken.points > 1`,
};
const FORGET: Statement = {
  name: 'rate limits forget',
  text: 'DELETE FROM rate_limits WHERE expire < $1',
};

/** For an operator; no request uses it. */
const FORGET_KEYS: Statement = {
  name: 'operator forget rate limits',
  text: `DELETE FROM rate_limits WHERE split_part(key, ':', 2) = ANY ($1) RETURNING key`,
};

/** One counter of a policy. */
export interface Counter {
  policy: RatePolicy;
  /** Unique within the policy. */
  key: string;
}

/** The state of a counter. */
export interface CounterState {
  /** The points taken in this window, including the last one. */
  points: number;
  msBeforeEnd: number;
}

/** Counters in the database that all replicas share. The table is unlogged: a crash forgets the counts. */
export class SharedCounters {
  constructor(private readonly database: Database) {}

  /** Takes points of each counter, in one statement. @returns their states, in the same order. */
  async take(counters: Counter[], points = 1): Promise<CounterState[]> {
    const now = Date.now();
    const keys = counters.map(rowKeyOf);
    const windows = counters.map(({ policy }) => policy.windowSeconds * 1000);
    const rows = await this.database.strangers.query<{ key: string; points: number; expire: number }>(TAKE, [
      keys,
      windows,
      now,
      points,
    ]);
    const byKey = new Map(rows.map((row) => [row.key, row]));
    return keys.map((key) => {
      const { points, expire } = byKey.get(key)!;
      return { points, msBeforeEnd: Math.max(expire - now, 0) };
    });
  }

  /**
   * Gives back one point of each counter, in one statement. A counter whose window has ended does not change.
   */
  async giveBack(counters: Counter[]): Promise<void> {
    await this.database.strangers.query(GIVE_BACK, [counters.map(rowKeyOf), Date.now()]);
  }

  /** Deletes the counters of these keys in every policy. @returns their number. */
  async forget(keys: string[]): Promise<number> {
    return (await this.database.query(FORGET_KEYS, [keys])).length;
  }

  /** Deletes counters whose window has ended. */
  async forgetExpired(): Promise<void> {
    await this.database.query(FORGET, [Date.now()]);
  }
}

function rowKeyOf({ policy, key }: Counter): string {
  return `${policy.name}:${key}`;
}
