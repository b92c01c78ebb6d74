import { JsonBytes } from './json-bytes';
import { label, scalar } from './json-scalars';
import { OpaqueJson } from './opaque-json';

/** From this many items on a list is written as bytes; below, a text is the quicker way to the socket. */
const LONG_LIST = 32;

/**
 * The JSON of an answer; an {@link OpaqueJson} stands in it as its own text, all else as `JSON.stringify` has it.
 *
 * Answers are trees of plain values made by this service: no `toJSON`, no cycles. `undefined` members are left out.
 *
 * @returns text, or for a long list the same in UTF-8.
 */
export function writeJson(value: unknown): string | Buffer {
  return Array.isArray(value) && value.length >= LONG_LIST ? JsonBytes.of(value) : text(value);
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
