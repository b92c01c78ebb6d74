import { OpaqueJson } from './opaque-json';

/**
 * The JSON of an answer. An {@link OpaqueJson} is written as its own text, other values as by
 * `JSON.stringify`.
 *
 * Answers are trees of plain values from this service: no `toJSON`, no cycles. `undefined` members are
 * omitted.
 */
export function writeJson(value: unknown): string {
  if (value instanceof OpaqueJson) return value.text;
  if (Array.isArray(value)) return `[${value.map(writeJson).join(',')}]`;
  if (typeof value === 'object' && value !== null && !(value instanceof Date)) return objectText(value);
  if (typeof value === 'string') return NEEDS_ESCAPE.test(value) ? JSON.stringify(value) : `"${value}"`;
  return JSON.stringify(value) ?? 'null';
}

/** The JSON of a list in pieces, one for each page. Written pieces are not kept in memory. */
export async function* writeJsonList(
  first: readonly unknown[],
  rest: AsyncIterable<readonly unknown[]>,
): AsyncGenerator<Buffer> {
  yield Buffer.from(`[${first.map(writeJson).join(',')}`);
  for await (const items of rest)
    if (items.length > 0) yield Buffer.from(`,${items.map(writeJson).join(',')}`);
  yield Buffer.from(']');
}

/** Most strings are ids, times and base64, which need no escape. */
// eslint-disable-next-line no-control-regex
const NEEDS_ESCAPE = /["\\\u0000-\u001f\ud800-\udfff]/;

/** The names of fields are those of the service, and need no escape as a rule. */
function objectText(members: object): string {
  let written = '';
  for (const key in members) {
    const value = (members as Record<string, unknown>)[key];
    if (value !== undefined) written += `${written === '' ? '' : ','}${writeJson(key)}:${writeJson(value)}`;
  }
  return `{${written}}`;
}
