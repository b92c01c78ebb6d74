import type { Dose } from '@app/client';
import { addDays, dayOf, instantOf } from '../../../platform/model/dates';
import { type DoseAmount, type Medicine, remarkOf } from '@app/client/documents';
import { dosesDueOn } from '../../medications/model/schedule';

/** How much a logged dose was: as the person said, else as the plan says of the due dose that it answers or is nearest to. */
export function takenAmount(medicine: Medicine, { id, loggedAt }: Dose): DoseAmount | undefined {
  const { amount, unit, answers } = remarkOf(medicine, id) ?? {};
  if (amount !== undefined && unit) return { amount, unit };
  const { dose, schedule } = medicine.details;
  if (!dose || !schedule?.amounts) return dose;
  const at = new Date(loggedAt);
  const around = answers ? [answers.slice(0, 10)] : [0, -1, 1].map((apart) => addDays(dayOf(at), apart));
  const due = around
    .flatMap((day) => dosesDueOn(medicine, day).map((each) => ({ ...each, day })))
    .map((each) => ({ ...each, apart: Math.abs(instantOf(each.day, each.time).getTime() - at.getTime()) }))
    .filter(({ day, time }) => !answers || answers === `${day} ${time}`)
    .sort((a, b) => a.apart - b.apart);
  return due[0]?.dose ?? dose;
}

const DAY_MS = 86_400_000;

/** What was taken in the 24 hours before a time, in the unit of the dose; a dose without an amount counts as one. */
export function takenWithin24Hours(medicine: Medicine, doses: readonly Dose[], now: Date): number {
  return recent(medicine, doses, now).reduce((sum, { units }) => sum + units, 0);
}

const recent = (medicine: Medicine, doses: readonly Dose[], now: Date) =>
  doses
    .filter(({ taken, loggedAt }) => taken && now.getTime() - Date.parse(loggedAt) < DAY_MS)
    .map((dose) => ({ at: Date.parse(dose.loggedAt), units: unitsOf(medicine, dose) }))
    .sort((a, b) => a.at - b.at);

function unitsOf(medicine: Medicine, dose: Dose): number {
  const { amount = 1, unit } = takenAmount(medicine, dose) ?? {};
  const planned = medicine.details.dose;
  return !planned || planned.unit === unit ? amount : planned.amount;
}

/**
 * The earliest time of the next dose of a medicine that is taken as needed: after the shortest time between two doses,
 * and when it is within the most of 24 hours. `undefined` where it may be taken now.
 */
export function nextNotBefore(medicine: Medicine, doses: readonly Dose[], now: Date): Date | undefined {
  const { minHoursBetween, mostIn24Hours } = medicine.details.schedule ?? {};
  const last = doses.find(({ taken }) => taken);
  const times: number[] = [];
  if (last && minHoursBetween) times.push(Date.parse(last.loggedAt) + minHoursBetween * 3_600_000);
  if (mostIn24Hours) {
    const next = medicine.details.dose?.amount ?? 1;
    let used = takenWithin24Hours(medicine, doses, now);
    for (const { at, units } of recent(medicine, doses, now)) {
      if (used + next <= mostIn24Hours) break;
      used -= units;
      times.push(at + DAY_MS);
    }
  }
  const latest = Math.max(...times);
  return latest > now.getTime() ? new Date(latest) : undefined;
}
