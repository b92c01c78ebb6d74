import { isUtf8 } from 'node:buffer';
import { ServiceError, validationError } from '@app/common';
import { type BodyMember, BodyText } from './body-text';
import { fieldName } from './field-name';
import { OpaqueJson } from './opaque-json';

export { fieldName } from './field-name';

/**
 * Names with a meaning in JavaScript. No request class has such a field, and no library should receive one.
 */
const RESERVED_FIELDS = new Set(['__proto__', 'constructor', 'prototype']);

/**
 * Reads a JSON request body. Opaque fields become {@link OpaqueJson} with their source text.
 *
 * Beside `JSON.parse`, it reads the text once from its start to its end. A body takes at most twice the time
 * that `JSON.parse` takes; `test/bench/scan-body.mjs` measures it.
 *
 * @param bytes the whole body, at most `MAX_BODY_BYTES`.
 * @param opaqueFields the top-level fields whose source text is kept; see `opaqueFieldsOf`.
 * @returns any JSON value; an object has a normal prototype and no reserved names at its top level.
 * @throws ServiceError `malformed_json` for text that is not JSON, invalid UTF-8, nesting over `MAX_DEPTH`;
 *   `payload_too_large` for more than `MAX_MEMBERS` members; `validation_failed` for a reserved name; and
 *   outside an opaque value `validation_failed` for a duplicate key, a name over `MAX_NAME_LENGTH`, a NUL or a
 *   lone surrogate, `payload_too_large` for a string over `MAX_STRING_LENGTH`.
 */
export function scanBody(bytes: Buffer, opaqueFields: ReadonlySet<string>): unknown {
  if (!isUtf8(bytes)) throw malformed('The request body is not valid UTF-8.');
  const text = bytes.toString('utf8');
  const scanned = new BodyText(text, bytes, opaqueFields);
  const body = parse(text);
  if (scanned.refusal) throw scanned.refusal;
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    refuseDuplicates(body, 'body', scanned.memberCount);
    return body;
  }
  const fields = body as Record<string, unknown>;
  if (scanned.members.length > Object.keys(fields).length) throw givenTwice(scanned.members);
  for (const { name, isOpaque, from, to, innerCount } of scanned.members) {
    if (RESERVED_FIELDS.has(name)) throw unfit(name, 'is not a field of this request');
    // In JSON, nothing that `trim` removes can be at the end of a value, except blanks.
    if (isOpaque) fields[name] = new OpaqueJson(text.slice(from, to).trim());
    else refuseDuplicates(fields[name], name, innerCount);
  }
  return fields;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw malformed();
  }
}

/** `JSON.parse` keeps the last of several members with one name, so the value has fewer than the text. */
function refuseDuplicates(value: unknown, field: string, countInText: number): void {
  if (countInText > 0 && membersOf(value) < countInText) throw unfit(field, 'must not contain a name twice');
}

/** The number of members of all objects in a value. */
function membersOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  let count = 0;
  if (Array.isArray(value)) {
    for (const item of value) if (typeof item === 'object') count += membersOf(item);
    return count;
  }
  for (const key in value) {
    const inner = (value as Record<string, unknown>)[key];
    count += typeof inner === 'object' ? 1 + membersOf(inner) : 1;
  }
  return count;
}

function givenTwice(members: readonly BodyMember[]): ServiceError {
  const seen = new Set<string>();
  for (const { name } of members) {
    if (seen.has(name)) return unfit(name, 'is given twice');
    seen.add(name);
  }
  throw new Error('Two members of one name were counted, and there are none.');
}

function malformed(sentence?: string): ServiceError {
  return new ServiceError('malformed_json', { sentence });
}

function unfit(name: string, rule: string): ServiceError {
  const field = fieldName(name);
  return validationError([{ field, message: `${field} ${rule}` }]);
}
