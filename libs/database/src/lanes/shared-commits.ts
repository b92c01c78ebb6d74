import { ServiceError } from '@app/common';
import type { Executor } from '../database';
import { isRolledBack } from '../database-errors';
import type { Statement } from '../statement';
import type { Answer } from './answer';
import type { Call, ReportedError } from './lane';
import type { Lanes } from './lanes';
import { asTexts } from './messages';

/** Of one commit. More would make the first of them wait for the last and save hardly anything. */
const MAX_TOGETHER = 16;
/** A write that has not had its turn by then goes alone, and one that goes alone is refused. */
const PATIENCE_MS = 5_000;
/** Writes of one account that go alone at the same time: while they wait for a lock, others need the pool. */
const MAX_ALONE = 2;
/** For so long an account whose write has spoilt a commit writes alone. */
const APART_MS = 10_000;
const LOOK_EVERY_MS = 1_000;

/** Writes of one account that go alone. */
interface Line {
  running: number;
  waiting: Write[];
}

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
 * Each is answered when the commit has happened. Where the transaction fails, for whatever one of them did, nothing of it
 * is stored, and each runs again, alone; the account that spoilt it goes alone for a while. What takes part must therefore
 * be a statement of one account, which is `$1`, that takes no time worth mentioning.
 *
 * No two transactions wait for each other: each has one statement of an account, and the accounts in the order of their
 * ids. A lane's `lock_timeout` is short: a row that another session holds delays a commit by that much, and puts its
 * account apart.
 */
export class SharedCommits implements Executor {
  /** In the order in which the accounts have come. */
  private readonly waiting = new Map<string, Write[]>();
  /** Accounts with a write in a commit: another one would wait for it with all its company. */
  private readonly busy = new Set<string>();
  /** Accounts that write alone, until when. */
  private readonly apart = new Map<string, number>();
  private readonly lines = new Map<string, Line>();
  private readonly watch = setInterval(() => this.look(), LOOK_EVERY_MS).unref();
  /** Those that carry no commit at the moment. */
  private readonly free: Lanes[];
  private isGathering = false;

  /**
   * @param lanes each of one connection, which carries one commit at a time.
   * @param alone where a write goes that cannot go with others.
   */
  constructor(
    private readonly lanes: readonly Lanes[],
    private readonly alone: Executor,
  ) {
    this.free = [...lanes];
  }

  /** Connections. */
  get open(): number {
    return this.lanes.reduce((sum, { open }) => sum + open, 0);
  }

  /** Writes that have not been sent. */
  get load(): number {
    let load = 0;
    for (const writes of this.waiting.values()) load += writes.length;
    for (const { waiting } of this.lines.values()) load += waiting.length;
    return load;
  }

  /** Rejects as `alone`, and with `pg`'s errors where the connection breaks: then nobody knows whether it happened. */
  query<R>(statement: Statement, values: unknown[]): Promise<R[]> {
    const account = values[0] as string;
    return new Promise<R[]>((resolve, reject) => {
      const texts = asTexts(values);
      const write = { account, statement, values, texts, askedAt: performance.now(), resolve, reject };
      if (this.apart.has(account)) return this.sendAlone([write]);
      const earlier = this.waiting.get(account);
      if (earlier) earlier.push(write);
      else this.waiting.set(account, [write]);
      this.gatherSoon();
    });
  }

  async close(): Promise<void> {
    clearInterval(this.watch);
    await Promise.all(this.lanes.map((each) => each.close()));
  }

  /** What comes in the same turn of the event loop goes together. */
  private gatherSoon(): void {
    if (this.isGathering || this.free.length === 0 || this.waiting.size === 0) return;
    this.isGathering = true;
    setImmediate(() => {
      this.isGathering = false;
      const writes = this.take();
      if (writes.length > 0) void this.send(writes, this.free.pop()!);
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
      // Who has more to write goes to the end: this loop comes by there again, and finds the account busy.
      this.waiting.delete(account);
      if (writes.length > 0) this.waiting.set(account, writes);
    }
    return taken;
  }

  private async send(writes: Write[], lanes: Lanes): Promise<void> {
    this.gatherSoon();
    await this.commit(
      writes.sort((one, other) => (one.account < other.account ? -1 : 1)),
      lanes,
    );
    for (const { account } of writes) this.busy.delete(account);
    this.free.push(lanes);
    this.gatherSoon();
  }

  private async commit(writes: Write[], lanes: Lanes): Promise<void> {
    const lane = await lanes.lane().catch(() => undefined);
    if (lane === undefined) return this.sendAlone(writes);
    try {
      const committed = lane.transaction(writes);
      lane.flush();
      const answers = await committed;
      writes.forEach((write, index) => settle(write, answers[index]));
    } catch (error) {
      if (!isRolledBack(error)) return writes.forEach(({ reject }) => reject(error));
      this.setApart(writes.at((error as ReportedError).culprit)?.account);
      this.sendAlone(writes);
    }
  }

  /** Security: nobody can spoil one commit of others after the other. @param account none, where it was the commit itself that failed. */
  private setApart(account: string | undefined): void {
    if (account === undefined) return;
    this.apart.set(account, performance.now() + APART_MS);
    this.sendAlone(this.waiting.get(account) ?? []);
    this.waiting.delete(account);
  }

  private look(): void {
    const now = performance.now();
    for (const [account, until] of this.apart) if (until < now) this.apart.delete(account);
    for (const [account, writes] of this.waiting) {
      const inTime = writes.filter(({ askedAt }) => now - askedAt < PATIENCE_MS);
      this.sendAlone(writes.slice(0, writes.length - inTime.length));
      if (inTime.length > 0) this.waiting.set(account, inTime);
      else this.waiting.delete(account);
    }
  }

  private sendAlone(writes: Write[]): void {
    for (const write of writes) {
      const line = this.lines.get(write.account) ?? { running: 0, waiting: [] };
      this.lines.set(write.account, line);
      line.waiting.push({ ...write, askedAt: performance.now() });
      this.advance(write.account, line);
    }
  }

  private advance(account: string, line: Line): void {
    while (line.running < MAX_ALONE && line.waiting.length > 0) {
      const { statement, values, askedAt, resolve, reject } = line.waiting.shift()!;
      if (performance.now() - askedAt > PATIENCE_MS) {
        reject(new ServiceError('overloaded', { retryAfterSeconds: 1 }));
        continue;
      }
      line.running++;
      void this.alone
        .query<never>(statement, values)
        .then(resolve, reject)
        .finally(() => {
          line.running--;
          this.advance(account, line);
        });
    }
    if (line.running === 0) this.lines.delete(account);
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
