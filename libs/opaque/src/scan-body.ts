import { isUtf8 } from 'node:buffer';
import { ServiceError, validationError } from '@app/common';
import { MAX_DEPTH } from './limits';
import { OpaqueJson } from './opaque-json';

/**
 * Names with a meaning in JavaScript. No request class has such a field, and no library should receive one.
 */
const RESERVED_FIELDS = new Set(['__proto__', 'constructor', 'prototype']);

const MAX_NAME_LENGTH = 64;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;

/**
 * Reads a JSON request body. Opaque fields become {@link OpaqueJson} with their source text.
 *
 * @param bytes the whole body, at most `MAX_BODY_BYTES`.
 * @param opaqueFields the top-level fields whose source text is kept; see `opaqueFieldsOf`.
 * @returns any JSON value; an object has a normal prototype and no reserved names at its top level.
 * @throws ServiceError `malformed_json` for text that is not JSON, invalid UTF-8, nesting over `MAX_DEPTH`;
 *   `validation_failed` for a reserved name, and outside an opaque value for a duplicate key, a NUL or a lone
 *   surrogate.
 */
export function scanBody(bytes: Buffer, opaqueFields: ReadonlySet<string>): unknown {
  if (!isUtf8(bytes)) throw malformed('The request body is not valid UTF-8.');
  const text = bytes.toString('utf8');
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    throw malformed();
  }
  // From here on, the text is known to be JSON. A few characters are then enough to find the end of a value.
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    const from = start(text);
    check(body, 'body', text.slice(from, valueEnd(text, from)));
    return body;
  }
  const fields = body as Record<string, unknown>;
  const seen = new Set<string>();
  // All members are scanned first, which checks the depth of each. For a duplicate key, `fields` only has the
  // last value.
  for (const { key, from, to } of [...members(text)]) {
    if (seen.has(key))
      throw validationError([{ field: fieldName(key), message: `${fieldName(key)} is given twice` }]);
    seen.add(key);
    if (RESERVED_FIELDS.has(key)) {
      throw validationError([{ field: key, message: `${key} is not a field of this request` }]);
    }
    if (opaqueFields.has(key)) fields[key] = new OpaqueJson(text.slice(from, to));
    else check(fields[key], key, text.slice(from, to));
  }
  return fields;
}

/** A field name for an error message. A client's name may be anything, so it is cut. */
export function fieldName(key: string): string {
  const printable = key.slice(0, MAX_NAME_LENGTH).replace(/[^\x20-\x7e]/g, '?');
  return key.length > MAX_NAME_LENGTH ? `${printable}…` : printable;
}

function malformed(sentence?: string): ServiceError {
  return new ServiceError('malformed_json', { sentence });
}

function start(text: string): number {
  return skipBlank(text, 0);
}

/** The top-level members of an object's text, in order, with the position of each value. */
function* members(text: string): Generator<{ key: string; from: number; to: number }> {
  let at = skipBlank(text, start(text) + 1);
  while (text.charCodeAt(at) === QUOTE) {
    const keyEnd = stringEnd(text, at);
    const key = JSON.parse(text.slice(at, keyEnd)) as string;
    const from = skipBlank(text, skipBlank(text, keyEnd) + 1); // past the colon
    const to = valueEnd(text, from);
    yield { key, from, to };
    at = skipBlank(text, skipBlank(text, to) + 1); // past the comma, or past the end
  }
}

function skipBlank(text: string, at: number): number {
  let place = at;
  for (;;) {
    const code = text.charCodeAt(place);
    if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return place;
    place++;
  }
}

/**
 * The position after the string that begins at `at`. Ciphertexts are long and have no escapes, so it searches
 * for quotes.
 */
function stringEnd(text: string, at: number): number {
  let quote = at;
  for (;;) {
    quote = text.indexOf('"', quote + 1);
    let backslashes = 0;
    while (text.charCodeAt(quote - 1 - backslashes) === BACKSLASH) backslashes++;
    if (backslashes % 2 === 0) return quote + 1;
  }
}

/**
 * The position after the value that begins at `at`. Nesting that is too deep is refused; the body itself
 * counts as one level.
 */
function valueEnd(text: string, at: number): number {
  const first = text.charCodeAt(at);
  if (first === QUOTE) return stringEnd(text, at);
  if (first !== 0x7b && first !== 0x5b) {
    let end = at;
    while (/[-+.\w]/.test(text.charAt(end))) end++;
    return end;
  }
  let depth = 1;
  let place = at;
  do {
    switch (text.charCodeAt(place)) {
      case QUOTE:
        place = stringEnd(text, place);
        continue;
      case 0x7b: // {
      case 0x5b: // [
        if (++depth > MAX_DEPTH) throw malformed(`The request body nests deeper than ${MAX_DEPTH} levels.`);
        break;
      case 0x7d: // }
      case 0x5d: // ]
        depth--;
        break;
    }
    place++;
  } while (depth > 1);
  return place;
}

/**
 * Refuses parts of a value that would be lost or that cannot be stored; `text` is the source text of the
 * value.
 */
function check(value: unknown, field: string, text: string): void {
  checkStrings(value, field);
  if (typeof value === 'object' && membersOf(value) < membersNamedIn(text))
    throw unfit(field, 'must not contain a name twice');
}

/**
 * Refuses strings that PostgreSQL cannot store (NUL) or that have no UTF-8 form (lone surrogates), at any
 * depth.
 */
function checkStrings(value: unknown, field: string): void {
  if (typeof value === 'string') {
    if (value.includes('\0')) throw unfit(field, 'must not contain the character U+0000');
    if (!value.isWellFormed()) throw unfit(field, 'must be well-formed Unicode');
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, inner] of Object.entries(value)) {
      checkStrings(key, field);
      checkStrings(inner, field);
    }
  }
}

/** The number of members of all objects in a value, at any depth. */
function membersOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const inner = Object.values(value);
  return inner.reduce<number>((sum, each) => sum + membersOf(each), Array.isArray(value) ? 0 : inner.length);
}

/**
 * The number of members in the text of a value, counted by their colons. It is larger if a name occurs twice.
 */
function membersNamedIn(text: string): number {
  let count = 0;
  let at = 0;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (code === COLON) count++;
    at = code === QUOTE ? stringEnd(text, at) : at + 1;
  }
  return count;
}

function unfit(field: string, rule: string): ServiceError {
  return validationError([{ field: fieldName(field), message: `${fieldName(field)} ${rule}` }]);
}
