import type { Dose } from '@app/client';
import { addDays, dayOf } from '../../../platform/model/dates';
import type { Medicine } from '@app/client/documents';
import { settle } from '../../doses/model/slots';
import { slotKey } from '../../doses/model/today-view';

/** A dose that is not answered, and when to remind of it. Holds ids and times, and no name. */
export interface Planned {
  key: string;
  /** Milliseconds since 1970. */
  at: number;
}

/** How often a due dose was said, and when last. */
export interface Said {
  times: number;
  at: number;
}

/** A reminder is repeated after this time, in milliseconds, until the dose is answered. */
export const REPEAT_MS = 10 * 60_000;
/** The most times that one dose is said: at once, and six times within the hour that follows. */
export const MOST_TIMES = 7;
/** What is not answered a day later belongs to the history. */
const DAY_MS = 86_400_000;

/**
 * The open doses of today and tomorrow.
 * @param dosesOf logged doses of a medicine
 * @param postponed until when a dose was put off, by its key, in milliseconds
 */
export function planOf(
  medicines: readonly Medicine[],
  dosesOf: (id: string) => readonly Dose[],
  now: Date,
  postponed: Readonly<Record<string, number>>,
): Planned[] {
  const today = dayOf(now);
  return medicines
    .filter(({ details }) => !details.schedule?.asNeeded)
    .flatMap((medicine) => settle(medicine, dosesOf(medicine.id), today, addDays(today, 1)).slots)
    .filter(({ dose }) => !dose)
    .map((slot) => {
      const key = slotKey(slot);
      return { key, at: Math.max(slot.at.getTime(), postponed[key] ?? 0) };
    });
}

/** What is due, what to say now, and what is said then. */
export interface Turn {
  due: string[];
  say: string[];
  said: ReadonlyMap<string, Said>;
}

/**
 * A due dose is said at once, and again and again until it is answered or the bound is reached. One that was put off
 * begins anew.
 * @param repeats whether to say a dose more than once
 */
export function turnOf(
  plan: readonly Planned[],
  said: ReadonlyMap<string, Said>,
  now: number,
  repeats = true,
): Turn {
  const due = plan.filter(({ at }) => at <= now && now - at < DAY_MS).map(({ key }) => key);
  const after = new Map<string, Said>();
  const say: string[] = [];
  for (const key of due) {
    const before = said.get(key) ?? { times: 0, at: -Infinity };
    const isTime = now - before.at >= REPEAT_MS && before.times < (repeats ? MOST_TIMES : 1);
    if (isTime) say.push(key);
    after.set(key, isTime ? { times: before.times + 1, at: now } : before);
  }
  return { due, say, said: after };
}
