import type { Socket } from 'node:net';
import { ServiceError } from '@app/common';
import { Client, type ClientConfig, type DatabaseError } from 'pg';
import type { Statement } from '../statement';
import { Answer, type Preparation } from './answer';
import { errorOf } from './error-message';
import { Chunk } from './chunk';
import { Layout } from './layout';
import { Outbox } from './messages';

/** More than these on one connection mean that the database does not keep up. */
const MAX_WAITING = 1_000;
const DEFAULT_ANSWER_TIMEOUT_MS = 35_000;
/** How often, within the time for an answer, a lane looks whether one is overdue. */
const LOOKS = 4;
/** What a server that has vanished is given to end the connection. */
const GOODBYE_MS = 1_000;
/** A message begins with one byte of type and four of length, which counts itself. */
const HEAD_BYTES = 5;
/** SQLSTATE: there is no prepared statement of this name; its columns are others now, after a migration. */
const UNKNOWN_STATEMENT = '26000';
const PLAN_CHANGED = '0A000';

/** What `pg` knows of a connection, beyond what its types say. */
interface Internals {
  connection: { stream: Socket };
  /** Milliseconds for an answer; the type is that of the setting's source. */
  connectionParameters: { query_timeout: number | string | false };
}

/** A statement and what stands in its places, as `asTexts` has it. */
export interface Call {
  statement: Statement;
  texts: readonly (string | null)[];
}

/** An error that the server reported. */
export interface ReportedError extends DatabaseError {
  /** Which statement of the transaction failed; their number, where it was the commit. */
  culprit: number;
}

/** All that one Sync ends: a transaction, or that a statement is prepared. */
class Exchange {
  readonly askedAt = performance.now();
  /** Statements of the transaction that have run. */
  done = 0;
  error: Error | undefined = undefined;

  constructor(
    /** One for each statement of the transaction. */
    readonly answers: Answer[],
    readonly resolve: (answers: Answer[]) => void,
    readonly reject: (error: Error) => void,
    readonly preparation?: Preparation,
  ) {}
}

/**
 * One connection on which transactions follow one another without waiting for each other's answers.
 *
 * `pg` connects and signs in; from then on the messages are written and read here. What is asked within one turn of the
 * event loop leaves in one piece. The failure of one transaction is no other's.
 */
export class Lane {
  private readonly outbox = new Outbox();
  private readonly preparations = new WeakMap<Statement, Preparation>();
  private readonly waiting: Exchange[] = [];
  private readonly watch: NodeJS.Timeout;
  private incomplete: Buffer | undefined;
  private isFlushDue = false;
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
   * @param onBroken called when the lane takes no more.
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

  /** What was asked for and is not answered yet. */
  get load(): number {
    return this.waiting.length;
  }

  /**
   * Runs statements as one transaction: all of them or, where one fails, none.
   *
   * Rejects with errors such as `pg`'s, and with ServiceError `overloaded`.
   */
  transaction(calls: readonly Call[]): Promise<Answer[]> {
    return new Promise((resolve, reject) => {
      if (this.failure) throw this.failure;
      if (this.waiting.length >= MAX_WAITING) throw new ServiceError('overloaded', { retryAfterSeconds: 1 });
      // Before the first of them runs: what is prepared has an end of its own.
      const answers = calls.map(({ statement }) => new Answer(this.prepared(statement)));
      calls.forEach(({ statement, texts }, index) =>
        this.outbox.run(statement, texts, answers[index].formats),
      );
      this.ask(new Exchange(answers, resolve, reject));
    });
  }

  /** Sends what has been asked for now, and not at the end of the turn. */
  flush(): void {
    if (!this.isFlushDue) return;
    this.isFlushDue = false;
    this.socket.write(this.outbox.take());
  }

  /** What was asked before is answered still, if it can be. */
  async close(): Promise<void> {
    this.flush();
    const impatience = setTimeout(() => this.socket.destroy(), GOODBYE_MS);
    await this.client.end();
    clearTimeout(impatience);
  }

  /** Once, and apart from the transactions that count on it: the failure of one of these does not undo it. */
  private prepared(statement: Statement): Preparation {
    const earlier = this.preparations.get(statement);
    if (earlier && !earlier.refusal) return earlier;
    const preparation: Preparation = {};
    this.preparations.set(statement, preparation);
    this.outbox.prepare(statement);
    this.ask(new Exchange([], ignore, (error) => (preparation.refusal = error), preparation));
    return preparation;
  }

  private ask(exchange: Exchange): void {
    this.outbox.sync();
    this.waiting.push(exchange);
    if (this.isFlushDue) return;
    this.isFlushDue = true;
    setImmediate(() => this.flush());
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
    const exchange = this.waiting.at(0);
    const letter = String.fromCharCode(type);
    if (exchange === undefined) {
      // Said of the connection itself.
      if (letter === 'E') this.fail(errorOf(chunk.bytes.subarray(start, end)));
      return;
    }
    switch (letter) {
      case 'T': // RowDescription
        if (exchange.preparation) exchange.preparation.layout = Layout.of(chunk.bytes.subarray(start, end));
        break;
      case 'D': // DataRow
        exchange.answers[exchange.done].addRow(chunk, start);
        break;
      case 'C': // CommandComplete
        exchange.done++;
        break;
      case 'E': // ErrorResponse
        exchange.error = failureOf(exchange, errorOf(chunk.bytes.subarray(start, end)));
        break;
      case 'Z': // ReadyForQuery
        this.waiting.shift();
        if (exchange.error) exchange.reject(exchange.error);
        else exchange.resolve(exchange.answers);
        break;
    }
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
    for (const exchange of this.waiting.splice(0)) exchange.reject(exchange.error ?? error);
  }
}

function failureOf({ answers, done }: Exchange, error: DatabaseError): ReportedError {
  const reported = Object.assign(error, { culprit: done });
  const preparation = answers.at(done)?.preparation;
  if (preparation === undefined) return reported;
  // Why it was not prepared says more than that it is not.
  if (error.code === UNKNOWN_STATEMENT && preparation.refusal)
    return Object.assign(preparation.refusal as DatabaseError, { culprit: done });
  if (error.code === UNKNOWN_STATEMENT || error.code === PLAN_CHANGED) preparation.refusal = error;
  return reported;
}

const ignore = () => undefined;
