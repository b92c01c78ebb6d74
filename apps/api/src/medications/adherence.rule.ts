import { Temporal } from 'temporal-polyfill';
import { type AdherenceDates, PERIOD_DAYS } from '@app/common/adherence';

/** Maximum number of cached periods. It is larger than the number of time zones. */
const MAX_KEPT = 1000;
const kept = new Map<string, Period>();

/** The dates of a period, and the instants at which they begin. */
export interface Period extends AdherenceDates {
  /**
   * The first instant of each date and of the day after the last date. The list has one element more than
   * `dates`.
   */
  boundaries: Date[];
  /** The first boundary, as text. */
  from: string;
  /** The last boundary, as text. The period ends before it. */
  to: string;
}

/**
 * Returns the 30 local dates that end with the date of `now` in `timezone`. A date begins at its first
 * instant in that zone. This instant is not midnight if the clocks skip midnight. A date may last 23, 24 or
 * 25 hours.
 *
 * The result is cached until that date ends, because computing a period costs more than counting its doses.
 *
 * @param timezone an IANA name; see `isTimeZone` of libs/common.
 */
export function periodEndingAt(now: Date, timezone: string): Period {
  const known = kept.get(timezone);
  if (known && known.boundaries[PERIOD_DAYS - 1] <= now && now < known.boundaries[PERIOD_DAYS]) return known;
  const period = makePeriod(now, timezone);
  if (kept.size >= MAX_KEPT) kept.clear();
  kept.set(timezone, period);
  return period;
}

function makePeriod(now: Date, timezone: string): Period {
  const today = Temporal.Instant.fromEpochMilliseconds(now.getTime())
    .toZonedDateTimeISO(timezone)
    .toPlainDate();
  const days = Array.from({ length: PERIOD_DAYS + 1 }, (_, index) =>
    today.add({ days: index - PERIOD_DAYS + 1 }),
  );
  const dates = days.slice(0, PERIOD_DAYS);
  const boundaries = days.map((date) => new Date(date.toZonedDateTime(timezone).epochMilliseconds));
  return {
    timezone,
    dates: dates.map(String),
    weekdays: dates.map((date) => date.dayOfWeek % 7),
    boundaries,
    from: boundaries[0].toISOString(),
    to: boundaries[PERIOD_DAYS].toISOString(),
  };
}
