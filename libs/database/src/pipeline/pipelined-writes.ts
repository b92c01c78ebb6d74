import { Turns } from '@app/common';
import { isRetryable, isSafeToRepeat } from '../database-errors';
import type { Executor, Statement } from '../statement';
import type { PipelinedConnections } from './pipelined-connections';

/** Concurrent writes on one connection. */
const MAX_IN_FLIGHT = 8;
/**
 * Concurrent writes on the pool while all connections are full: on a slow disk, one commit then serves more
 * writes. A write on the pool needs more processor time, so the number is small.
 */
const MAX_ON_POOL = 4;
/** After its write met a lock, an account uses only the pool for this time. */
const APART_MS = 10_000;

/**
 * Sends writes of several accounts one after another on a few connections. Each write is a transaction. The
 * writes that find no place wait in one line, at most one for each account.
 *
 * A failed write does not make others fail. A write that the server did not run (it met a lock, or the server
 * ended the session first) runs again on the pool. If a connection is lost without a message of the server,
 * the outcome of its writes is unknown. These are at most `MAX_IN_FLIGHT` writes, each of a different
 * account.
 *
 * A write waits at most 25 ms (`WRITE_LOCK_TIMEOUT_MS`) for another account's lock, so at most 0.2 s behind
 * seven writes that all meet a lock. An account that met a lock uses the pool for `APART_MS`. A write that
 * takes long without a lock is cancelled after `WRITE_STATEMENT_TIMEOUT_MS`.
 */
export class PipelinedWrites implements Executor {
  /**
   * Accounts with a write that is sent or waits for a place. A second write would wait for the first, and
   * delay the writes behind it.
   */
  private readonly busy = new Set<string>();
  /**
   * Accounts that met a lock, and the time until which they use the pool. The earliest time is first in the
   * map.
   */
  private readonly apart = new Map<string, number>();

  private readonly places: Turns;

  /** @param pool for writes that must not delay others. */
  constructor(
    private readonly connections: PipelinedConnections,
    private readonly pool: Executor,
  ) {
    this.places = new Turns({ atOnce: connections.count * MAX_IN_FLIGHT + MAX_ON_POOL });
  }

  /** The number of writes that wait for a place. */
  get waiting(): number {
    return this.places.waiting;
  }

  /**
   * @param values start with the account. Rejects with the errors of `pool` and of `pg`, and with ServiceError
   *   `overloaded` after a long wait for a place.
   */
  async query<R>(statement: Statement, values: unknown[]): Promise<R[]> {
    const account = values[0] as string;
    if (this.busy.has(account) || this.isApart(account)) return this.pool.query(statement, values);
    this.busy.add(account);
    try {
      const rows = await this.places.run('all', () => this.send<R>(account, statement, values));
      if (rows) return rows;
    } finally {
      this.busy.delete(account);
    }
    // Not in a place: this write may wait long for a lock.
    return this.pool.query(statement, values);
  }

  /** @returns `undefined` if the server did not run the write. */
  private async send<R>(account: string, statement: Statement, values: unknown[]): Promise<R[] | undefined> {
    const connection =
      this.connections.leastBusy() ?? (await this.connections.openAnother().catch(() => undefined));
    if (!connection || connection.load >= MAX_IN_FLIGHT) return this.pool.query<R>(statement, values);
    try {
      return await connection.query<R>(statement, values);
    } catch (error) {
      if (!isSafeToRepeat(error)) throw error;
      if (!isRetryable(error)) this.setApart(account);
      return undefined;
    }
  }

  private isApart(account: string): boolean {
    const until = this.apart.get(account);
    return until !== undefined && performance.now() < until;
  }

  private setApart(account: string): void {
    const now = performance.now();
    for (const [other, until] of this.apart) {
      if (until >= now) break;
      this.apart.delete(other);
    }
    this.apart.delete(account);
    this.apart.set(account, now + APART_MS);
  }
}
