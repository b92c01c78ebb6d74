import type { DoseSchedule } from '@app/client';
import { addDays, dayNumber, weekdayOf } from '../../../platform/model/dates';
import type { DoseAmount, DoseTimes, Medicine } from '@app/client/documents';

/** What the service may know of a schedule: how often, never when. `null` where it counts nothing. */
export function serviceScheduleOf(schedule: DoseTimes | undefined): DoseSchedule | null {
  if (!schedule || schedule.asNeeded || schedule.times.length === 0) return null;
  const { times, everyHours, everyDays, everyMonths, cycle, amounts } = schedule;
  if (everyDays || everyMonths || cycle || (everyHours && 24 % everyHours !== 0)) return null;
  // Which of the times or steps have no dose, the service cannot know.
  if (amounts && amounts.by !== 'weekday' && JSON.stringify(amounts.of).match(/:0[,}]/)) return null;
  const weekdays =
    amounts?.by === 'weekday'
      ? amounts.of.flatMap((amount, day) => (amount > 0 ? [day] : []))
      : schedule.weekdays;
  return {
    timesPerDay: Math.min(everyHours ? 24 / everyHours : times.length, 24),
    ...(weekdays && weekdays.length > 0 && weekdays.length < 7 && { daysOfWeek: [...weekdays] }),
  };
}

/** Whether a pause holds on a day. */
export function isPaused({ details }: Medicine, day: string): boolean {
  return (details.pauses ?? []).some(({ from, until }) => from <= day && (!until || day <= until));
}

/** Whether the medicine belongs to the cabinet on a day: it has begun and has not ended. */
export function isCurrent({ details }: Medicine, day: string): boolean {
  const { startDate, endDate, schedule } = details;
  const last = [endDate, schedule?.until].filter((each) => each !== undefined).sort()[0];
  return (!startDate || startDate <= day) && (!last || day <= last);
}

/** A dose that is due at a local time, `HH:MM`. */
export interface DueDose {
  time: string;
  /** Absent where no amount is entered. */
  dose?: DoseAmount;
}

/** The doses that are due on a day, in the order of their times; empty on a day without a dose. */
export function dosesDueOn(medicine: Medicine, day: string): DueDose[] {
  const { schedule, startDate, dose } = medicine.details;
  if (!schedule || schedule.asNeeded || !isCurrent(medicine, day) || isPaused(medicine, day)) return [];
  const since = startDate ?? dayOfCreation(medicine);
  if (!isDueOn(schedule, day, since)) return [];
  const elapsed = dayNumber(day) - dayNumber(since);
  const times = schedule.everyHours
    ? timesByHours(schedule.everyHours, schedule.times[0], elapsed)
    : schedule.times;
  return times.flatMap((time): DueDose[] => {
    const amount = amountAt(schedule, time, day, elapsed) ?? dose?.amount;
    if (amount === 0) return [];
    return [{ time, ...(dose && amount !== undefined && { dose: { ...dose, amount } }) }];
  });
}

/** The times at which the medicine is due on a day; empty on a day without a dose. */
export function timesOn(medicine: Medicine, day: string): string[] {
  return dosesDueOn(medicine, day).map(({ time }) => time);
}

/** @param since the first day, from which days, months and cycles are counted */
function isDueOn(schedule: DoseTimes, day: string, since: string): boolean {
  const { everyDays, everyMonths, cycle, weekdays } = schedule;
  const elapsed = dayNumber(day) - dayNumber(since);
  if (everyMonths) return isDueInMonth(everyMonths, schedule.dayOfMonth ?? dateOf(since), day, since);
  if (cycle) return elapsed >= 0 && elapsed % (cycle.on + cycle.off) < cycle.on;
  if (everyDays && everyDays > 1) return elapsed % everyDays === 0;
  return !weekdays || weekdays.length === 0 || weekdays.includes(weekdayOf(day));
}

const dateOf = (day: string) => Number(day.slice(8, 10));
const monthNumber = (day: string) => Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7));

function isDueInMonth(every: number, wanted: number, day: string, since: string): boolean {
  if ((monthNumber(day) - monthNumber(since)) % every !== 0) return false;
  const isLast = dateOf(addDays(day, 1)) === 1;
  return dateOf(day) === wanted || (isLast && dateOf(day) < wanted);
}

/** @param elapsed days since the first dose */
function timesByHours(hours: number, first: string, elapsed: number): string[] {
  const [start, step, begin] = [minutesOf(first), hours * 60, elapsed * 1440];
  const times: string[] = [];
  let at = start + Math.max(0, Math.ceil((begin - start) / step)) * step;
  for (; at < begin + 1440; at += step) times.push(timeAt(at - begin));
  return times;
}

/** Minutes since midnight of a local time, `HH:MM`. */
export const minutesOf = (time: string) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3));
const timeAt = (minutes: number) =>
  [Math.floor(minutes / 60), minutes % 60].map((part) => String(part).padStart(2, '0')).join(':');

/** What the plan says of one time; `undefined` where each dose is the same. */
function amountAt({ amounts }: DoseTimes, time: string, day: string, elapsed: number): number | undefined {
  if (!amounts) return undefined;
  if (amounts.by === 'time') return amounts.of[time];
  if (amounts.by === 'weekday') return amounts.of[weekdayOf(day)];
  let end = 0;
  const step = amounts.of.find(({ days }) => elapsed < (end += days ?? Infinity));
  // After the last step nothing is due.
  return step?.amount ?? 0;
}

/** The last day of a plan of steps; `undefined` where the last step goes on. */
export function lastDayOfSteps(steps: readonly { days?: number }[], since: string): string | undefined {
  const days = steps.reduce((sum, step) => sum + (step.days ?? NaN), 0);
  return Number.isNaN(days) ? undefined : addDays(since, days - 1);
}

/** The first day on which a dose is due, not before `from`; looks a year ahead. */
export function nextDueDay(medicine: Medicine, from: string): string | undefined {
  for (let day = from, left = 366; left > 0; left -= 1, day = addDays(day, 1))
    if (timesOn(medicine, day).length > 0) return day;
  return undefined;
}

/** The day on which an entry was made. */
export function dayOfCreation({ createdAt }: Pick<Medicine, 'createdAt'>): string {
  return createdAt.slice(0, 10);
}
