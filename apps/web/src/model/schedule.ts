import type { DoseSchedule } from '@app/client';
import { addDays, dayNumber, weekdayOf } from './dates';
import type { DoseTimes, Medicine } from './medication-details';

/** What the service may know of a schedule: how often, never when. `null` where it counts nothing. */
export function serviceScheduleOf(schedule: DoseTimes | undefined): DoseSchedule | null {
  if (!schedule || schedule.asNeeded || schedule.everyDays || schedule.times.length === 0) return null;
  const { times, weekdays } = schedule;
  return {
    timesPerDay: Math.min(times.length, 24),
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

/** The times at which the medicine is due on a day; empty on a day without a dose. */
export function timesOn(medicine: Medicine, day: string): string[] {
  const { schedule, startDate } = medicine.details;
  if (!schedule || schedule.asNeeded || !isCurrent(medicine, day) || isPaused(medicine, day)) return [];
  const { everyDays, weekdays, times } = schedule;
  if (everyDays && everyDays > 1) {
    const since = startDate ?? dayOfCreation(medicine);
    if ((dayNumber(day) - dayNumber(since)) % everyDays !== 0) return [];
  } else if (weekdays && weekdays.length > 0 && !weekdays.includes(weekdayOf(day))) {
    return [];
  }
  return times;
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
