import type { Dose } from '@app/client';
import { addDays, dayOf, instantOf } from '../../../platform/model/dates';
import type { DoseAmount, Medicine } from '@app/client/documents';
import { keptByMedicine } from '../../medications/model/kept';
import { dosesDueOn, minutesOf, timesOn } from '../../medications/model/schedule';

/** A dose that is due at a time, with what was logged for it. */
export interface Slot {
  medicine: Medicine;
  day: string;
  time: string;
  at: Date;
  /** What the plan says; absent where no amount is entered. */
  planned?: DoseAmount;
  /** The logged dose that answers it: taken, or skipped. */
  dose?: Dose;
}

const HOUR_MS = 3_600_000;
/** A dose of another day answers a slot up to this long after it, and up to this long before it. */
const LATEST_MS = 12 * HOUR_MS;
const EARLIEST_MS = 4 * HOUR_MS;

/** Yesterday's dose, taken late in the evening, must not make the dose of the next morning look done. */
function canAnswer(slot: Slot, at: number, day = dayOf(new Date(at))): boolean {
  const late = at - slot.at.getTime();
  return (late >= -EARLIEST_MS && late <= LATEST_MS) || day === slot.day;
}

/** The time from which a missing dose counts: that of the entry or of the first logged dose, whichever is earlier. */
export function countedSince(medicine: Medicine, doses: readonly Dose[]): Date {
  const first = doses.reduce(
    (least, { loggedAt }) => (loggedAt < least ? loggedAt : least),
    medicine.createdAt,
  );
  return new Date(first);
}

function dueBetween(medicine: Medicine, from: string, to: string): Slot[] {
  const slots: Slot[] = [];
  for (let day = from; day <= to; day = addDays(day, 1))
    for (const { time, dose } of dosesDueOn(medicine, day))
      slots.push({ medicine, day, time, at: instantOf(day, time), ...(dose && { planned: dose }) });
  return slots;
}

/** A dose with its time in milliseconds since 1970, and its local day. */
interface LoggedDose {
  dose: Dose;
  at: number;
  day: string;
}

/** The due doses of some days with their answers, and the doses that answer none. */
export interface SettledDays {
  slots: Slot[];
  /** Due before the medicine was entered, on the day of the entry, and not answered. Nobody missed them. */
  before: Slot[];
  extra: Dose[];
}

/**
 * The time from which an open due dose was missed, in milliseconds since 1970. On its day, the entry counts: what was due
 * before it, nobody missed, also where one of these doses was noted later. An import brings doses of earlier days.
 */
export function missedSince(medicine: Medicine, doses: readonly Dose[]): number {
  const since = countedSince(medicine, doses);
  const entered = new Date(medicine.createdAt);
  return (dayOf(since) < dayOf(entered) ? since : entered).getTime();
}

/**
 * Finds for each due dose the logged dose that is nearest to it; each logged dose answers one. A dose after
 * midnight answers the evening before, so a day on each side takes part. See {@link canAnswer}.
 *
 * @param from the first local day
 * @param to the last local day, inclusive
 */
export const settle = keptByMedicine(settleAnew);

function settleAnew(medicine: Medicine, doses: readonly Dose[], from: string, to: string): SettledDays {
  const since = missedSince(medicine, doses);
  const around = dueBetween(medicine, addDays(from, -1), addDays(to, 1)).filter(
    ({ day, at }) => at.getTime() >= since || day >= dayOf(new Date(since)),
  );
  const near = dosesBetween(doses, addDays(from, -1), addDays(to, 2));
  const used = answerAsSaid(medicine, around, doses);
  answerByTime(around, near, used);
  const isInside = ({ day }: { day: string }) => day >= from && day <= to;
  const inside = around.filter(isInside);
  const isBefore = ({ dose, at }: Slot) => !dose && at.getTime() < since;
  const answers = new Set(around.map(({ dose }) => dose?.id));
  return {
    slots: inside.filter((slot) => !isBefore(slot)),
    before: inside.filter(isBefore),
    extra: near.filter((logged) => !answers.has(logged.dose.id) && isInside(logged)).map(({ dose }) => dose),
  };
}

