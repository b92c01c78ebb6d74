import type { ConnectionConfig } from '../current-client';
import type { Statement } from '../statement';
import { PipelinedConnection } from './pipelined-connection';

/** Back-off after the database refuses a further connection. */
const BACKOFF_MS = 1_000;

/** A few pipelined connections. They are opened on demand and replaced after a failure. */
export class PipelinedConnections {
  private connections: PipelinedConnection[] = [];
  private opening: Promise<PipelinedConnection> | undefined;
  private isClosed = false;
  private backoffUntil = 0;

  constructor(
    private readonly config: ConnectionConfig,
    readonly count: number,
  ) {}

  get open(): number {
    return this.connections.length;
  }

  /** Rejects with the errors of `PipelinedConnection.query` and `.open`. */
  async query<R>(statement: Statement, values: readonly unknown[]): Promise<R[]> {
    // With an open connection there is no await: the next caller must see that the connection is busy.
    const connection = this.leastBusy() ?? (await this.openAnother());
    return connection.query<R>(statement, values);
  }

  /** Returns `undefined` if no connection is open. */
  private leastBusy(): PipelinedConnection | undefined {
    let best: PipelinedConnection | undefined;
    for (const connection of this.connections)
      if (best === undefined || connection.load < best.load) best = connection;
    // The result does not wait for the additional connection, because the busy one may answer first.
    if (
      best !== undefined &&
      best.load > 0 &&
      this.connections.length < this.count &&
      Date.now() >= this.backoffUntil
    )
      this.openAnother().catch(() => (this.backoffUntil = Date.now() + BACKOFF_MS));
    return best;
  }

  /**
   * Opens one connection at a time, also for concurrent calls. Rejects with the errors of
   * `PipelinedConnection.open`.
   */
  openAnother(): Promise<PipelinedConnection> {
    return (this.opening ??= this.connect().finally(() => (this.opening = undefined)));
  }

  async close(): Promise<void> {
    this.isClosed = true;
    await this.opening?.catch(() => undefined);
    await Promise.all([...this.connections].map((connection) => connection.close()));
  }

  private async connect(): Promise<PipelinedConnection> {
    if (this.isClosed) throw new Error('Client was closed');
    const connection = await PipelinedConnection.open(this.config, () => {
      this.connections = this.connections.filter((other) => other !== connection);
    });
    this.connections.push(connection);
    return connection;
  }
}
