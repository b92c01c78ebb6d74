import { setTimeout as sleep } from 'node:timers/promises';
import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { Queue, ServiceError } from '@app/common';
import { observedStatement } from '@app/common/observation';
import { Pool, type PoolClient } from 'pg';
import { DataSource } from 'typeorm';
import { isConnectionLost, isRetryable, translateDatabaseError } from './database-errors';
import {
  connectionOptions,
  LONG_READ_CONNECTIONS,
  longReadOptions,
  pipelinedOptions,
  type PostgresOptions,
  READ_CONNECTIONS,
  STRANGER_CONNECTIONS,
} from './data-source-options';
import { Epochs } from '../operations/epoch';
import { PipelinedConnections } from './pipeline/pipelined-connections';
import type { Quotas } from '../records/quotas';
import { Replica, type ReplicaSettings, type ReplicaState } from './replica';
import { type Executor, type Statement, VALUE_TYPES } from './statement';

/** The injection token of {@link DatabaseSettings}. */
export const DATABASE_SETTINGS = Symbol('database settings');

export interface DatabaseSettings {
  /**
   * Whether statements are prepared by name. If not, the session may change between statements, and reads use
   * the pool as well.
   */
  prepared: boolean;
  /** A replica that answers reads, if there is one. */
  replica?: ReplicaSettings;
  /** The limits of what one account may store. A create that exceeds one of them is refused. */
  quotas: Quotas;
}

/** What TypeORM knows of the tables, once it is connected. */
export type TableMetadata = Pick<DataSource, 'getMetadata' | 'driver'>;

const MAX_ATTEMPTS = 4;
/** After a long read, in times of the read: where others wait, and where nobody does. */
const PAUSES = { busy: 12, quiet: 3 };
/** Between two long reads of an account. */
const MAX_PAUSE_MS = 300;

/**
 * The service's access to PostgreSQL, in four ways, each with connections of its own; docs/scaling.md has the same table:
 *
 * - `shortReads`: pipelined connections for statements that only read committed state and return a few rows;
 * - `longRead`: pipelined connections for reads of many rows or bytes, one at a time for each account;
 * - `strangers`: pipelined connections for single statements of requests without a token, so that a flood of them
 *   takes no connection from owners;
 * - the pool: `query` for any other single statement, `transaction` and `snapshot` for several.
 *
 * Statements are prepared by name, unless the settings say otherwise. Then all of them use the pool.
 */
@Injectable()
export class Database implements Executor, OnApplicationShutdown {
  readonly shortReads: Executor;
  /**
   * Reads, and writes that lock nothing but counters: a statement delays all behind it on the connection.
   * @internal
   */
  readonly strangers: Executor;
  /** What this process knows of the database's epoch. @internal */
  readonly epochs = new Epochs(this);
  private readonly longReads: Executor;
  private readonly longReadQueue = new Queue('long-reads');
  private readonly pool: Pool;
  private readonly pipelines: PipelinedConnections[] = [];
  private readonly replica: Replica | undefined;

  /** @internal Nest injects it. */
  constructor(
    /** @internal */ readonly dataSource: DataSource,
    /** @internal */ @Inject(DATABASE_SETTINGS) readonly settings: DatabaseSettings,
  ) {
    const options = dataSource.options as PostgresOptions;
    // TypeORM has no public access to its pool. That pool is only used for migrations and is empty
    // afterwards.
    this.pool = new Pool({ ...connectionOptions(options), max: options.poolSize });
    // For idle connections: without a listener, an 'error' event ends the process.
    this.pool.on('error', ignore);
    let [shortReads, longReads, strangers]: Executor[] = [this, this, this];
    if (settings.prepared) {
      this.pipelines = [
        new PipelinedConnections(pipelinedOptions(options), READ_CONNECTIONS),
        new PipelinedConnections(longReadOptions(options), LONG_READ_CONNECTIONS),
        new PipelinedConnections(pipelinedOptions(options), STRANGER_CONNECTIONS),
      ];
      [shortReads, longReads, strangers] = this.pipelines.map((each) => this.over(each));
    }
    this.replica = settings.replica && new Replica(shortReads, longReads, settings.replica);
    this.strangers = strangers;
    this.shortReads = this.replica?.reader ?? shortReads;
    this.longReads = this.replica?.longReader ?? longReads;
  }

