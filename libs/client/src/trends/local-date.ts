import { InvalidArgumentError } from '../errors';

const MS_PER_DAY = 86_400_000;
const formatters = new Map<string, Intl.DateTimeFormat>();

function formatterOf(timeZone: string): Intl.DateTimeFormat {
  let formatter = formatters.get(timeZone);
  if (!formatter) {
    try {
      formatter = new Intl.DateTimeFormat('en-US-u-ca-gregory-nu-latn', {
        timeZone,
        year: 'numeric',
        month: '2-digit',
        day: '2-digit',
      });
    } catch {
      throw new InvalidArgumentError(`"${timeZone}" is not an IANA time zone.`);
    }
    formatters.set(timeZone, formatter);
  }
  return formatter;
}

/**
 * The calendar date of an instant in a time zone, as `YYYY-MM-DD`.
 * @param timeZone IANA name; daylight saving time is respected.
 * @throws InvalidArgumentError for an unknown time zone.
 */
export function localDate(at: Date, timeZone: string): string {
  const parts: Partial<Record<Intl.DateTimeFormatPartTypes, string>> = {};
  for (const { type, value } of formatterOf(timeZone).formatToParts(at)) parts[type] = value;
  return `${parts.year!.padStart(4, '0')}-${parts.month}-${parts.day}`;
}

/** The number of a calendar date. Consecutive dates differ by one, also across clock changes. */
export function dayNumber(date: string): number {
  return Date.parse(`${date}T00:00:00Z`) / MS_PER_DAY;
}
