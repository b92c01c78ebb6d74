import { isAscii, isUtf8 } from 'node:buffer';
import { ServiceError, validationError } from '@app/common';
import { BodyText } from './body-text';
import { fieldName } from './field-name';
import { OpaqueJson } from './opaque-json';

export { fieldName } from './field-name';

/** Names that every object of JavaScript has. Security: libraries drop them in silence, or mistake them. */
export const RESERVED_NAMES: ReadonlySet<string> = new Set([
  ...Object.getOwnPropertyNames(Object.prototype),
  'prototype',
]);

/**
 * Reads a JSON request body. Opaque fields become {@link OpaqueJson} with their source text.
 *
 * Beside `JSON.parse`, it reads the text once from its start to its end. For any body this adds less than twice
 * the time of `JSON.parse`, for most bodies less than that time; `test/bench/scan-body.mjs` compares the two.
 *
 * @param bytes the whole body, at most `MAX_BODY_BYTES`.
 * @param opaqueFields the top-level fields whose source text is kept; see `opaqueFieldsOf`.
 * @returns any JSON value; an object has a normal prototype.
 * @throws ServiceError `malformed_json` for text that is not JSON, invalid UTF-8, nesting over `MAX_DEPTH`;
 *   `payload_too_large` for more than `MAX_MEMBERS` members; and outside an opaque value `validation_failed` for
 *   a reserved name, a duplicate key, a name over `MAX_NAME_LENGTH`, a NUL or a lone surrogate,
 *   `payload_too_large` for more than `MAX_VALUES` values or a string over `MAX_STRING_LENGTH`.
 */
export function scanBody(bytes: Buffer, opaqueFields: readonly string[]): unknown {
  const text = textOf(bytes);
  const scanned = new BodyText(text, bytes, opaqueFields);
  const body = parse(text);
  const isObject = typeof body === 'object' && body !== null && !Array.isArray(body);
  if (isObject) refuseFields(body as Record<string, unknown>, scanned, text);
  else refuseNames(body, 'body', scanned.memberCount);
  if (scanned.refusal) throw scanned.refusal;
  const fields = body as Record<string, unknown>;
  for (const { name, isOpaque, source } of scanned.members) {
    // A number, a boolean or null has no source. Every rule for an opaque field refuses it.
    if (isOpaque)
      fields[name] = new OpaqueJson(source ? text.slice(...source) : JSON.stringify(fields[name]));
  }
  return body;
}

function refuseFields(fields: Record<string, unknown>, scanned: BodyText, text: string): void {
  const names = Object.keys(fields);
  for (const name of names) if (RESERVED_NAMES.has(name)) throw unfit(name, 'is not a field of this request');
  if (scanned.names.length > 2 * names.length) throw givenTwice(scanned.names, text);
  for (const { name, isOpaque, innerCount } of scanned.members)
    if (!isOpaque) refuseNames(fields[name], name, innerCount);
}

/** For ASCII both encodings give the same text. Node reads `latin1` several times as fast. */
function textOf(bytes: Buffer): string {
  if (isAscii(bytes)) return bytes.toString('latin1');
  if (!isUtf8(bytes)) throw malformed('The request body is not valid UTF-8.');
  return bytes.toString('utf8');
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw malformed();
  }
}

/** `JSON.parse` keeps the last of several members with one name, so the value has fewer than the text. */
function refuseNames(value: unknown, field: string, countInText: number): void {
  if (countInText > 0 && membersOf(value, field) < countInText)
    throw unfit(field, 'must not contain a name twice');
}

/** The number of members of all objects in a value, none of which has a reserved name. */
function membersOf(value: unknown, field: string): number {
  if (typeof value !== 'object' || value === null) return 0;
  let count = 0;
  if (Array.isArray(value)) {
    for (const item of value) if (typeof item === 'object') count += membersOf(item, field);
    return count;
  }
  for (const key in value) {
    if (RESERVED_NAMES.has(key)) throw unfit(field, `must not contain the name ${key}`);
    const inner = (value as Record<string, unknown>)[key];
    count += typeof inner === 'object' ? 1 + membersOf(inner, field) : 1;
  }
  return count;
}

/** @param names the positions of names, at least two of which are the same. */
function givenTwice(names: readonly number[], text: string): ServiceError {
  const seen = new Set<string>();
  for (let index = 0; ; index += 2) {
    const source = text.slice(names[index], names[index + 1]);
    const name = source.includes('\\') ? (JSON.parse(source) as string) : source.slice(1, -1);
    if (seen.has(name)) return unfit(name, 'is given twice');
    seen.add(name);
  }
}

function malformed(sentence?: string): ServiceError {
  return new ServiceError('malformed_json', { sentence });
}

function unfit(name: string, rule: string): ServiceError {
  const field = fieldName(name);
  return validationError([{ field, message: `${field} ${rule}` }]);
}
