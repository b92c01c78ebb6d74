import { Temporal } from 'temporal-polyfill';
import type { DoseSchedule } from './dose-schedule.rule';

export const PERIOD_DAYS = 30;

/** The calendar dates of a period in one time zone, oldest first, the last one being today. */
export interface Period {
  timezone: string;
  /** `2026-11-20`. */
  dates: string[];
  /** Of each date, as in cron. */
  weekdays: number[];
  /** The first instant of each date and of the day after the last: one more than there are dates. */
  boundaries: Date[];
}

/** Doses of one local date; `day` counts from 0, the first date of the period. */
export interface DayCount {
  day: number;
  taken: number;
  skipped: number;
}

export interface AdherenceFacts {
  period: Period;
  schedule: DoseSchedule | undefined;
  createdAt: Date;
  firstLogAt: Date | undefined;
  scheduleChangedAt: Date | undefined;
  /** Only dates with doses, in any order. */
  counts: DayCount[];
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
 * @param timezone an IANA name; see `isTimeZone`.
 */
export function periodEndingAt(now: Date, timezone: string): Period {
  const today = Temporal.Instant.fromEpochMilliseconds(now.getTime())
    .toZonedDateTimeISO(timezone)
    .toPlainDate();
  const days = Array.from({ length: PERIOD_DAYS + 1 }, (_, index) =>
    today.add({ days: index - PERIOD_DAYS + 1 }),
  );
  const dates = days.slice(0, PERIOD_DAYS);
  return {
    timezone,
    dates: dates.map(String),
    weekdays: dates.map((date) => date.dayOfWeek % 7),
    boundaries: days.map((date) => new Date(date.toZonedDateTime(timezone).epochMilliseconds)),
  };
}

/** Whether the name is an IANA time zone that this service knows; offsets such as `+01:00` are none. */
export function isTimeZone(name: unknown): name is string {
  if (typeof name !== 'string' || name.length > 64 || !/^[A-Za-z]/.test(name)) return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

/** Adherence over the whole period, and since the medication really began. Source: specification, "Adherence statistics". */
export function adherenceOf(facts: AdherenceFacts): Adherence {
  const { period, schedule } = facts;
  const whole = tally(facts, 0);
  const start = startOf(facts);
  const since = tally(facts, start);
  const hasSchedule = schedule !== undefined;
  return {
    taken_doses: whole.taken,
    skipped_doses: whole.skipped,
    total_logged: whole.taken + whole.skipped,
    scheduled_doses: hasSchedule ? whole.scheduled : null,
    missed_doses: hasSchedule ? Math.max(0, whole.scheduled - whole.taken - whole.skipped) : null,
    extra_doses: hasSchedule ? Math.max(0, whole.taken - whole.scheduled) : null,
    adherence_rate: rateOf(whole, hasSchedule),
    since_start: {
      start: period.dates[start],
      scheduled_doses: hasSchedule ? since.scheduled : null,
      taken_doses: since.taken,
      adherence_rate: rateOf(since, hasSchedule),
    },
  };
}

interface Tally {
  taken: number;
  skipped: number;
  scheduled: number;
}

function tally({ period, schedule, counts }: AdherenceFacts, from: number): Tally {
  const logged = counts.filter(({ day }) => day >= from);
  const matching = period.weekdays.filter(
    (weekday, day) => day >= from && schedule?.days.has(weekday),
  ).length;
  return {
    taken: logged.reduce((sum, { taken }) => sum + taken, 0),
    skipped: logged.reduce((sum, { skipped }) => sum + skipped, 0),
    scheduled: matching * (schedule?.timesPerDay ?? 0),
  };
}

/**
 * The first date that counts: the latest of the period's start, the earlier of creation and first log, and the last
 * change of the schedule. A medication entered yesterday has not been missed for a month.
 */
function startOf({ period, createdAt, firstLogAt, scheduleChangedAt }: AdherenceFacts): number {
  const began = firstLogAt && firstLogAt < createdAt ? firstLogAt : createdAt;
  return Math.max(dayOf(period, began), scheduleChangedAt ? dayOf(period, scheduleChangedAt) : 0);
}

/** The index of the date on which an instant falls; instants outside the period count as its first or last date. */
function dayOf({ boundaries, dates }: Period, instant: Date): number {
  const after = boundaries.findIndex((boundary) => boundary > instant);
  return after < 0 ? dates.length - 1 : Math.max(0, after - 1);
}

function rateOf({ taken, skipped, scheduled }: Tally, hasSchedule: boolean): number | null {
  return hasSchedule ? percentage(Math.min(taken, scheduled), scheduled) : percentage(taken, taken + skipped);
}

/** One decimal, half up, in whole numbers: no rate depends on how a fraction is kept. */
function percentage(part: number, whole: number): number | null {
  return whole === 0 ? null : Math.floor((2000 * part + whole) / (2 * whole)) / 10;
}
