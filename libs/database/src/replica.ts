import { setTimeout as sleep } from 'node:timers/promises';
import { ServiceError } from '@app/common';
import type { Executor } from './database';
import { isRetryable, translateDatabaseError } from './database-errors';
import { READ_LANES, replicaOptions } from './data-source-options';
import { Lanes } from './lanes/lanes';
import type { Statement } from './statement';

/** After a failure reads go to the primary for this long. */
const REST_MS = 5_000;
/** The primary's settings can change while the service runs: an operator frees it from a replica that has died. */
const ASK_AGAIN_MS = 1_000;
/** And what they were is believed for this long where the primary does not answer: others may reach it, and commit there. */
const BELIEVE_MS = 5_000;

const COMMIT_SETTINGS: Statement = {
  name: 'replica settings',
  text: "SELECT current_setting('synchronous_commit') AS level, current_setting('synchronous_standby_names') AS names",
};

export interface ReplicaSettings {
  url: string;
  /** For an operator: why reads go to the primary. */
  warn: (line: string) => void;
}

/**
 * Reads from a synchronous streaming replica, and from the primary where the replica cannot answer.
 *
 * A person must read their own writes, and a revoked token must not live on through lag. Both hold because the primary's
 * connections commit with `synchronous_commit = remote_apply`, which only means something while
 * `synchronous_standby_names` is set: without it the replica is left alone.
 */
export class Replica implements Executor {
  private readonly lanes: Lanes;
  private usable: Promise<boolean> = Promise.resolve(false);
  private wasUsable: boolean | undefined;
  private usableUntil = 0;
  private askAgainAt = 0;
  private restingUntil = 0;

  constructor(
    private readonly primary: Executor,
    private readonly settings: ReplicaSettings,
  ) {
    this.lanes = new Lanes(replicaOptions(settings.url), READ_LANES);
  }

  /**
   * Where the replica finds nothing, the primary says what that means: a commit that waits for its replica shows there first,
   * so that a token may be dead there and alive here, and its person's records would seem to be gone.
   */
  async query<R>(statement: Statement, values: unknown[]): Promise<R[]> {
    const isAsked = Date.now() >= this.restingUntil && (await this.isUsable());
    const rows = isAsked ? await this.ask<R>(statement, values) : [];
    return rows.length > 0 ? rows : this.primary.query<R>(statement, values);
  }

  /** Nothing where the replica cannot answer. */
  private async ask<R>(statement: Statement, values: unknown[]): Promise<R[]> {
    try {
      return await this.lanes.query<R>(statement, values);
    } catch (error) {
      if (!isRetryable(error) && !(translateDatabaseError(error) instanceof ServiceError)) throw error;
      // Neither a conflict nor a lane that is full says that the replica is away.
      if (!isRetryable(error) && !(error instanceof ServiceError)) this.rest();
      return [];
    }
  }

  async close(): Promise<void> {
    await this.lanes.close();
  }

  private rest(): void {
    const isResting = Date.now() < this.restingUntil;
    this.restingUntil = Date.now() + REST_MS;
    if (!isResting) this.settings.warn('The replica does not answer; reads go to the primary.');
  }

  private isUsable(): Promise<boolean> {
    if (Date.now() >= this.askAgainAt) {
      this.askAgainAt = Date.now() + ASK_AGAIN_MS;
      const giveUp = sleep(ASK_AGAIN_MS, undefined, { ref: false });
      this.usable = Promise.race([this.commitsAreApplied(), giveUp])
        .catch(() => undefined)
        .then((isApplied) => isApplied ?? Date.now() < this.usableUntil);
    }
    return this.usable;
  }

  private async commitsAreApplied(): Promise<boolean> {
    const askedAt = Date.now();
    const [setting] = await this.primary.query<{ level: string; names: string }>(COMMIT_SETTINGS, []);
    const isApplied = setting.level === 'remote_apply' && setting.names !== '';
    if (!isApplied && this.wasUsable !== false) {
      this.settings.warn(
        'The replica is not used: synchronous_standby_names of the primary does not name it.',
      );
    }
    this.wasUsable = isApplied;
    this.usableUntil = isApplied ? askedAt + BELIEVE_MS : 0;
    return isApplied;
  }
}
