import { isUtf8 } from 'node:buffer';
import { ServiceError } from '@app/common';
import { BodyText } from './body-text';
import { OpaqueJson } from './opaque-json';

export { fieldName } from './field-name';

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
  const { members, refusal } = new BodyText(text, opaqueFields);
  const body = parse(text);
  if (refusal) throw refusal;
  for (const { name, from, to } of members)
    if (opaqueFields.has(name)) (body as Record<string, unknown>)[name] = new OpaqueJson(trim(text, from, to));
  return body;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw malformed();
  }
}

/** A part of the text without the blanks around it. */
function trim(text: string, from: number, to: number): string {
  let first = from;
  let end = to;
  while (isBlank(text.charCodeAt(first))) first++;
  while (isBlank(text.charCodeAt(end - 1))) end--;
  return text.slice(first, end);
}

function isBlank(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;
}

function malformed(sentence?: string): ServiceError {
  return new ServiceError('malformed_json', { sentence });
}
