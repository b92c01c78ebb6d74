import type { Socket } from 'node:net';
import { ServiceError } from '@app/common';
import { Client, type ClientConfig } from 'pg';
import type { Statement } from '../statement';
import { errorOf } from './error-message';
import { Outbox } from './messages';
import { addRow, Chunk, type Piece, rowsOf } from './rows';
import { Layout } from './layout';

/** More than these on one connection mean that the database does not keep up. */
const MAX_WAITING = 1_000;
const DEFAULT_ANSWER_TIMEOUT_MS = 35_000;
/** A message begins with one byte of type and four of length, which counts itself. */
const HEAD_BYTES = 5;

/** What `pg` knows of a connection, beyond what its types say. */
interface Internals {
  connection: { stream: Socket };
  /** Milliseconds for an answer; the type is that of the setting's source. */
  connectionParameters: { query_timeout: number | string | false };
}

interface Read {
  statement: Statement;
  /** Whether the statement was prepared with this read; cleared when the server has done so. */
  preparing: boolean;
  pieces: Piece[];
  error?: Error;
  resolve: (rows: never[]) => void;
  reject: (error: Error) => void;
}

/** How each statement's columns are laid out: asked for once, not at each run. */
const layouts = new WeakMap<Statement, Layout>();

/**
 * One connection on which reads follow one another without waiting for each other's answers.
 *
 * `pg` connects and signs in; from then on the messages are written and read here. What is asked within one turn of the
 * event loop leaves in one piece, and an answer in plain ASCII becomes text in one step. Each read is a transaction of
 * its own, so that the failure of one is no other's.
 */
export class Lane {
  private readonly outbox = new Outbox();
  private readonly prepared = new WeakSet<Statement>();
  private readonly waiting: Read[] = [];
  private readonly watch: NodeJS.Timeout;
  private oldest: Read | undefined;
  private incomplete: Buffer | undefined;
  private isFlushing = false;
  private failure: Error | undefined;

  private constructor(
    private readonly client: Client,
    private readonly socket: Socket,
    answerTimeoutMs: number,
    private readonly onBroken: () => void,
  ) {
    client.on('error', (error) => this.fail(error));
    client.on('end', () => this.fail(new Error('Connection terminated')));
    socket.removeAllListeners('data');
    socket.on('data', (bytes: Buffer) => this.receive(bytes));
    this.watch = setInterval(() => this.giveUpOnSilence(), answerTimeoutMs / 2).unref();
  }

  /**
   * Rejects with the errors of `pg`'s `Client.connect`.
   *
   * @param onBroken called when the lane takes no more reads.
   */
  static async open(config: ClientConfig, onBroken: () => void): Promise<Lane> {
    const client = new Client(config);
    // `connect` says it as well; unheard, it would end the process.
    client.on('error', () => undefined);
    await client.connect();
    const { connection, connectionParameters } = client as unknown as Internals;
    const answerTimeoutMs = Number(connectionParameters.query_timeout) || DEFAULT_ANSWER_TIMEOUT_MS;
    return new Lane(client, connection.stream, answerTimeoutMs, onBroken);
  }

  /** Reads that were asked for and not answered yet. */
  get load(): number {
    return this.waiting.length;
  }

  /** Rejects with errors such as `pg`'s, and with ServiceError `overloaded`. */
  query<R>(statement: Statement, values: readonly unknown[]): Promise<R[]> {
    return new Promise<R[]>((resolve, reject) => {
      if (this.failure) throw this.failure;
      if (this.waiting.length >= MAX_WAITING) throw new ServiceError('overloaded', { retryAfterSeconds: 1 });
      const preparing = !this.prepared.has(statement);
      this.outbox.read(statement, values, { prepare: preparing, describe: !layouts.has(statement) });
      this.prepared.add(statement);
      this.waiting.push({ statement, preparing, pieces: [], resolve, reject });
      this.flushSoon();
    });
  }

  async close(): Promise<void> {
    await this.client.end();
  }

  private flushSoon(): void {
    if (this.isFlushing) return;
    this.isFlushing = true;
    setImmediate(() => {
      this.isFlushing = false;
      this.socket.write(this.outbox.take());
    });
  }

  private receive(received: Buffer): void {
    const bytes = this.incomplete ? Buffer.concat([this.incomplete, received]) : received;
    const chunk = new Chunk(bytes);
    let start = 0;
    while (bytes.length - start >= HEAD_BYTES) {
      const end = start + 1 + bytes.readInt32BE(start + 1);
      if (end > bytes.length) break;
      this.handle(bytes[start], chunk, start + HEAD_BYTES, end);
      start = end;
    }
    this.incomplete = start < bytes.length ? bytes.subarray(start) : undefined;
  }

  /** @param start of the message's body in the chunk. */
  private handle(type: number, chunk: Chunk, start: number, end: number): void {
    const read = this.waiting[0];
    switch (String.fromCharCode(type)) {
      case '1': // ParseComplete
        read.preparing = false;
        break;
      case 'T': // RowDescription
        layouts.set(read.statement, Layout.of(chunk.bytes.subarray(start, end)));
        break;
      case 'D': // DataRow
        addRow(read.pieces, chunk, start);
        break;
      case 'E': // ErrorResponse
        this.handleError(errorOf(chunk.bytes.subarray(start, end)));
        break;
      case 'Z': // ReadyForQuery
        this.waiting.shift();
        if (read.error) read.reject(read.error);
        else read.resolve(rowsOf(read.pieces, layouts.get(read.statement)) as never[]);
        break;
    }
  }

  private handleError(error: Error): void {
    const read = this.waiting.at(0);
    if (read === undefined) return this.fail(error); // said of the connection itself
    read.error = error;
    if (read.preparing) this.prepared.delete(read.statement);
  }

  /** A server that vanished without a word, or one read that holds up all others, is waited for no longer. */
  private giveUpOnSilence(): void {
    const oldest = this.waiting.at(0);
    if (oldest !== undefined && oldest === this.oldest) this.fail(new Error('Query read timeout'));
    this.oldest = oldest;
  }

  private fail(error: Error): void {
    if (this.failure) return;
    this.failure = error;
    clearInterval(this.watch);
    this.onBroken();
    this.socket.destroy();
    for (const read of this.waiting.splice(0)) read.reject(read.error ?? error);
  }
}
