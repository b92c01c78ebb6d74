import { Socket } from 'node:net';
import { refusedBy } from '@app/common';
import { observedStatement } from '@app/common/observation';
import { type Client, DatabaseError } from 'pg';
import { type ConnectionConfig, newClient } from '../current-client';
import { isConnectionLost, isStaleStatement, NotRunError } from '../database-errors';
import { type Statement, VALUE_TYPES } from '../statement';

/** Longest queue on one connection. With more, the database cannot keep up. */
const MAX_WAITING = 1_000;
const DEFAULT_ANSWER_TIMEOUT_MS = 35_000;
/** How often an overdue answer is looked for, within the time-out for an answer. */
const CHECKS = 4;
/** How long `close` waits for a server that does not answer. */
const CLOSE_TIMEOUT_MS = 1_000;

/**
 * One connection that sends statements without waiting for the answers to earlier ones: the pipelining of
 * `pg`.
 *
 * The socket is corked, so the statements of one turn of the event loop are sent in one system call. This
 * does not apply to TLS: Node's TLS socket writes past the corked one. Each statement is a separate
 * transaction, so its failure does not affect others.
 */
export class PipelinedConnection {
  /** The send time of each unanswered statement, oldest first. */
  private readonly waiting = new Set<{ sentAt: number }>();
  private readonly watch: NodeJS.Timeout;
  private isUncorkDue = false;
  private isUsable = true;
  /**
   * The server has reported the end of the session. Statements without an answer at that time did not run.
   */
  private isEndedByServer = false;
  private isOverdue = false;

  private constructor(
    private readonly client: Client,
    private readonly socket: Socket,
    private readonly answerTimeoutMs: number,
    private readonly onUnusable: () => void,
  ) {
    client.on('error', () => this.destroy());
    client.on('end', () => this.destroy());
    this.watch = setInterval(() => this.endOverdue(), answerTimeoutMs / CHECKS).unref();
  }

  /**
   * Rejects with the errors of `Client.connect`.
   *
   * @param config `query_timeout` limits the wait for an answer; one timer for each connection checks it, not
   *   one for each statement.
   * @param onUnusable called once, when the connection accepts no more statements.
   */
  static async open(
    { query_timeout: answerTimeoutMs = DEFAULT_ANSWER_TIMEOUT_MS, ...config }: ConnectionConfig,
    onUnusable: () => void,
  ): Promise<PipelinedConnection> {
    const socket = new Socket();
    const client = newClient({ ...config, pipeline: true, stream: () => socket });
    // `connect` rejects as well. Without a listener, an 'error' event ends the process.
    client.on('error', () => undefined);
    await client.connect();
    return new PipelinedConnection(client, socket, answerTimeoutMs, onUnusable);
  }

  /** The number of statements that were sent and have no answer yet. */
  get load(): number {
    return this.waiting.size;
  }

  /** Rejects with `pg`'s errors, with NotRunError, and with ServiceError `overloaded`. */
  query<R>(statement: Statement, values: readonly unknown[]): Promise<R[]> {
    return observedStatement(statement.name, () => this.send(statement, values));
  }

  private send<R>({ name, text }: Statement, values: readonly unknown[]): Promise<R[]> {
    return new Promise((resolve, reject) => {
      if (!this.isUsable) throw new NotRunError();
      if (this.waiting.size >= MAX_WAITING) throw refusedBy('database', 'overloaded');
      const sent = { sentAt: performance.now() };
      this.waiting.add(sent);
      this.cork();
      const query = { name, text, values: values as unknown[], types: VALUE_TYPES };
      this.client.query<R & object>(query, (error: Error | null, result) => {
        this.waiting.delete(sent);
        if (error) reject(this.failureOf(error));
        else resolve(result.rows);
      });
    });
  }

  /** Waits for the answers to all statements that were sent. */
  async close(): Promise<void> {
    this.retire();
    const timeout = setTimeout(() => this.socket.destroy(), CLOSE_TIMEOUT_MS);
    await this.client.end();
    clearTimeout(timeout);
  }

  private cork(): void {
    if (this.isUncorkDue) return;
    this.isUncorkDue = true;
    this.socket.cork();
    setImmediate(() => {
      this.isUncorkDue = false;
      this.socket.uncork();
    });
  }

  private failureOf(error: Error): Error {
    if (this.isOverdue) return new Error('Query read timeout', { cause: error });
    if (this.isEndedByServer) return new NotRunError(error);
    // Other statements on this connection may depend on the same name. A new connection prepares the
    // statement again.
    if (isStaleStatement(error)) void this.close();
    if (isConnectionLost(error)) {
      // An error from a pooler has no `routine`. It does not show what the server has run.
      this.isEndedByServer = error instanceof DatabaseError && error.routine !== undefined;
      this.retire();
    }
    return error;
  }

  /**
   * The time-outs of the server come first. This one is for a server that does not answer, and for a queue
   * behind slow statements.
   */
  private endOverdue(): void {
    const [oldest] = this.waiting;
    if (oldest === undefined || performance.now() - oldest.sentAt <= this.answerTimeoutMs) return;
    this.isOverdue = true;
    this.destroy();
  }

  private destroy(): void {
    this.retire();
    clearInterval(this.watch);
    this.socket.destroy();
  }

  private retire(): void {
    if (!this.isUsable) return;
    this.isUsable = false;
    this.onUnusable();
  }
}
