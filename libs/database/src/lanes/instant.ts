const MS_PER_DAY = 86_400_000;
const MICROSECONDS_PER_MS = 1000;
/** 2 ** 32 microseconds, which is what one of the upper word stands for, are these milliseconds and microseconds. */
const MS_OF_UPPER = 4_294_967;
const REST_OF_UPPER = 296;
/** PostgreSQL counts from the year 2000. */
const EPOCH_MS = Date.UTC(2000, 0);

const padded = (count: number, digits: number) =>
  Array.from({ length: count }, (_, number) => String(number).padStart(digits, '0'));
const MINUTES = padded(24, 2).flatMap((hour) => padded(60, 2).map((minute) => `T${hour}:${minute}:`));
const SECONDS = padded(60, 2);
const MILLISECONDS = padded(1000, 3).map((digits) => `.${digits}Z`);

/** To make a date's text costs as much as all the rest. More than these, ten years, are not kept. */
const MAX_DATES = 3653;
const dates = new Map<number, string>();

/**
 * A `timestamptz` in binary as RFC 3339 text, cut to milliseconds: `2026-11-20T12:45:00.500Z`.
 *
 * @throws RangeError for infinity.
 */
export function instantOf(bytes: Buffer, start: number): string {
  // Not added up first: after the year 2285 the microseconds are more than a number counts exactly.
  const upper = bytes.readInt32BE(start);
  const rest = Math.floor((upper * REST_OF_UPPER + bytes.readUInt32BE(start + 4)) / MICROSECONDS_PER_MS);
  const ms = upper * MS_OF_UPPER + rest + EPOCH_MS;
  const day = Math.floor(ms / MS_PER_DAY);
  const ofDay = ms - day * MS_PER_DAY;
  const second = Math.floor(ofDay / 1000);
  return dateOf(day) + MINUTES[Math.floor(second / 60)] + SECONDS[second % 60] + MILLISECONDS[ofDay % 1000];
}

/** @param day since 1970. */
function dateOf(day: number): string {
  let date = dates.get(day);
  if (date === undefined) {
    [date] = new Date(day * MS_PER_DAY).toISOString().split('T');
    if (dates.size === MAX_DATES) dates.clear();
    dates.set(day, date);
  }
  return date;
}
