import { addDays, dayNumber, dayOf, instantOf, weekdayOf } from '../../../platform/model/dates';
import type { Medicine } from '@app/client/documents';
import { dosesDueOn, minutesOf } from '../../medications/model/schedule';

/** When the service reminds this device of a person, and of which medicines. */
export interface PlannedReminder {
  profileId: string;
  /** Local, `HH:MM`. */
  time: string;
  medicineIds: string[];
  /** The first occurrence. */
  firstDay: string;
  repeat?: { every_days: number } | { days_of_week: number[] };
  /** No occurrence is on a later day. */
  lastDay: string;
}

/** Days of one pattern, as places in the plan: the first, and the one after the last. */
interface Run {
  from: number;
  to: number;
  /** Days after which it repeats; 0 for a day alone. */
  period: number;
}

/** How far ahead the plan reaches, at least, in months. So old reminders end where nobody opens the page. */
const MONTHS = 4;
/** The periods that the service can repeat. A day, a week, then the others. */
const PERIODS = [1, 7, 2, 3, 4, 5, 6, 8, 9, 10, 11, 12, 13, 14, 28];
/** A pattern holds at least so long before it counts as one. */
const LEAST_DAYS = 14;
/** Single days of one person and time: for tapers and monthly doses. */
const MOST_DAYS_ALONE = 20;

/** The last day of the plan: the last of a month, so that it changes once a month. */
export function lastDayOfPlan(today: string): string {
  const [year, month] = today.split('-').map(Number);
  return dayOf(new Date(year, month + MONTHS, 0));
}

/**
 * The reminders of medicines that are due at times, by person and time. Repetition is found in the doses themselves, so that
 * every kind of plan works, with its steps, cycles and pauses, and the service learns of none.
 */
export function plannedReminders(medicines: readonly Medicine[], today: string): PlannedReminder[] {
  const lastDay = lastDayOfPlan(today);
  const count = dayNumber(lastDay) - dayNumber(today) + 1;
  const groups = new Map<string, { profileId: string; time: string; days: string[][] }>();
  const ordered = [...medicines].sort((a, b) => (a.id < b.id ? -1 : 1));
  for (const medicine of ordered)
    for (let at = 0, day = today; at < count; at += 1, day = addDays(day, 1))
      for (const { time } of dosesDueOn(medicine, day)) {
        const key = `${medicine.profileId} ${time}`;
        const group = groups.get(key) ?? {
          profileId: medicine.profileId,
          time,
          days: Array.from({ length: count }, (): string[] => []),
        };
        groups.set(key, group);
        group.days[at].push(medicine.id);
      }
  return [...groups.values()].flatMap(({ profileId, time, days }) => {
    const remindersOf = (run: Run) => inRun(days, run, today);
    return runsOf(days.map((ids) => ids.join())).flatMap((run) =>
      remindersOf(run).map((planned) => ({ profileId, time, ...planned })),
    );
  });
}

/** Divides days into patterns that repeat, and days alone. @param keys what is due on each day; empty: nothing */
function runsOf(keys: readonly string[]): Run[] {
  const runs: Run[] = [];
  let alone = 0;
  for (let from = 0; from < keys.length && alone < MOST_DAYS_ALONE;) {
    if (keys[from] === '') {
      from += 1;
      continue;
    }
    const run = PERIODS.map((period) => runFrom(keys, from, period)).find(
      ({ to, period }) => to - from >= Math.max(LEAST_DAYS, 2 * period),
    ) ?? { from, to: from + 1, period: 0 };
    if (run.period === 0) alone += 1;
    runs.push(run);
    from = run.to;
  }
  return runs;
}

function runFrom(keys: readonly string[], from: number, period: number): Run {
  let to = from + period;
  while (to < keys.length && keys[to] === keys[to - period]) to += 1;
  return { from, to: Math.min(to, keys.length), period };
}

type InRun = Omit<PlannedReminder, 'profileId' | 'time'>;

