import { Temporal } from 'temporal-polyfill';
import type { DoseSchedule } from './dose-schedule.rule';

export const PERIOD_DAYS = 30;

/** Periods that are kept: more than there are time zones. */
const MAX_KEPT = 1000;
const kept = new Map<string, Period>();

/** The calendar dates of a period in one time zone, oldest first, the last one being today. */
export interface Period {
  timezone: string;
  /** `2026-11-20`. */
  dates: string[];
  /** Of each date, as in cron. */
  weekdays: number[];
  /** The first instant of each date and of the day after the last: one more than there are dates. */
  boundaries: Date[];
  /** The first of them, as text. */
  from: string;
  /** The last of them: the period ends before it. */
  to: string;
}

export interface DoseCount {
  taken: number;
  skipped: number;
}

export interface AdherenceFacts {
  period: Period;
  schedule: DoseSchedule | undefined;
  /** Doses of the whole period. */
  logged: DoseCount;
  /** The first date that counts since the start, as an index; 0 is the period's first. */
  startDay: number;
  /** Doses from that date on. */
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
 * The 30 local dates that end with the date of `now` in `timezone`. A date begins at its first instant there, which is not
 * midnight where the clocks jump over it, and may last 23, 24 or 25 hours.
 *
 * Kept while that date lasts: to make a period costs more than to count the doses in it.
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

/** Whether the name is an IANA time zone that this service knows; offsets such as `+01:00` are none. */
export function isTimeZone(name: unknown): name is string {
  if (kept.has(name as string)) return true;
  if (typeof name !== 'string' || name.length > 64 || !/^[A-Za-z]/.test(name)) return false;
  try {
    // Not Intl, which knows abbreviations of ICU's as well: PST, and CST, which is three zones.
    Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(name);
    return true;
  } catch {
    return false;
  }
}

/** Adherence over the whole period, and since the medication really began. Source: specification, "Adherence statistics". */
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

/** The doses that a schedule asks for from a date, given as an index, to the end of the period. */
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

/** One decimal, half up, in whole numbers: no rate depends on how a fraction is kept. */
function percentage(part: number, whole: number): number | null {
  return whole === 0 ? null : Math.floor((2000 * part + whole) / (2 * whole)) / 10;
}
