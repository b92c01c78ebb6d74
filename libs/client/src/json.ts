/** A JSON value. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
/** A JSON object. */
export type JsonObject = { [key: string]: Json };

/**
 * Parses JSON and drops members named `__proto__` at every depth. A later copy by assignment would otherwise
 * set a prototype.
 * @throws SyntaxError
 */
export function parseJson(text: string): Json {
  if (!text.includes('__proto__') && !text.includes('\\u')) return JSON.parse(text) as Json;
  return JSON.parse(text, function (this: unknown, key: string, value: Json) {
    return key === '__proto__' ? undefined : value;
  }) as Json;
}

/** Whether the value is an object that is neither `null` nor an array. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** JSON with sorted members and without `undefined` members. Equal values give equal text. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, member: unknown) =>
    isJsonObject(member)
      ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)))
      : member,
  );
}

/** A copy without the members that are `undefined`. */
export function withoutUndefined<T extends object>(value: T): T {
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined)) as T;
}
