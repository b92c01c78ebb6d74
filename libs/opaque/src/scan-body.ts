import { isAscii, isUtf8 } from 'node:buffer';
import { invalidField, ServiceError } from '@app/common';
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
 * Beside `JSON.parse`, it reads the text once from its start to its end; `test/bench/scan-body.mjs` compares the two.
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
  return scanText(textOf(bytes), opaqueFields);
}

/** {@link scanBody} for a text: that of a body, or of a part of one. */
export function scanText(text: string, opaqueFields: readonly string[]): unknown {
  const scanned = new BodyText(text, opaqueFields);
  const body = parse(text);
  if (scanned.refusal) throw scanned.refusal;
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    checkValue(body, 'body', scanned.memberCount);
    return body;
  }
  const fields = body as Record<string, unknown>;
  for (const { name, isOpaque, from, to, innerCount } of scanned.members) {
    if (RESERVED_NAMES.has(name)) throw unfit(name, 'is not a field of this request');
    checkText(name, name);
    if (isOpaque) fields[name] = new OpaqueJson(text.slice(from, to).trim());
    else checkValue(fields[name], name, innerCount);
  }
  return body;
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
function checkValue(value: unknown, field: string, countInText: number): void {
  if (checkedMembers(value, field) < countInText) throw unfit(field, 'must not contain a name twice');
}

/** Checks all names and texts in a value. @returns the number of members of all its objects. */
function checkedMembers(value: unknown, field: string): number {
  if (typeof value === 'string') checkText(value, field);
  if (typeof value !== 'object' || value === null) return 0;
  let count = 0;
  if (Array.isArray(value)) {
    for (const item of value) count += checkedMembers(item, field);
    return count;
  }
  for (const [name, inner] of Object.entries(value)) {
    if (RESERVED_NAMES.has(name)) throw unfit(field, `must not contain the name ${name}`);
    checkText(name, field);
    count += 1 + checkedMembers(inner, field);
  }
  return count;
}

/** Refuses what PostgreSQL cannot store (NUL) and what has no UTF-8 form (a lone surrogate). */
function checkText(text: string, field: string): void {
  if (text.includes('\0')) throw unfit(field, 'must not contain the character U+0000');
  if (!text.isWellFormed()) throw unfit(field, 'must be well-formed Unicode');
}

function malformed(sentence?: string): ServiceError {
  return new ServiceError('malformed_json', { sentence });
}

function unfit(name: string, rule: string): ServiceError {
  const field = fieldName(name);
  return invalidField(field, `${field} ${rule}`);
}
