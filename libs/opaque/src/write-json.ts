import { OpaqueJson } from './opaque-json';

/**
 * The JSON text of an answer; an {@link OpaqueJson} stands in it as its own text, all else as `JSON.stringify` has it.
 *
 * Answers are trees of plain values made by this service: no `toJSON`, no cycles. `undefined` members are left out.
 */
export function writeJson(value: unknown): string {
  if (typeof value === 'string') return quote(value);
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : 'null';
  if (typeof value === 'boolean') return value ? 'true' : 'false';
  if (value === null || value === undefined) return 'null';
  if (value instanceof OpaqueJson) return value.text;
  if (Array.isArray(value)) {
    let text = '[';
    for (let index = 0; index < value.length; index++) text += (index ? ',' : '') + writeJson(value[index]);
    return text + ']';
  }
  if (value instanceof Date) return `"${value.toISOString()}"`;
  let text = '';
  for (const key in value) {
    const member = (value as Record<string, unknown>)[key];
    if (member !== undefined) text += `${text ? ',' : '{'}${quote(key)}:${writeJson(member)}`;
  }
  return text ? text + '}' : '{}';
}

/** Most strings are ids, times and base64: nothing in them needs an escape. */
// eslint-disable-next-line no-control-regex
const NEEDS_ESCAPE = /["\\\u0000-\u001f\ud800-\udfff]/;

function quote(text: string): string {
  return NEEDS_ESCAPE.test(text) ? JSON.stringify(text) : `"${text}"`;
}
