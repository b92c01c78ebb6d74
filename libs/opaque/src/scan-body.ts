import { isUtf8 } from 'node:buffer';
import { ServiceError, validationError } from '@app/common';
import { MAX_DEPTH } from './limits';
import { OpaqueJson } from './opaque-json';

/** The body fields that hold an opaque value; wherever one stands at the top of a body, its source text is kept. */
const OPAQUE_FIELDS = new Set(['encrypted_data', 'name_data', 'default_profile_name_data']);

/** Names that mean something to JavaScript; as a field of a body they are unknown, and no library need ever see them. */
const RESERVED_FIELDS = new Set(['__proto__', 'constructor', 'prototype']);

const MAX_NAME_LENGTH = 64;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;

/**
 * Reads a JSON request body; opaque fields become {@link OpaqueJson} with their source text.
 *
 * @param bytes the whole body, at most `MAX_BODY_BYTES`.
 * @returns any JSON value; an object has a normal prototype and no reserved names at its top.
 * @throws ServiceError `malformed_json` for text that is no JSON, invalid UTF-8, nesting over `MAX_DEPTH`;
 *   `validation_failed` for a reserved name, and outside an opaque value for a key given twice, a NUL or a lone surrogate.
 */
export function scanBody(bytes: Buffer): unknown {
  if (!isUtf8(bytes)) throw malformed('The request body is not valid UTF-8.');
  const text = bytes.toString('utf8');
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    throw malformed();
  }
  // From here on the text is known to be JSON, so that a few characters decide where a value ends.
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    const from = start(text);
    check(body, 'body', text.slice(from, valueEnd(text, from)));
    return body;
  }
  const fields = body as Record<string, unknown>;
  const seen = new Set<string>();
  // All of them first: of a key given twice `fields` has the last value, so each one's depth must be known by now.
  for (const { key, from, to } of [...members(text)]) {
    if (seen.has(key))
      throw validationError([{ field: fieldName(key), message: `${fieldName(key)} is given twice` }]);
    seen.add(key);
    if (RESERVED_FIELDS.has(key)) {
      throw validationError([{ field: key, message: `${key} is not a field of this request` }]);
    }
    if (OPAQUE_FIELDS.has(key)) fields[key] = new OpaqueJson(text.slice(from, to));
    else check(fields[key], key, text.slice(from, to));
  }
  return fields;
}

/** A field name fit for an error message: what a client sent as a name is cut, since it may be anything. */
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

/** The top-level members of an object's text, in order, with the place of each value. */
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

/** The place after the string that begins at `at`. Ciphertexts are long and hold no escapes: jump from quote to quote. */
function stringEnd(text: string, at: number): number {
  let quote = at;
  for (;;) {
    quote = text.indexOf('"', quote + 1);
    let backslashes = 0;
    while (text.charCodeAt(quote - 1 - backslashes) === BACKSLASH) backslashes++;
    if (backslashes % 2 === 0) return quote + 1;
  }
}

/** The place after the value that begins at `at`; refuses what nests too deep, counting the body itself as one. */
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

/** Refuses what would be lost or could not be kept of a value that is read; `text` is its own. */
function check(value: unknown, field: string, text: string): void {
  checkStrings(value, field);
  if (typeof value === 'object' && membersOf(value) < membersNamedIn(text))
    throw unfit(field, 'must not contain a name twice');
}

/** Refuses strings that PostgreSQL cannot keep (NUL) or that have no UTF-8 form (lone surrogates), at any depth. */
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

/** How many members the objects in a value have, at any depth. */
function membersOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const inner = Object.values(value);
  return inner.reduce<number>((sum, each) => sum + membersOf(each), Array.isArray(value) ? 0 : inner.length);
}

/** The same of its text, where each member has a colon: more, if one is named twice. */
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
