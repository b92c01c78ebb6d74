const RFC_3339 =
  /^(\d{4})-(\d{2})-(\d{2})[Tt ](\d{2}):(\d{2}):(\d{2})(?:\.(\d{1,9}))?([Zz]|[+-](?:[01]\d|2[0-3]):[0-5]\d)?$/;
const EARLIEST_MS = Date.parse('0001-01-01T00:00:00.000Z');
const LATEST_MS = Date.parse('9999-12-31T23:59:59.999Z');

/**
 * The instant of an RFC 3339 date-time, or `undefined` if the text is not one.
 *
 * Without an offset, the time is UTC. Up to nine fraction digits are read and cut to milliseconds. A leap
 * second becomes the last millisecond before it. The years are 1 to 9999, because PostgreSQL and RFC 3339
 * agree on these.
 *
 * Source: RFC 3339 section 5.6.
 */
export function parseTimestamp(text: string): Date | undefined {
  const match = RFC_3339.exec(text);
  if (!match) return undefined;
  const [, year, month, day, hour, minute, second, fraction = '', zone = 'Z'] = match;
  const isLeapSecond = second === '60';
  const milliseconds = isLeapSecond ? '999' : fraction.slice(0, 3).padEnd(3, '0');
  const clock = `${hour}:${minute}:${isLeapSecond ? '59' : second}.${milliseconds}`;
  const utc = new Date(`${year}-${month}-${day}T${clock}Z`);
  // `Date` turns 31 February into a day of March. Such a date is refused.
  if (Number.isNaN(utc.getTime()) || utc.getUTCDate() !== Number(day) || hour === '24') return undefined;
  const instant = zone === 'Z' || zone === 'z' ? utc : new Date(utc.getTime() - offsetMs(zone));
  return instant.getTime() < EARLIEST_MS || instant.getTime() > LATEST_MS ? undefined : instant;
}

function offsetMs(zone: string): number {
  const minutes = Number(zone.slice(1, 3)) * 60 + Number(zone.slice(4, 6));
  return (zone.startsWith('-') ? -1 : 1) * minutes * 60_000;
}
