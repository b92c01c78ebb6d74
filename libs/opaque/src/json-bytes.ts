import { label, scalar } from './json-scalars';
import { OpaqueJson } from './opaque-json';

const INITIAL_BYTES = 64 * 1024;
/** The most bytes that one UTF-16 unit becomes in UTF-8. */
const MAX_BYTES_PER_UNIT = 3;

/**
 * Writes the JSON of a long list straight into bytes.
 *
 * A long text that is put together from pieces is laid flat only when it is sent, which costs as much again as all the
 * rest; written piece by piece into a buffer it is flat from the start.
 */
export class JsonBytes {
  private bytes = Buffer.allocUnsafe(INITIAL_BYTES);
  private length = 0;

  static of(list: readonly unknown[]): Buffer {
    const writer = new JsonBytes();
    writer.write(list);
    return writer.bytes.subarray(0, writer.length);
  }

  private write(value: unknown): void {
    if (value instanceof OpaqueJson) this.put(value.text);
    else if (Array.isArray(value)) this.writeArray(value);
    else if (typeof value === 'object' && value !== null && !(value instanceof Date)) this.writeObject(value);
    else this.put(scalar(value));
  }

  private writeArray(values: readonly unknown[]): void {
    this.put('[');
    for (let index = 0; index < values.length; index++) {
      if (index > 0) this.put(',');
      this.write(values[index]);
    }
    this.put(']');
  }

  private writeObject(members: object): void {
    let before = '{';
    for (const key in members) {
      const value = (members as Record<string, unknown>)[key];
      if (value === undefined) continue;
      this.put(before + label(key));
      this.write(value);
      before = ',';
    }
    this.put(before === '{' ? '{}' : '}');
  }

  private put(text: string): void {
    const needed = this.length + text.length * MAX_BYTES_PER_UNIT;
    if (needed > this.bytes.length) this.grow(needed);
    this.length += this.bytes.write(text, this.length);
  }

  private grow(needed: number): void {
    const larger = Buffer.allocUnsafe(Math.max(needed, this.bytes.length * 2));
    this.bytes.copy(larger, 0, 0, this.length);
    this.bytes = larger;
  }
}
