import type { DoseSchedule } from './dose-schedule';

export const PERIOD_DAYS = 30;

/** The calendar dates of a period in one time zone, oldest first. The last date is today. */
export interface AdherenceDates {
  timezone: string;
  /** `2026-11-20`. */
  dates: string[];
  /** The weekday of each date, numbered as in cron. */
  weekdays: number[];
}

export interface DoseCount {
  taken: number;
  skipped: number;
}

export interface AdherenceFacts {
  period: AdherenceDates;
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
function scheduledFrom(
  day: number,
  { weekdays }: AdherenceDates,
  { days, timesPerDay }: DoseSchedule,
): number {
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
