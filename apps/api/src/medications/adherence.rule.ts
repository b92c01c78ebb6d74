import { Temporal } from 'temporal-polyfill';
import type { DoseSchedule } from './dose-schedule.rule';

export const PERIOD_DAYS = 30;

/** Maximum number of cached periods. It is larger than the number of time zones. */
const MAX_KEPT = 1000;
const kept = new Map<string, Period>();

/** The calendar dates of a period in one time zone, oldest first. The last date is today. */
export interface Period {
  timezone: string;
  /** `2026-11-20`. */
  dates: string[];
  /** The weekday of each date, numbered as in cron. */
  weekdays: number[];
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

export interface DoseCount {
  taken: number;
  skipped: number;
}

export interface AdherenceFacts {
  period: Period;
  schedule: DoseSchedule | undefined;
  /** Logged doses of the whole period. */
  logged: DoseCount;
  /** Index of the first date that counts since the start. 0 is the first date of the period. */
  startDay: number;
  /** Logged doses from that date on. */
  loggedSinceStart: DoseCount;
}

export interface Adherence {
  taken_doses: number;
  skipped_doses: number;
  total_logged: number;
  scheduled_doses: number | null;
  missed_doses: number | null;
  extra_doses: number | null;
  adherence_rate: number | null;
  since_start: {
    start: string;
    scheduled_doses: number | null;
    taken_doses: number;
    adherence_rate: number | null;
  };
}

/**
 * Returns the 30 local dates that end with the date of `now` in `timezone`. A date begins at its first
 * instant in that zone. This instant is not midnight if the clocks skip midnight. A date may last 23, 24 or
 * 25 hours.
 *
 * The result is cached until that date ends, because computing a period costs more than counting its doses.
 *
 * @param timezone an IANA name; see `isTimeZone`.
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

/**
 * Whether the name is an IANA time zone that this service knows. Offsets such as `+01:00` are not accepted.
 */
export function isTimeZone(name: unknown): name is string {
  if (kept.has(name as string)) return true;
  if (typeof name !== 'string' || name.length > 64 || !/^[A-Za-z]/.test(name)) return false;
  try {
    // Intl is not used, because it also accepts ICU abbreviations such as PST, or CST, which stands for three
    // zones.
    Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(name);
    return true;
  } catch {
    return false;
  }
}

/**
 * Computes adherence over the whole period, and since the start of the medication. Source: specification,
 * "Adherence statistics".
 */
export function adherenceOf(facts: AdherenceFacts): Adherence {
  const { period, schedule, logged, startDay, loggedSinceStart } = facts;
  const { taken, skipped } = logged;
  const scheduled = schedule ? scheduledFrom(0, period, schedule) : null;
  const scheduledSinceStart = schedule ? scheduledFrom(startDay, period, schedule) : null;
  return {
    taken_doses: taken,
    skipped_doses: skipped,
    total_logged: taken + skipped,
    scheduled_doses: scheduled,
    missed_doses: scheduled === null ? null : Math.max(0, scheduled - taken - skipped),
    extra_doses: scheduled === null ? null : Math.max(0, taken - scheduled),
    adherence_rate: rateOf(logged, scheduled),
    since_start: {
      start: period.dates[startDay],
      scheduled_doses: scheduledSinceStart,
      taken_doses: loggedSinceStart.taken,
      adherence_rate: rateOf(loggedSinceStart, scheduledSinceStart),
    },
  };
}

/** Number of scheduled doses from a date to the end of the period. The date is given as an index. */
function scheduledFrom(day: number, { weekdays }: Period, { days, timesPerDay }: DoseSchedule): number {
  let matching = 0;
  for (let index = day; index < weekdays.length; index++) if (days.has(weekdays[index])) matching++;
  return matching * timesPerDay;
}

function rateOf({ taken, skipped }: DoseCount, scheduled: number | null): number | null {
  return scheduled === null
    ? percentage(taken, taken + skipped)
    : percentage(Math.min(taken, scheduled), scheduled);
}

/** Rounds half up to one decimal, with integers only, so that no rate depends on floating-point errors. */
function percentage(part: number, whole: number): number | null {
  return whole === 0 ? null : Math.floor((2000 * part + whole) / (2 * whole)) / 10;
}
