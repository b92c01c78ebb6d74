import type { Dose } from '@app/client';
import { addDays, dayNumber, dayOf } from '../../../platform/model/dates';
import type { Medicine } from '@app/client/documents';
import { settle } from '../../doses/model/slots';

/** One day of the heat map. */
export interface AdherenceDay {
  day: string;
  due: number;
  taken: number;
  skipped: number;
  /** Doses that were not due. */
  extra: number;
}

/** The doses of a medicine over the last days, oldest first, and how many of the due ones were taken. */
export interface AdherenceView {
  days: AdherenceDay[];
  due: number;
  taken: number;
  skipped: number;
  missed: number;
  /** Percent, `null` where nothing was due. */
  rate: number | null;
  /** The first day that counts, where so few count that a share of them says little. */
  since?: string;
}

/** With fewer days a share is no habit yet. */
const FEW_DAYS = 7;

/** @param days how many days, today included. What is due later today does not count yet. */
export function adherenceOf(
  medicine: Medicine,
  doses: readonly Dose[],
  now: Date,
  days: number,
): AdherenceView {
  const today = dayOf(now);
  const from = addDays(today, 1 - days);
  const { slots, extra } = settle(medicine, doses, from, today);
  const byDay = new Map<string, AdherenceDay>();
  for (let day = from; day <= today; day = addDays(day, 1))
    byDay.set(day, { day, due: 0, taken: 0, skipped: 0, extra: 0 });
  for (const { day, at, dose } of slots) {
    if (!dose && at > now) continue;
    const each = byDay.get(day)!;
    each.due += 1;
    if (dose?.taken) each.taken += 1;
    else if (dose) each.skipped += 1;
  }
  for (const { taken, loggedAt } of extra) if (taken) byDay.get(dayOf(new Date(loggedAt)))!.extra += 1;
  const all = [...byDay.values()];
  const sum = (of: (day: AdherenceDay) => number) => all.reduce((total, day) => total + of(day), 0);
  const [due, taken, skipped] = [sum((day) => day.due), sum((day) => day.taken), sum((day) => day.skipped)];
  const first = all.find((day) => day.due > 0)?.day;
  const isShort = first !== undefined && dayNumber(today) - dayNumber(first) + 1 < FEW_DAYS;
  return {
    days: all,
    due,
    taken,
    skipped,
    missed: due - taken - skipped,
    rate: due === 0 ? null : Math.round((1000 * taken) / due) / 10,
    ...(isShort && { since: first }),
  };
}