function inRun(days: readonly string[][], { from, to, period }: Run, today: string): InRun[] {
  const dayAt = (at: number) => addDays(today, at);
  const lastDay = dayAt(to - 1);
  const ofPeriod = Array.from({ length: period || 1 }, (_, offset) => from + offset);
  const due = ofPeriod.filter((at) => days[at].length > 0);
  const one = (at: number): InRun => ({ medicineIds: days[at], firstDay: dayAt(at), lastDay });
  if (period === 0) return due.map(one);
  if (period !== 7) return due.map((at) => ({ ...one(at), repeat: { every_days: period } }));
  const byMedicines = new Map<string, number[]>();
  for (const at of due) byMedicines.set(days[at].join(), [...(byMedicines.get(days[at].join()) ?? []), at]);
  return [...byMedicines.values()].map((places) => ({
    ...one(places[0]),
    repeat: { days_of_week: places.map((at) => weekdayOf(dayAt(at))).sort((a, b) => a - b) },
  }));
}

/** Which part of the day is quiet, `HH:MM` each; it may go over midnight. */
export interface QuietTime {
  from: string;
  until: string;
}

/** How long a message waits, and how often it is said again. */
export interface Pace {
  delayMinutes: number;
  nag?: { minutes: number; times: number };
}

const DAY_MINUTES = 1440;
/** The service delays no longer. */
const MOST_DELAY_MINUTES = 720;
const LATE_MINUTES = 60;
const NAG = { minutes: 10, times: 6 };

/** Minutes from one time of day to the next occurrence of another. */
const minutesTo = (from: number, to: number) => (to - from + DAY_MINUTES) % DAY_MINUTES;

/**
 * @param isLate whether the device is told only of what is not answered after an hour
 * @param repeats whether a message is said again until it is answered
 */
export function paceOf(time: string, isLate: boolean, repeats: boolean, quiet?: QuietTime): Pace {
  const first = minutesOf(time) + (isLate ? LATE_MINUTES : 0);
  const waits = quiet ? untilLoud(first % DAY_MINUTES, quiet) : 0;
  const delayMinutes = Math.min(MOST_DELAY_MINUTES, (isLate ? LATE_MINUTES : 0) + waits);
  if (isLate || !repeats) return { delayMinutes };
  const begin = (minutesOf(time) + delayMinutes) % DAY_MINUTES;
  const left = quiet ? minutesTo(begin, minutesOf(quiet.from)) : Infinity;
  const times = Math.min(NAG.times, Math.ceil(left / NAG.minutes) - 1);
  return { delayMinutes, ...(times > 0 && { nag: { ...NAG, times } }) };
}

function untilLoud(minute: number, { from, until }: QuietTime): number {
  const [begin, end] = [minutesOf(from), minutesOf(until)];
  return minutesTo(begin, minute) < minutesTo(begin, end) ? minutesTo(minute, end) : 0;
}

/** The first occurrence of a reminder after an instant; `undefined` where there is none. */
export function firstAfter(
  { time, firstDay, lastDay, repeat }: PlannedReminder,
  now: Date,
): Date | undefined {
  const from = dayOf(now) > firstDay ? dayOf(now) : firstDay;
  for (let day = from; day <= lastDay; day = addDays(day, 1)) {
    if (isOn(day, firstDay, repeat) && instantOf(day, time) > now) return instantOf(day, time);
    if (!repeat) return undefined;
  }
  return undefined;
}

function isOn(day: string, firstDay: string, repeat: PlannedReminder['repeat']): boolean {
  if (!repeat) return day === firstDay;
  if ('days_of_week' in repeat) return repeat.days_of_week.includes(weekdayOf(day));
  return (dayNumber(day) - dayNumber(firstDay)) % repeat.every_days === 0;
}

/** What makes a reminder another one. The first day of a repetition is not part of it: it moves with each day. */
export function shapeOf({ firstDay, repeat, ...rest }: PlannedReminder): object {
  if (!repeat) return { ...rest, firstDay };
  if ('days_of_week' in repeat) return { ...rest, repeat };
  return { ...rest, repeat, phase: dayNumber(firstDay) % repeat.every_days };
}
