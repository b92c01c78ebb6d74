import { setTimeout as sleep } from 'node:timers/promises';
import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { ServiceError, Turns } from '@app/common';
import { observedStatement } from '@app/common/observation';
import { Pool, type PoolClient } from 'pg';
import { DataSource } from 'typeorm';
import { isConnectionLost, isRetryable, translateDatabaseError } from './database-errors';
import {
  connectionOptions,
  HEAVY_READ_CONNECTIONS,
  heavyReadOptions,
  LONG_READ_CONNECTIONS,
  longReadOptions,
  pipelinedOptions,
  pipelinedWriteOptions,
  type PostgresOptions,
  READ_CONNECTIONS,
  WRITE_CONNECTIONS,
} from './data-source-options';
import { AccountTurns } from './account-turns';
import { Epochs } from './epoch';
import { PipelinedConnections } from './pipeline/pipelined-connections';
import { PipelinedWrites } from './pipeline/pipelined-writes';
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
  quotas: { records: number; bytes: number };
}

const MAX_ATTEMPTS = 4;
/**
 * Writes of one account on the pool at the same time. They may wait for a lock, and other accounts need the
 * other connections.
 */
const MAX_WRITES_OF_ACCOUNT = 2;

/**
 * The service's access to PostgreSQL: prepared statements on a pool and on separate pipelined connections.
 */
@Injectable()
export class Database implements Executor, OnApplicationShutdown {
  /** For statements that only read committed state and return a few rows. */
  readonly reader: Executor;
  /**
   * For reads that may return many rows. They have separate connections, so that no short read waits behind
   * them.
   */
  readonly longReader: Executor;
  /**
   * For reads of one account (`$1`) that may count very many rows. They have a connection of their own, the
   * accounts in turn, and a short time-out: `overloaded`.
   */
  readonly heavyReader: Executor;
  /** For single statements of one account (`$1`) that write one record. Each statement is a transaction. */
  readonly writer: Executor;
  /**
   * For writes that may take long, such as a delete that cascades. They use the pool, a few at a time for
   * each account.
   */
  readonly longWriter: Executor;
  /** What this process knows of the database's epoch. */
  readonly epochs = new Epochs(this);
  private readonly writes = new Turns({ atOnce: MAX_WRITES_OF_ACCOUNT });
  private readonly heavyReads = new AccountTurns();
  private readonly furtherPages = new AccountTurns(Infinity);
  private readonly pool: Pool;
  private readonly pipelines: PipelinedConnections[] = [];
  private readonly pipelinedWrites: PipelinedWrites | undefined;
  private readonly replica: Replica | undefined;

  constructor(
    readonly dataSource: DataSource,
    @Inject(DATABASE_SETTINGS) readonly settings: DatabaseSettings,
  ) {
    const options = dataSource.options as PostgresOptions;
    // TypeORM has no public access to its pool. That pool is only used for migrations and is empty
    // afterwards.
    this.pool = new Pool({ ...connectionOptions(options), max: options.poolSize });
    // For idle connections: without a listener, an 'error' event ends the process.
    this.pool.on('error', ignore);
    let [reader, longReader, heavyReader]: Executor[] = [this, this, this];
    this.longWriter = {
      query: (statement, values) => this.writes.run(values[0] as string, () => this.query(statement, values)),
    };
    this.writer = this.longWriter;
    if (settings.prepared) {
      const reads = new PipelinedConnections(pipelinedOptions(options), READ_CONNECTIONS);
      const longReads = new PipelinedConnections(longReadOptions(options), LONG_READ_CONNECTIONS);
      const heavyReads = new PipelinedConnections(heavyReadOptions(options), HEAVY_READ_CONNECTIONS);
      const writes = new PipelinedConnections(pipelinedWriteOptions(options), WRITE_CONNECTIONS);
      this.pipelines.push(reads, longReads, heavyReads, writes);
      [reader, longReader, heavyReader] = [reads, longReads, heavyReads].map((each) => this.over(each));
      this.pipelinedWrites = new PipelinedWrites(writes, this.longWriter);
      this.writer = this.over(this.pipelinedWrites);
    }
    this.heavyReader = {
      query: (statement, values) =>
        this.heavyReads.run(values[0] as string, () => heavyReader.query(statement, values)),
    };
    this.replica = settings.replica && new Replica(reader, longReader, settings.replica);
    this.reader = this.replica?.reader ?? reader;
    this.longReader = this.replica?.longReader ?? longReader;
  }

  /**
   * Runs `read`, which reads a page of a long list after the first: one at a time, the accounts in turn, so
   * that other requests are not delayed. It waits without a time limit. Rejects with the errors of `read`.
   */
  furtherPage<T>(accountId: string, read: () => Promise<T>): Promise<T> {
    return this.furtherPages.run(accountId, read);
  }

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

  /** Runs reads in one transaction. All of them see the state of the database at the same instant. */
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

  /** The number of open connections, of those that may be open, and of requests that wait for one. */
  connections(): { open: number; most: number; waiting: number } {
    const { totalCount, waitingCount } = this.pool;
    return {
      most: this.pipelines.reduce((sum, { count }) => sum + count, this.pool.options.max),
      open: this.pipelines.reduce((sum, { open }) => sum + open, totalCount),
      waiting:
        waitingCount + this.writes.waiting + this.heavyReads.waiting + (this.pipelinedWrites?.waiting ?? 0),
    };
  }

  /** The state of the replica, if there is one. */
  replicaState(): Promise<ReplicaState> | undefined {
    return this.replica?.state();
  }

  private over(executor: Pick<PipelinedConnections, 'query'>): Executor {
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
   */
  get metadata(): Pick<DataSource, 'getMetadata' | 'driver'> {
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
