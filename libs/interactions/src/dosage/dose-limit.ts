import type { LocalRoute, CompiledDose } from '../types';
import type { ParsedDosage } from './parse-dosage';

/** More doses a week than this are no weekly dosing. */
const MOST_DOSES_OF_A_WEEKLY_DRUG = 2;

/** True when a dosage is above a ceiling, or a weekly drug is taken on most days. */
export function isExceeded(dose: CompiledDose, parsed: ParsedDosage): boolean {
  const { timesPerWeek } = parsed;
  if (dose.weekly && timesPerWeek !== undefined && timesPerWeek > MOST_DOSES_OF_A_WEEKLY_DRUG) return true;
  if (dose.unit !== parsed.unit) return false;
  if (dose.maxDaily !== undefined && parsed.perDay > dose.maxDaily) return true;
  if (dose.maxWeekly === undefined) return false;
  // Without a frequency one dose is certain, a dose every day is not.
  return (timesPerWeek === undefined ? parsed.perDay : parsed.perWeek) > dose.maxWeekly;
}

/** Ceilings are about medicines that reach the whole body, unless they name the local route. */
export function appliesToRoute(dose: CompiledDose, local: LocalRoute | undefined): boolean {
  return local === undefined || (dose.routes ?? []).includes(local);
}