  /**
   * Runs `read` when it is the turn of the account: one read of an account and a few of all accounts at a time,
   * so that other requests are not delayed. Its turn lasts four times as long as the read, or thirteen times where others wait: a slot
   * then uses a part of a processor and of a connection. The result does not wait for that.
   *
   * @param timeoutMs the longest wait; `Infinity` for the rest of an answer that has begun.
   * @throws ServiceError `overloaded` if the wait is too long; the errors of `read`.
   */
  async longRead<T>(
    accountId: string,
    read: (reads: Executor) => Promise<T>,
    timeoutMs?: number,
  ): Promise<T> {
    await this.longReadQueue.take(accountId, 1, timeoutMs);
    const begin = performance.now();
    try {
      return await read(this.longReads);
    } finally {
      const pauses = this.longReadQueue.waiting > 0 ? PAUSES.busy : PAUSES.quiet;
      const pauseMs = Math.min(pauses * (performance.now() - begin), MAX_PAUSE_MS);
      setTimeout(() => this.longReadQueue.leave(accountId), pauseMs).unref();
    }
  }

  /** Closes the connections; Nest calls it. */
  async onApplicationShutdown(): Promise<void> {
    await this.replica?.close();
    for (const each of this.pipelines) await each.close();
    await this.pool.end();
  }

  async query<R>(statement: Statement, values: unknown[]): Promise<R[]> {
    return retrying(async () => {
      this.assertConnected();
      return this.on(this.pool, statement, values);
    });
  }

  /**
   * Runs `work` in one transaction. After a conflict with another transaction (deadlock, serialization), it
   * runs `work` again from the start.
   *
   * `work` must have no effects other than statements on the given executor.
   */
  async transaction<T>(work: (transaction: Executor) => Promise<T>): Promise<T> {
    return this.transact('BEGIN', work);
  }

  /** Runs reads in one transaction. All of them see the state of the database at the same instant. @internal */
  async snapshot<T>(read: (snapshot: Executor) => Promise<T>): Promise<T> {
    return this.transact('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY', read);
  }

  private async transact<T>(begin: string, work: (transaction: Executor) => Promise<T>): Promise<T> {
    return retrying(async () => {
      this.assertConnected();
      const client = await this.pool.connect();
      // Between two statements there is no other listener, and an 'error' event without a listener ends the
      // process.
      client.on('error', ignore);
      let broken: Error | undefined;
      try {
        await client.query(begin);
        const result = await work({ query: (statement, values) => this.on(client, statement, values) });
        await client.query('COMMIT');
        return result;
      } catch (error) {
        // A broken connection, or one that cannot roll back, must not return to the pool.
        if (isConnectionLost(error)) broken = error as Error;
        else await client.query('ROLLBACK').catch((failure: Error) => (broken = failure));
        throw error;
      } finally {
        client.off('error', ignore);
        client.release(broken);
      }
    });
  }

  /** The number of open connections, of those that may be open, and of requests that wait for one. @internal */
  connections(): { open: number; most: number; waiting: number } {
    const { totalCount, waitingCount } = this.pool;
    return {
      most: this.pipelines.reduce((sum, { count }) => sum + count, this.pool.options.max),
      open: this.pipelines.reduce((sum, { open }) => sum + open, totalCount),
      waiting: waitingCount,
    };
  }

  /** The state of the replica, if there is one. @internal */
  replicaState(): Promise<ReplicaState> | undefined {
    return this.replica?.state();
  }

  private over(executor: PipelinedConnections): Executor {
    return {
      query: <R>(statement: Statement, values: unknown[]) =>
        retrying(() => {
          this.assertConnected();
          return executor.query<R>(statement, values);
        }),
    };
  }

  private on<R>(client: Pool | PoolClient, statement: Statement, values: unknown[]): Promise<R[]> {
    return observedStatement(statement.name, async () => {
      const result = await client.query<R & object>(this.configOf(statement, values));
      return result.rows;
    });
  }

  private configOf({ name, text }: Statement, values: unknown[]) {
    return this.settings.prepared
      ? { name, text, values, types: VALUE_TYPES }
      : { text, values, types: VALUE_TYPES };
  }

  /**
   * TypeORM's metadata of the tables. It exists only after the first connection. @throws ServiceError
   * `database_unavailable`.
   * @internal
   */
  get metadata(): TableMetadata {
    this.assertConnected();
    return this.dataSource;
  }

  private assertConnected(): void {
    if (!this.dataSource.isInitialized)
      throw new ServiceError('database_unavailable', { retryAfterSeconds: 2 });
  }
}

const ignore = () => undefined;

async function retrying<T>(attempt: () => Promise<T>): Promise<T> {
  for (let count = 1; ; count++) {
    try {
      return await attempt();
    } catch (error) {
      if (count === MAX_ATTEMPTS || !isRetryable(error)) throw translateDatabaseError(error);
      await sleep(Math.random() * 10 * 2 ** count);
    }
  }
}
