/**
 * What a lane sends, as bytes. Source: PostgreSQL manual, 54.7 "Message Formats".
 */
import { prepareValue } from 'pg/lib/utils';
import type { Statement } from '../statement';

const INITIAL_BYTES = 16 * 1024;
/** What a rare burst needed is not kept. */
const KEPT_BYTES = 256 * 1024;
const LENGTH_BYTES = 4;
const MAX_UTF8_BYTES_PER_UNIT = 3;
const NULL_LENGTH = -1;

/** All columns as text: how those of a statement are asked for that is not known yet. */
const ALL_TEXT = Buffer.alloc(2);
/** Execute the unnamed portal for all its rows. */
const EXECUTE = Buffer.from('E\0\0\0\x09\0\0\0\0\0', 'latin1');
/** Ends a transaction. */
const SYNC = Buffer.from('S\0\0\0\x04', 'latin1');

/** Messages of one turn of the event loop, to be sent in one piece. */
export class Outbox {
  private bytes = Buffer.allocUnsafeSlow(INITIAL_BYTES);
  private length = 0;
  /** Where the length of the message that is being written goes. */
  private start = 0;

  /** Prepares a statement under its name, anew where it is prepared already, and asks what its columns are. */
  prepare(statement: Statement): void {
    this.begin('C');
    this.byte('S'.charCodeAt(0)); // of statements, not portals
    this.text(statement.name);
    this.end();
    this.begin('P');
    this.text(statement.name);
    this.text(statement.text);
    this.int16(0); // the server works out the types of the parameters
    this.end();
    this.begin('D');
    this.byte('S'.charCodeAt(0));
    this.text(statement.name);
    this.end();
  }

  /** Runs a prepared statement. `formats`: of the columns, as `Layout` has them. */
  run(statement: Statement, texts: readonly (string | null)[], formats = ALL_TEXT): void {
    this.begin('B');
    this.byte(0); // the unnamed portal
    this.text(statement.name);
    this.int16(0); // all parameters are text
    this.int16(texts.length);
    for (const text of texts) this.value(text);
    this.bytesOf(formats);
    this.end();
    this.bytesOf(EXECUTE);
  }

  sync(): void {
    this.bytesOf(SYNC);
  }

  /** @returns what has gathered, which begins anew. */
  take(): Buffer {
    const taken = Buffer.from(this.bytes.subarray(0, this.length));
    this.length = 0;
    if (this.bytes.length > KEPT_BYTES) this.bytes = Buffer.allocUnsafeSlow(INITIAL_BYTES);
    return taken;
  }

  private begin(type: string): void {
    this.byte(type.charCodeAt(0));
    this.start = this.length;
    this.int32(0);
  }

  private end(): void {
    this.bytes.writeInt32BE(this.length - this.start, this.start);
  }

  private value(text: string | null): void {
    if (text === null) return this.int32(NULL_LENGTH);
    const start = this.length;
    this.int32(0);
    this.utf8(text);
    this.bytes.writeInt32BE(this.length - start - LENGTH_BYTES, start);
  }

  private text(text: string): void {
    this.utf8(text);
    this.byte(0);
  }

  private utf8(text: string): void {
    this.ensure(text.length * MAX_UTF8_BYTES_PER_UNIT);
    this.length += this.bytes.write(text, this.length);
  }

  private bytesOf(message: Buffer): void {
    this.ensure(message.length);
    this.length += message.copy(this.bytes, this.length);
  }

  private byte(value: number): void {
    this.ensure(1);
    this.bytes[this.length++] = value;
  }

  private int16(value: number): void {
    this.ensure(2);
    this.length = this.bytes.writeInt16BE(value, this.length);
  }

  private int32(value: number): void {
    this.ensure(4);
    this.length = this.bytes.writeInt32BE(value, this.length);
  }

  private ensure(count: number): void {
    if (this.length + count <= this.bytes.length) return;
    const larger = Buffer.allocUnsafeSlow(Math.max(this.length + count, this.bytes.length * 2));
    this.bytes.copy(larger, 0, 0, this.length);
    this.bytes = larger;
  }
}

/** PostgreSQL's texts of parameters: of each kind of value as `pg` has it. */
export function asTexts(values: readonly unknown[]): (string | null)[] {
  return values.map((value) => {
    const text = prepareValue(value);
    return Buffer.isBuffer(text) ? `\\x${text.toString('hex')}` : text;
  });
}
