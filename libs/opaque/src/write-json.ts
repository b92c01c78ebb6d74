import { label, scalar } from './json-scalars';
import { OpaqueJson } from './opaque-json';

/**
 * A list with at least this number of items is written as bytes. For shorter lists, text reaches the socket
 * faster.
 */
const LONG_LIST = 32;
/** The buffer is not kept for the next list if it is larger than this. */
const KEPT_BYTES = 2 * 1024 * 1024;
/** The maximum number of UTF-8 bytes for one UTF-16 unit. */
const MAX_BYTES_PER_UNIT = 3;

/** The buffer for long lists. The process writes one list at a time. */
let scratch = Buffer.allocUnsafeSlow(64 * 1024);

/**
 * The JSON of an answer. An {@link OpaqueJson} is written as its own text, other values as by
 * `JSON.stringify`.
 *
 * Answers are trees of plain values from this service: no `toJSON`, no cycles. `undefined` members are
 * omitted.
 *
 * @returns text, or UTF-8 bytes for a long list.
 */
export function writeJson(value: unknown): string | Buffer {
  return Array.isArray(value) && value.length >= LONG_LIST ? listBytes(value, '[', ']') : text(value);
}

/** The JSON of a list in pieces, one for each page. Written pieces are not kept in memory. */
export async function* writeJsonList(
  first: readonly unknown[],
  rest: AsyncIterable<readonly unknown[]>,
): AsyncGenerator<Buffer> {
  yield listBytes(first, '[', '');
  for await (const items of rest) if (items.length > 0) yield listBytes(items, ',', '');
  yield Buffer.from(']');
}

/**
 * The JSON of a long list, item by item. V8 would flatten a long concatenated string only when it is sent,
 * and this would double the cost.
 */
function listBytes(list: readonly unknown[], begin: '[' | ',', end: ']' | ''): Buffer {
  let length = 0;
  for (let index = 0; index < list.length; index++) {
    const item = (index === 0 ? begin : ',') + text(list[index]);
    const needed = length + item.length * MAX_BYTES_PER_UNIT + 1;
    if (needed > scratch.length) grow(needed, length);
    length += scratch.write(item, length);
  }
  length += scratch.write(end, length);
  if (scratch.length <= KEPT_BYTES) return Buffer.from(scratch.subarray(0, length));
  const bytes = scratch.subarray(0, length);
  scratch = Buffer.allocUnsafeSlow(KEPT_BYTES);
  return bytes;
}

function grow(needed: number, length: number): void {
  const larger = Buffer.allocUnsafeSlow(Math.max(needed, scratch.length * 2));
  scratch.copy(larger, 0, 0, length);
  scratch = larger;
}

function text(value: unknown): string {
  if (value instanceof OpaqueJson) return value.text;
  if (Array.isArray(value)) return `[${value.map(text).join(',')}]`;
  if (typeof value === 'object' && value !== null && !(value instanceof Date)) return objectText(value);
  return scalar(value);
}

function objectText(members: object): string {
  let written = '';
  for (const key in members) {
    const value = (members as Record<string, unknown>)[key];
    if (value !== undefined) written += (written === '' ? '{' : ',') + label(key) + text(value);
  }
  return written === '' ? '{}' : written + '}';
}
