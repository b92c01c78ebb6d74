/** The JSON of a value that is neither an object nor an array. */
export function scalar(value: unknown): string {
  if (typeof value === 'string') return quote(value);
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : 'null';
  if (typeof value === 'boolean') return value ? 'true' : 'false';
  return value instanceof Date ? `"${value.toISOString()}"` : 'null';
}

/** Answers use a small, fixed set of field names. The limit protects the map from any other keys. */
const MAX_LABELS = 1_000;
const labels = new Map<string, string>();

/** Returns `"key":`. */
export function label(key: string): string {
  const known = labels.get(key);
  if (known !== undefined) return known;
  const made = `${JSON.stringify(key)}:`;
  if (labels.size < MAX_LABELS) labels.set(key, made);
  return made;
}

/** Most strings are ids, times and base64, which need no escape. */
// eslint-disable-next-line no-control-regex
const NEEDS_ESCAPE = /["\\\u0000-\u001f\ud800-\udfff]/;

function quote(value: string): string {
  return NEEDS_ESCAPE.test(value) ? JSON.stringify(value) : `"${value}"`;
}
