import type { Dose } from '@app/client';
import { addDays, dayOf } from '../../../platform/model/dates';
import type { Medicine } from '@app/client/documents';
import { keptByMedicine } from '../../medications/model/kept';
import { isCurrent, isPaused } from '../../medications/model/schedule';
import { missedSince, settle, type Slot } from './slots';
import { nextNotBefore, takenWithin24Hours } from './taken-amount';

/** A medicine that is taken as needed, with what to know before the next dose. */
export interface AsNeeded {
  medicine: Medicine;
  last?: Dose;
  /** Absent where it may be taken now. */
  notBefore?: Date;
  /** Where there is a most: what was taken, in the unit of the dose. */
  within24Hours?: { used: number; most: number };
}

/** What the screen of today shows. */
export interface TodayView {
  /** Not answered yesterday. */
  missed: Slot[];
  /** Due today before the medicine was entered. */
  before: Slot[];
  now: Slot[];
  later: Slot[];
  /** Answered today. */
  done: Slot[];
  /** Doses of today that were not due. */
  extra: { medicine: Medicine; dose: Dose }[];
  asNeeded: AsNeeded[];
}

/** A dose counts as due this many minutes before its time. */
const EARLY_MINUTES = 60;

export function slotKey({ medicine, day, time }: Slot): string {
  return `${medicine.id} ${day} ${time}`;
}

/** The due doses of one person at one time. */
export interface SlotGroup {
  key: string;
  profileId: string;
  time: string;
  at: Date;
  slots: Slot[];
}

/** @param slots in the order of their times, which the groups keep */
export function groupsOf(slots: readonly Slot[]): SlotGroup[] {
  const groups = new Map<string, SlotGroup>();
  for (const slot of slots) {
    const { time, at, day } = slot;
    const { profileId } = slot.medicine;
    const key = `${profileId} ${day} ${time}`;
    const group = groups.get(key);
    if (group) group.slots.push(slot);
    else groups.set(key, { key, profileId, time, at, slots: [slot] });
  }
  return [...groups.values()];
}

/**
 * @param dosesOf logged doses of a medicine
 * @param postponed until when a slot was put off, by its key, in milliseconds
 * @param held the keys of answered slots that stay where they were
 */
export function viewOfToday(
  medicines: readonly Medicine[],
  dosesOf: (id: string) => readonly Dose[],
  now: Date,
  postponed: Readonly<Record<string, number>> = {},
  held: ReadonlySet<string> = new Set(),
): TodayView {
  const today = dayOf(now);
  const yesterday = addDays(today, -1);
  const view: TodayView = { missed: [], before: [], now: [], later: [], done: [], extra: [], asNeeded: [] };
  for (const medicine of medicines) {
    const doses = dosesOf(medicine.id);
    if (medicine.details.schedule?.asNeeded) {
      if (isCurrent(medicine, today) && !isPaused(medicine, today))
        view.asNeeded.push(asNeededOf(medicine, doses, now));
      continue;
    }
    const { slots, before, extra } = settle(medicine, doses, yesterday, today);
    const since = missedSince(medicine, doses);
    for (const slot of slots) {
      const soon = slot.at.getTime() <= now.getTime() + EARLY_MINUTES * 60_000;
      const isPutOff = (postponed[slotKey(slot)] ?? 0) > now.getTime();
      const isOpen = !slot.dose || held.has(slotKey(slot));
      if (slot.day === yesterday) {
        if (isOpen) view.missed.push(slot);
      } else if (!isOpen) view.done.push(slot);
      else if (slot.at.getTime() < since) view.before.push(slot);
      else if (soon && !isPutOff) view.now.push(slot);
      else view.later.push(slot);
    }
    for (const slot of before)
      if (slot.day === today && !((postponed[slotKey(slot)] ?? 0) > now.getTime())) view.before.push(slot);
    for (const dose of extra)
      if (dayOf(new Date(dose.loggedAt)) === today) view.extra.push({ medicine, dose });
  }
  const inTime = (a: Slot, b: Slot) => a.at.getTime() - b.at.getTime();
  for (const group of [view.missed, view.before, view.now, view.later, view.done]) group.sort(inTime);
  return view;
}

const asNeededOf = keptByMedicine((medicine, doses, now: Date): AsNeeded => {
  const last = doses.find(({ taken }) => taken);
  const notBefore = nextNotBefore(medicine, doses, now);
  const most = medicine.details.schedule?.mostIn24Hours;
  return {
    medicine,
    ...(last && { last }),
    ...(notBefore && { notBefore }),
    ...(most && { within24Hours: { used: takenWithin24Hours(medicine, doses, now), most } }),
  };
});

/**
 * Whether a dose of the medicine was taken within the last minute: a second tap then asks. The time of the entry does
 * not count: after an import every dose would be a fresh one.
 */
export function wasJustTaken(doses: readonly Dose[], now: Date): boolean {
  return doses.some(
    ({ taken, loggedAt }) => taken && Math.abs(now.getTime() - Date.parse(loggedAt)) < 60_000,
  );
}
