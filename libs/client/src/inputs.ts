import { InvalidArgumentError } from './errors';
import { isJsonObject } from './json';

/** Names of members, so that the compiler finds a name that is missing in a list. */
export type NamesOf<T> = Record<keyof T & string, true>;

/**
 * Refuses misspelled members: a filter or an option that is silently ignored looks as if it had worked.
 * @throws InvalidArgumentError that names the member.
 */
export function requireKnownMembers(value: unknown, names: object, what: string): void {
  if (value === undefined) return;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new InvalidArgumentError(`${what} must be an object.`);
  }
  for (const name of Object.keys(value)) {
    if (!Object.hasOwn(names, name)) throw new InvalidArgumentError(`${what} has no member "${name}".`);
  }
}

const DATE = /^\d{4}-\d\d-\d\d$/;

/** Whether the text is a calendar date, `YYYY-MM-DD`, that exists. */
export function isCalendarDate(value: unknown): value is string {
  if (typeof value !== 'string' || !DATE.test(value)) return false;
  const at = new Date(`${value}T00:00:00Z`);
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(value);
}

/** RFC 3339 in UTC with milliseconds. @throws InvalidArgumentError */
export function toInstant(at: Date | string, what: string): string {
  const date = new Date(at);
  if (Number.isNaN(date.getTime())) throw new InvalidArgumentError(`${what} is not a valid time.`);
  return date.toISOString();
}

/** A time with an offset, RFC 3339; the seconds may be absent. */
export const OFFSET_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)$/;

/** Whether the text is a time with an offset, RFC 3339. */
export const isOffsetTime = (text: string) => OFFSET_TIME.test(text) && !Number.isNaN(Date.parse(text));

/**
 * A time with an offset, as text. A text stays as it is: its offset tells the clock of the place.
 * @throws InvalidArgumentError
 */
export function toOffsetTime(at: unknown, what: string): string {
  if (at instanceof Date) return toInstant(at, what);
  if (typeof at !== 'string' || !isOffsetTime(at)) {
    throw new InvalidArgumentError(`${what} must be a Date, or a time with an offset (RFC 3339).`);
  }
  return at;
}

/** The IANA name of the time zone of this device: the default everywhere. */
export function deviceTimeZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone;
}

/** An object with its member names in camelCase, at every depth. Values stay as they are. */
export function toCamelCase(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toCamelCase);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()),
      toCamelCase(member),
    ]),
  );
}
