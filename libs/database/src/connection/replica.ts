import { setTimeout as sleep } from 'node:timers/promises';
import { ServiceError } from '@app/common';
import { REPLICA_READS } from '@app/common/observation';
import { isRetryable, translateDatabaseError } from './database-errors';
import type { DatabaseUrl } from './current-client';
import { LONG_READ_CONNECTIONS, READ_CONNECTIONS, replicaOptions } from './data-source-options';
import { PipelinedConnections } from './pipeline/pipelined-connections';
import type { Executor, Statement } from './statement';

/** Back-off: after a failure, reads use the primary for this time. */
const BACKOFF_MS = 5_000;
/** The settings of the primary can change at run time: an operator removes a failed replica from them. */
const ASK_AGAIN_MS = 1_000;
/**
 * How long the last known settings remain valid if the primary does not answer. Others may reach it and
 * commit there.
 */
const BELIEVE_MS = 5_000;

const COMMIT_SETTINGS: Statement = {
  name: 'replica settings',
  text: "SELECT current_setting('synchronous_commit') AS level, current_setting('synchronous_standby_names') AS names",
};

/** Seconds since the last change that the replica shows, or 0 if it shows all that it has received. */
const LAG: Statement = {
  name: 'replica lag',
  text:
    'SELECT CASE WHEN pg_last_wal_receive_lsn() = pg_last_wal_replay_lsn() THEN 0 ' +
    'ELSE coalesce(extract(epoch FROM clock_timestamp() - pg_last_xact_replay_timestamp()), 0) END::float8 AS seconds',
};

/** The state of the replica at one instant. */
export interface ReplicaState {
  /** Whether reads use the replica now. */
  isInUse: boolean;
  /** Absent if the replica does not answer within a second. */
  lagSeconds: number | undefined;
}

export interface ReplicaSettings {
  url: DatabaseUrl;
  /** Tells an operator why reads use the primary. */
  warn: (line: string) => void;
}

/**
 * Reads from a synchronous streaming replica, and from the primary if the replica cannot answer.
 *
 * A person must read their own writes, and replication lag must not keep a revoked token valid. For both, the
 * primary's connections commit with `synchronous_commit = remote_apply`. This setting has an effect only if
 * `synchronous_standby_names` is set. Otherwise the replica is not used.
 */
export class Replica {
  readonly reader: Executor;
  /** For many rows, on separate connections. */
  readonly longReader: Executor;
  private readonly pipelines: PipelinedConnections[] = [];
  private usable: Promise<boolean> = Promise.resolve(false);
  private wasUsable: boolean | undefined;
  private usableUntil = 0;
  private askAgainAt = 0;
  private backoffUntil = 0;

  constructor(
    private readonly primary: Executor,
    longPrimary: Executor,
    private readonly settings: ReplicaSettings,
  ) {
    this.reader = this.before(primary, READ_CONNECTIONS);
    this.longReader = this.before(longPrimary, LONG_READ_CONNECTIONS);
  }

  async close(): Promise<void> {
    for (const each of this.pipelines) await each.close();
  }

  async state(): Promise<ReplicaState> {
    const lag = this.pipelines[0].query<{ seconds: number }>(LAG, []).then(([{ seconds }]) => seconds);
    const giveUp = sleep(ASK_AGAIN_MS, undefined, { ref: false });
    const lagSeconds = await Promise.race([lag, giveUp]).catch(() => undefined);
    const isUsable = await this.isUsable();
    return { isInUse: isUsable && Date.now() >= this.backoffUntil, lagSeconds };
  }

  /**
   * If the replica finds nothing, the primary runs the statement again. The replica shows a commit before the
   * primary does. A token may therefore be revoked on the replica and still valid on the primary, and the
   * account's records would seem to be missing.
   */
  private before(primary: Executor, count: number): Executor {
    const connections = new PipelinedConnections(replicaOptions(this.settings.url), count);
    this.pipelines.push(connections);
    return {
      query: async <R>(statement: Statement, values: unknown[]) => {
        const isAsked = Date.now() >= this.backoffUntil && (await this.isUsable());
        const rows = isAsked ? await this.ask<R>(connections, statement, values) : [];
        REPLICA_READS.tell({ from: rows.length > 0 ? 'replica' : 'primary' });
        return rows.length > 0 ? rows : primary.query<R>(statement, values);
      },
    };
  }

  /** Returns no rows if the replica cannot answer. */
  private async ask<R>(
    connections: PipelinedConnections,
    statement: Statement,
    values: unknown[],
  ): Promise<R[]> {
    try {
      return await connections.query<R>(statement, values);
    } catch (error) {
      if (!isRetryable(error) && !(translateDatabaseError(error) instanceof ServiceError)) throw error;
      // A conflict, or a connection with too many waiting statements, does not mean that the replica is
      // unavailable.
      if (!isRetryable(error) && !(error instanceof ServiceError)) this.backOff();
      return [];
    }
  }

  private backOff(): void {
    const isKnown = Date.now() < this.backoffUntil;
    this.backoffUntil = Date.now() + BACKOFF_MS;
    if (!isKnown) this.settings.warn('The replica does not answer; reads go to the primary.');
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
