import type { Dose } from '@app/client';
import { type Medicine, remarkOf } from '@app/client/documents';
import { addDays, dayOf, instantOf } from '../../../platform/model/dates';
import { dosesDueOn } from '../../medications/model/schedule';

/** Two taken doses of a medicine, of which one may be a note of the other. */
export interface NotedTwice {
  medicine: Medicine;
  /** The earlier one. */
  first: Dose;
  second: Dose;
  /** The local time, `HH:MM`, of the due dose that both are nearest to; absent for a medicine as needed. */
  time?: string;
}

const HOUR_MS = 3_600_000;
/** Two notes of one device within this time look like one dose. */
const TOGETHER_MS = HOUR_MS;
/** Two notes of two devices of a medicine that is taken as needed look like one dose within this time. */
const APART_MS = 2 * HOUR_MS;

/**
 * Finds the last two doses since yesterday that may be one dose: two devices have noted them for the same due time, or one
 * device within an hour. Of a medicine as needed: two devices within two hours or half of its shortest time between two doses.
 *
 * @param isHere whether a dose, by its id, was noted on this device
 * @returns `undefined` where there are none, or a person said that both were given
 */
export function notedTwice(
  medicine: Medicine,
  doses: readonly Dose[],
  now: Date,
  isHere: (doseId: string) => boolean,
): NotedTwice | undefined {
  const since = instantOf(addDays(dayOf(now), -1), '00:00').toISOString();
  const taken = doses
    .filter((dose) => dose.taken && dose.loggedAt >= since)
    .sort((a, b) => b.loggedAt.localeCompare(a.loggedAt));
  for (const [at, second] of taken.entries()) {
    if (remarkOf(medicine, second.id)?.isAnother) continue;
    for (const first of taken.slice(at + 1)) {
      const found = asOne(medicine, first, second, isHere);
      if (found) return found;
    }
  }
  return undefined;
}

/** What both doses are notes of; `undefined` where they are two doses. */
function asOne(
  medicine: Medicine,
  first: Dose,
  second: Dose,
  isHere: (doseId: string) => boolean,
): NotedTwice | undefined {
  const apart = Date.parse(second.loggedAt) - Date.parse(first.loggedAt);
  const noter = ({ id, author }: Dose) => (isHere(id) ? 'here' : (author?.accountId ?? 'elsewhere'));
  const areTwo = noter(first) !== noter(second);
  const { schedule } = medicine.details;
  if (!schedule || schedule.asNeeded) {
    const { minHoursBetween } = schedule ?? {};
    // Two puffs of one person are not worth a question.
    if (!areTwo && !minHoursBetween) return undefined;
    const most = Math.min(areTwo ? APART_MS : TOGETHER_MS, ((minHoursBetween ?? Infinity) * HOUR_MS) / 2);
    return apart < most ? { medicine, first, second } : undefined;
  }
  if (!areTwo && apart >= TOGETHER_MS) return undefined;
  const due = dueOf(medicine, first);
  return due !== undefined && due === dueOf(medicine, second)
    ? { medicine, first, second, time: due.slice(-5) }
    : undefined;
}

/** The due dose that a dose answers as was said, or else is nearest to: `YYYY-MM-DD HH:MM`. */
function dueOf(medicine: Medicine, { id, loggedAt }: Dose): string | undefined {
  const said = remarkOf(medicine, id)?.answers;
  if (said) return said;
  const at = new Date(loggedAt);
  const apartFrom = (due: string) =>
    Math.abs(instantOf(due.slice(0, 10), due.slice(-5)).getTime() - at.getTime());
  return [-1, 0, 1]
    .map((days) => addDays(dayOf(at), days))
    .flatMap((day) => dosesDueOn(medicine, day).map(({ time }) => `${day} ${time}`))
    .sort((a, b) => apartFrom(a) - apartFrom(b))[0];
}
