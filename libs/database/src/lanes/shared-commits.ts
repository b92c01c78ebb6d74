import type { Executor } from '../database';
import { isRolledBack } from '../database-errors';
import type { Statement } from '../statement';
import type { Answer } from './answer';
import type { Call } from './lane';
import type { Lanes } from './lanes';

/** Of one commit. More would make the first of them wait for the last and save hardly anything. */
const MAX_TOGETHER = 16;
/** A write that has not had its turn by then goes alone. */
const PATIENCE_MS = 5_000;
const LOOK_EVERY_MS = 1_000;

interface Write extends Call {
  account: string;
  values: unknown[];
  askedAt: number;
  resolve: (rows: never[]) => void;
  reject: (error: unknown) => void;
}

/**
 * Writes of several accounts that happen to come at the same time share a transaction, and so a commit: most of what a
 * small write costs is its own wait for the disk and the changes between processes around it.
 *
 * Nobody notices: an answer goes out when the commit has happened. Where the transaction fails, for whatever one of them
 * did, nothing of it is stored, and each runs again, alone. What takes part must therefore be a statement of one account,
 * which is `$1`, that takes no time worth mentioning.
 *
 * No two transactions wait for each other: each has one statement of an account, and the accounts in the order of their
 * ids. A lane's `lock_timeout` is short, so that nobody waits long for what another account does.
 */
export class SharedCommits implements Executor {
  /** In the order in which the accounts have come. */
  private readonly waiting = new Map<string, Write[]>();
  /** Accounts with a write on its way: another one would wait for it with all its company. */
  private readonly busy = new Set<string>();
  private readonly watch = setInterval(() => this.sendOverdueAlone(), LOOK_EVERY_MS).unref();
  private freeLanes: number;
  private isGathering = false;

  /** @param alone where a write goes that cannot go with others. */
  constructor(
    private readonly lanes: Lanes,
    private readonly alone: Executor,
  ) {
    this.freeLanes = lanes.count;
  }

  /** Connections. */
  get open(): number {
    return this.lanes.open;
  }

  /** Writes that have not been sent. */
  get load(): number {
    let load = 0;
    for (const writes of this.waiting.values()) load += writes.length;
    return load;
  }

  /** Rejects as `alone`, and with `pg`'s errors where the connection breaks: then nobody knows whether it happened. */
  query<R>(statement: Statement, values: unknown[]): Promise<R[]> {
    return new Promise<R[]>((resolve, reject) => {
      const account = values[0] as string;
      const write = { account, statement, values, askedAt: performance.now(), resolve, reject };
      const earlier = this.waiting.get(account);
      if (earlier) earlier.push(write);
      else this.waiting.set(account, [write]);
      this.gatherSoon();
    });
  }

  async close(): Promise<void> {
    clearInterval(this.watch);
    await this.lanes.close();
  }

  /** What comes in the same turn of the event loop goes together. */
  private gatherSoon(): void {
    if (this.isGathering || this.freeLanes === 0 || this.waiting.size === 0) return;
    this.isGathering = true;
    setImmediate(() => {
      this.isGathering = false;
      void this.send(this.take());
    });
  }

  /** The first write of each account, those that have waited longest first. */
  private take(): Write[] {
    const taken: Write[] = [];
    for (const [account, writes] of this.waiting) {
      if (taken.length === MAX_TOGETHER) break;
      if (this.busy.has(account)) continue;
      this.busy.add(account);
      taken.push(writes.shift()!);
      this.waiting.delete(account);
      if (writes.length > 0) this.waiting.set(account, writes);
    }
    return taken;
  }

  private async send(writes: Write[]): Promise<void> {
    if (writes.length === 0) return;
    this.freeLanes--;
    this.gatherSoon();
    await this.commit(writes.sort((one, other) => (one.account < other.account ? -1 : 1)));
    for (const { account } of writes) this.busy.delete(account);
    this.freeLanes++;
    this.gatherSoon();
  }

  private async commit(writes: Write[]): Promise<void> {
    const lane = await this.lanes.lane().catch(() => undefined);
    if (lane === undefined) return this.sendAlone(writes);
    try {
      const committed = lane.transaction(writes);
      lane.flush();
      const answers = await committed;
      writes.forEach((write, index) => settle(write, answers[index]));
    } catch (error) {
      if (isRolledBack(error)) this.sendAlone(writes);
      else for (const { reject } of writes) reject(error);
    }
  }

  private sendOverdueAlone(): void {
    for (const [account, writes] of this.waiting) {
      const inTime = writes.filter(({ askedAt }) => performance.now() - askedAt < PATIENCE_MS);
      this.sendAlone(writes.slice(0, writes.length - inTime.length));
      if (inTime.length > 0) this.waiting.set(account, inTime);
      else this.waiting.delete(account);
    }
  }

  private sendAlone(writes: Write[]): void {
    for (const { statement, values, resolve, reject } of writes)
      this.alone.query<never>(statement, values).then(resolve, reject);
  }
}

/** What a row's value cannot be made of is this write's failure, not that of the others: it has happened. */
function settle({ resolve, reject }: Write, answer: Answer): void {
  try {
    resolve(answer.takeRows<never>());
  } catch (failure) {
    reject(failure);
  }
}
