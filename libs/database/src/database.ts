import { setTimeout as sleep } from 'node:timers/promises';
import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { ServiceError } from '@app/common';
import type { Pool, PoolClient } from 'pg';
import { DataSource } from 'typeorm';
import { isConnectionLost, isRetryable, translateDatabaseError } from './database-errors';
import {
  type PostgresOptions,
  READ_LANES,
  readLaneOptions,
  WRITE_LANES,
  writeLaneOptions,
} from './data-source-options';
import { Lanes } from './lanes/lanes';
import { SharedCommits } from './lanes/shared-commits';
import { Replica, type ReplicaSettings } from './replica';
import { type Statement, VALUE_TYPES } from './statement';

/** The injection token of {@link DatabaseSettings}. */
export const DATABASE_SETTINGS = Symbol('database settings');

export interface DatabaseSettings {
  /** Whether statements are prepared by name; if not, a session may change under one, and reads use the pool as well. */
  prepared: boolean;
  /** A replica that answers reads, where there is one. */
  replica?: ReplicaSettings;
  /** What one account may store; a create beyond either is refused. */
  quotas: { records: number; bytes: number };
}

const MAX_ATTEMPTS = 4;

/** Runs statements: the pool, a transaction, pipelined lanes, shared commits and the replica each in their own way. */
export interface Executor {
  /**
   * @returns the rows, in the statement's order; columns as `VALUE_TYPES` has them.
   * @throws ServiceError `database_unavailable` or `overloaded`; `pg`'s own error for a broken constraint.
   */
  query<R>(statement: Statement, values: unknown[]): Promise<R[]>;
}

/** The service's way to PostgreSQL: prepared statements on the pool of TypeORM's data source, and on lanes beside it. */
@Injectable()
export class Database implements Executor, OnApplicationShutdown {
  /** For statements that only read and show committed state. */
  readonly reader: Executor;
  /** For short statements of one account, which is `$1`: each a transaction of its own to whoever asks. */
  readonly writer: Executor;
  private readonly lanes: Lanes | undefined;
  private readonly commits: SharedCommits | undefined;
  private readonly replica: Replica | undefined;

  constructor(
    readonly dataSource: DataSource,
    @Inject(DATABASE_SETTINGS) readonly settings: DatabaseSettings,
  ) {
    const options = dataSource.options as PostgresOptions;
    if (settings.prepared) {
      this.lanes = new Lanes(readLaneOptions(options), READ_LANES);
      const lanes = Array.from({ length: WRITE_LANES }, () => new Lanes(writeLaneOptions(options), 1));
      this.commits = new SharedCommits(lanes, this);
    }
    const primary = this.lanes ? this.over(this.lanes) : this;
    this.writer = this.commits ? this.over(this.commits) : this;
    this.replica = settings.replica && new Replica(primary, settings.replica);
    this.reader = this.replica ?? primary;
  }

  async onApplicationShutdown(): Promise<void> {
    await this.replica?.close();
    await this.commits?.close();
    await this.lanes?.close();
  }

  async query<R>(statement: Statement, values: unknown[]): Promise<R[]> {
    return retrying(async () => {
      const result = await this.pool.query<R & object>(this.configOf(statement, values));
      return result.rows;
    });
  }

  /**
   * Runs `work` in one transaction; where it lost against another (deadlock, serialization), runs it again from the start.
   *
   * `work` must do nothing but statements on the executor it is given.
   */
  async transaction<T>(work: (transaction: Executor) => Promise<T>): Promise<T> {
    return retrying(async () => {
      const client = await this.pool.connect();
      // Between two statements nobody else listens, and an unheard 'error' would end the process.
      client.on('error', ignore);
      let broken: Error | undefined;
      try {
        await client.query('BEGIN');
        const result = await work({ query: (statement, values) => this.on(client, statement, values) });
        await client.query('COMMIT');
        return result;
      } catch (error) {
        // A connection that broke, or can't even roll back, is not given to the next request.
        if (isConnectionLost(error)) broken = error as Error;
        else await client.query('ROLLBACK').catch((failure: Error) => (broken = failure));
        throw error;
      } finally {
        client.off('error', ignore);
        client.release(broken);
      }
    });
  }

  /** Connections that are open, and requests that wait for one. */
  connections(): { open: number; waiting: number } {
    if (!this.dataSource.isInitialized) return { open: 0, waiting: 0 };
    const { totalCount, waitingCount } = this.pool;
    return {
      open: totalCount + (this.lanes?.open ?? 0) + (this.commits?.open ?? 0),
      waiting: waitingCount + (this.commits?.load ?? 0),
    };
  }

  private over(lanes: Lanes | SharedCommits): Executor {
    return {
      query: <R>(statement: Statement, values: unknown[]) =>
        retrying(() => {
          this.assertConnected();
          return lanes.query<R>(statement, values);
        }),
    };
  }

  private async on<R>(client: PoolClient, statement: Statement, values: unknown[]): Promise<R[]> {
    return (await client.query<R & object>(this.configOf(statement, values))).rows;
  }

  private configOf({ name, text }: Statement, values: unknown[]) {
    return this.settings.prepared
      ? { name, text, values, types: VALUE_TYPES }
      : { text, values, types: VALUE_TYPES };
  }

  /** What TypeORM knows of the tables, which it does only once it has been connected. @throws ServiceError `database_unavailable`. */
  get metadata(): Pick<DataSource, 'getMetadata' | 'driver'> {
    this.assertConnected();
    return this.dataSource;
  }

  private assertConnected(): void {
    if (!this.dataSource.isInitialized)
      throw new ServiceError('database_unavailable', { retryAfterSeconds: 2 });
  }

  private get pool(): Pool {
    this.assertConnected();
    return (this.dataSource.driver as unknown as { master: Pool }).master;
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