/** @param end the first day after them */
function dosesBetween(doses: readonly Dose[], from: string, end: string): LoggedDose[] {
  const [first, after] = [from, end].map((day) => instantOf(day, '00:00').toISOString());
  return (
    doses
      // As texts: today is made of two days, and a medicine has doses of months.
      .filter(({ loggedAt }) => loggedAt >= first && loggedAt < after)
      .map((dose) => {
        const at = Date.parse(dose.loggedAt);
        return { dose, at, day: dayOf(new Date(at)) };
      })
  );
}

/** Gives each open due dose the nearest of the doses that nobody has used. */
function answerByTime(around: readonly Slot[], near: readonly LoggedDose[], used: Set<string>): void {
  const byDay = new Map<string, LoggedDose[]>();
  for (const logged of near) {
    const sameDay = byDay.get(logged.day);
    if (sameDay) sameDay.push(logged);
    else byDay.set(logged.day, [logged]);
  }
  // Only the days beside a slot are looked at: a year of doses has too many pairs.
  const pairs = around.flatMap((slot) =>
    [1, 0, -1]
      .flatMap((apart) => byDay.get(addDays(slot.day, apart)) ?? [])
      .filter(({ at, day }) => canAnswer(slot, at, day))
      .map((logged) => ({ slot, logged, apart: Math.abs(slot.at.getTime() - logged.at) })),
  );
  for (const { slot, logged } of pairs.sort((a, b) => a.apart - b.apart)) {
    if (slot.dose || used.has(logged.dose.id) || isSecondNote(slot, logged, near, used)) continue;
    slot.dose = logged.dose;
    used.add(logged.dose.id);
  }
}

/**
 * Whether a dose looks like a second note of one that answers an earlier due dose: two devices have noted the dose of the
 * morning. It must not make that of the evening look done.
 */
function isSecondNote(
  slot: Slot,
  { at }: LoggedDose,
  near: readonly LoggedDose[],
  used: ReadonlySet<string>,
): boolean {
  const ahead = slot.at.getTime() - at;
  if (ahead <= 0) return false;
  const early = askedBeforeMs(slot);
  if (ahead <= early) return false;
  return near.some((other) => used.has(other.dose.id) && Math.abs(other.at - at) < early);
}

/**
 * Gives due doses the answers that the person named, whatever their times are.
 * @returns the ids of the doses that answer no other one
 */
function answerAsSaid({ details }: Medicine, slots: readonly Slot[], doses: readonly Dose[]): Set<string> {
  const used = new Set<string>();
  for (const { dose: id, answers, isAnother } of details.remarks ?? []) {
    if (isAnother) used.add(id);
    const slot = answers && slots.find(({ day, time }) => answers === `${day} ${time}`);
    const dose = slot && doses.find((each) => each.id === id);
    if (!dose) continue;
    slot.dose = dose;
    used.add(id);
  }
  return used;
}

/** A dose that is taken earlier than this before its time is asked about: two hours, or half the least interval of the day. */
function askedBeforeMs({ medicine, day, time }: Slot): number {
  const minutes = timesOn(medicine, day).map(minutesOf);
  const own = minutesOf(time);
  const apart = minutes.filter((each) => each !== own).map((each) => (own - each + 1440) % 1440);
  return Math.min(2 * HOUR_MS, (Math.min(1440, ...apart) * 60_000) / 2);
}

/** Whether it is so early for a due dose that the tap may be meant for another one. */
export function isEarly(slot: Slot, now: Date): boolean {
  return slot.at.getTime() - now.getTime() > askedBeforeMs(slot);
}

/** Whether a dose counts for a slot by its time alone. If not, the medicine must say which due dose it answers. */
export function countsFor(slot: Slot, dose: Dose, doses: readonly Dose[]): boolean {
  const { slots } = settleAnew(slot.medicine, [dose, ...doses], slot.day, slot.day);
  return slots.some(({ time, dose: answer }) => time === slot.time && answer?.id === dose.id);
}

/**
 * Whether it is plain that an answer is given now. It is not where another open dose of the medicine is nearer: the person
 * may have forgotten to note this one at its time.
 */
export function isAnsweredNow(slot: Slot, open: readonly Slot[], now: Date): boolean {
  const apart = ({ at }: Slot) => Math.abs(at.getTime() - now.getTime());
  const isNearest = open.every(
    (other) => other.medicine.id !== slot.medicine.id || apart(other) >= apart(slot),
  );
  return slot.at > now || (isNearest && canAnswer(slot, now.getTime()));
}
