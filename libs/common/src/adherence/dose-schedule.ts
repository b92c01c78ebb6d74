/** Days are numbered as in cron: 0 is Sunday, 6 is Saturday. */
export interface DoseSchedule {
  timesPerDay: number;
  /** The days on which the schedule applies. If the client names no days, it has all seven. */
  days: ReadonlySet<number>;
}

export const MAX_TIMES_PER_DAY = 24;

const DAY_NAMES = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];
const EVERY_DAY = new Set([0, 1, 2, 3, 4, 5, 6]);

/**
 * Reads a `dose_schedule` as a client sends it: `{ times_per_day, days_of_week? }`.
 *
 * @returns the schedule, or an error text. The error text is a sentence fragment that follows the field's
 *   name.
 */
export function readDoseSchedule(value: unknown): DoseSchedule | string {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return 'must be an object or null';
  const unknown = Object.keys(value).find((key) => key !== 'times_per_day' && key !== 'days_of_week');
  if (unknown !== undefined) return 'must hold nothing but times_per_day and days_of_week';
  const { times_per_day: times, days_of_week: days = [] } = value as Record<string, unknown>;
  if (!Number.isInteger(times) || (times as number) < 1 || (times as number) > MAX_TIMES_PER_DAY) {
    return `must have times_per_day, a whole number from 1 to ${MAX_TIMES_PER_DAY}`;
  }
  if (!Array.isArray(days)) return 'must have a list as days_of_week, where it has one';
  const numbers = new Set<number>();
  for (const day of days) {
    const number = readDay(day);
    if (number === undefined) return 'must name days_of_week as 0 to 7 or by their English names';
    if (numbers.has(number)) return 'must name each of days_of_week once';
    numbers.add(number);
  }
  return { timesPerDay: times as number, days: numbers.size === 0 ? EVERY_DAY : numbers };
}

/**
 * Reads a number from 0 to 7 (0 and 7 are Sunday), or an English name: two letters, three letters or the full
 * name, in upper or lower case.
 */
function readDay(day: unknown): number | undefined {
  if (typeof day === 'number') return Number.isInteger(day) && day >= 0 && day <= 7 ? day % 7 : undefined;
  if (typeof day !== 'string') return undefined;
  const name = day.toLowerCase();
  const index = DAY_NAMES.findIndex(
    (whole) => name === whole || name === whole.slice(0, 3) || name === whole.slice(0, 2),
  );
  return index < 0 ? undefined : index;
}
