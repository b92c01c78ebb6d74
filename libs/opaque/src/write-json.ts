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
  if (Array.isArray(value)) return writeArray(value);
  if (value instanceof Date) return `"${value.toISOString()}"`;
  return writeObject(value as Record<string, unknown>);
}

function writeArray(values: unknown[]): string {
  let text = '[';
  for (let index = 0; index < values.length; index++)
    text += (index > 0 ? ',' : '') + writeJson(values[index]);
  return text + ']';
}

function writeObject(members: Record<string, unknown>): string {
  let text = '';
  for (const key in members) {
    const value = members[key];
    if (value !== undefined) text += (text === '' ? '{' : ',') + label(key) + writeJson(value);
  }
  return text === '' ? '{}' : text + '}';
}

/** The fields of answers are few and always the same; a map that a client's own keys could fill is bounded. */
const MAX_LABELS = 1_000;
const labels = new Map<string, string>();

function label(key: string): string {
  const known = labels.get(key);
  if (known !== undefined) return known;
  const made = `${JSON.stringify(key)}:`;
  if (labels.size < MAX_LABELS) labels.set(key, made);
  return made;
}

/** Most strings are ids, times and base64: nothing in them needs an escape. */
// eslint-disable-next-line no-control-regex
const NEEDS_ESCAPE = /["\\\u0000-\u001f\ud800-\udfff]/;

function quote(text: string): string {
  return NEEDS_ESCAPE.test(text) ? JSON.stringify(text) : `"${text}"`;
}
