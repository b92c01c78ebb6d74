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
/** How often, within the time for an answer, a lane looks whether one is overdue. */
const LOOKS = 4;
/** What a server that has vanished is given to end the connection. */
const GOODBYE_MS = 1_000;
/** A message begins with one byte of type and four of length, which counts itself. */
const HEAD_BYTES = 5;

/** What `pg` knows of a connection, beyond what its types say. */
interface Internals {
  connection: { stream: Socket };
  /** Milliseconds for an answer; the type is that of the setting's source. */
  connectionParameters: { query_timeout: number | string | false };
}

/** That a statement is prepared on a connection: by one read, for all that follow it. */
interface Preparation {
  isDone: boolean;
  failure?: Error;
}

interface Read {
  statement: Statement;
  preparation: Preparation;
  askedAt: number;
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
 * event loop leaves in one piece. Each read is a transaction of its own, so that the failure of one is no other's.
 */
export class Lane {
  private readonly outbox = new Outbox();
  private readonly preparations = new WeakMap<Statement, Preparation>();
  private readonly waiting: Read[] = [];
  private readonly watch: NodeJS.Timeout;
  private incomplete: Buffer | undefined;
  private isFlushing = false;
  private failure: Error | undefined;

  private constructor(
    private readonly client: Client,
    private readonly socket: Socket,
    private readonly answerTimeoutMs: number,
    private readonly onBroken: () => void,
  ) {
    client.on('error', (error) => this.fail(error));
    client.on('end', () => this.fail(new Error('Connection terminated')));
    socket.removeAllListeners('data');
    socket.on('data', (bytes: Buffer) => this.receive(bytes));
    this.watch = setInterval(() => this.giveUpOnOverdue(), answerTimeoutMs / LOOKS).unref();
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
      const earlier = this.preparations.get(statement);
      const preparation = earlier ?? { isDone: false };
      this.outbox.read(statement, values, { prepare: !earlier, describe: !layouts.has(statement) });
      this.preparations.set(statement, preparation);
      this.waiting.push({
        statement,
        preparation,
        askedAt: performance.now(),
        pieces: [],
        resolve,
        reject,
      });
      this.flushSoon();
    });
  }

  /** What was asked before is answered still, if it can be. */
  async close(): Promise<void> {
    this.flush();
    const impatience = setTimeout(() => this.socket.destroy(), GOODBYE_MS);
    await this.client.end();
    clearTimeout(impatience);
  }

  private flushSoon(): void {
    if (this.isFlushing) return;
    this.isFlushing = true;
    setImmediate(() => this.flush());
  }

  private flush(): void {
    if (!this.isFlushing) return;
    this.isFlushing = false;
    this.socket.write(this.outbox.take());
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
    const read = this.waiting.at(0);
    const letter = String.fromCharCode(type);
    if (read === undefined) {
      // Said of the connection itself.
      if (letter === 'E') this.fail(errorOf(chunk.bytes.subarray(start, end)));
      return;
    }
    switch (letter) {
      case '1': // ParseComplete
        read.preparation.isDone = true;
        break;
      case 'T': // RowDescription
        layouts.set(read.statement, Layout.of(chunk.bytes.subarray(start, end)));
        break;
      case 'D': // DataRow
        addRow(read.pieces, chunk, start);
        break;
      case 'E': // ErrorResponse
        read.error = this.failureOf(read, errorOf(chunk.bytes.subarray(start, end)));
        break;
      case 'Z': // ReadyForQuery
        this.waiting.shift();
        settle(read);
        break;
    }
  }

  /** Reads that count on a preparation which failed fail for its reason: that theirs is not prepared says nothing. */
  private failureOf({ statement, preparation }: Read, error: Error): Error {
    if (preparation.isDone) return error;
    if (this.preparations.get(statement) === preparation) this.preparations.delete(statement);
    return (preparation.failure ??= error);
  }

  /** A server that vanished without a word is waited for no longer; nor is a queue that slow reads hold up. */
  private giveUpOnOverdue(): void {
    const oldest = this.waiting.at(0);
    if (oldest !== undefined && performance.now() - oldest.askedAt > this.answerTimeoutMs)
      this.fail(new Error('Query read timeout'));
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

/** What a row's value cannot be made of is this read's failure, not the end of all others. */
function settle({ statement, pieces, error, resolve, reject }: Read): void {
  if (error) return reject(error);
  try {
    resolve(rowsOf(pieces, layouts.get(statement)) as never[]);
  } catch (failure) {
    reject(failure as Error);
  }
}
