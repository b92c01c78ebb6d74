import { label, scalar } from './json-scalars';
import { OpaqueJson } from './opaque-json';

/** From this many items on a list is written as bytes; below, a text is the quicker way to the socket. */
const LONG_LIST = 32;
/** What a longer list needed is not kept for the next one. */
const KEPT_BYTES = 2 * 1024 * 1024;
/** The most bytes that one UTF-16 unit becomes in UTF-8. */
const MAX_BYTES_PER_UNIT = 3;

/** Where long lists are put together: the process writes one at a time. */
let scratch = Buffer.allocUnsafeSlow(64 * 1024);

/**
 * The JSON of an answer; an {@link OpaqueJson} stands in it as its own text, all else as `JSON.stringify` has it.
 *
 * Answers are trees of plain values made by this service: no `toJSON`, no cycles. `undefined` members are left out.
 *
 * @returns text, or for a long list the same in UTF-8.
 */
export function writeJson(value: unknown): string | Buffer {
  return Array.isArray(value) && value.length >= LONG_LIST ? listBytes(value) : text(value);
}

/**
 * The JSON of a long list, item by item: a long text that is put together from pieces is laid flat only when it is sent,
 * which costs as much again as all the rest.
 */
function listBytes(list: readonly unknown[]): Buffer {
  let length = 0;
  for (let index = 0; index < list.length; index++) {
    const item = (index === 0 ? '[' : ',') + text(list[index]);
    const needed = length + item.length * MAX_BYTES_PER_UNIT + 1;
    if (needed > scratch.length) grow(needed, length);
    length += scratch.write(item, length);
  }
  scratch[length++] = ']'.charCodeAt(0);
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
