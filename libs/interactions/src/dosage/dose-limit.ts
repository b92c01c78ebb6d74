import { fold } from '../names/fold';
import type { CompiledDose, DoseSchedule } from '../compiled-base';
import type { LocalRoute } from '../types';
import type { ParsedDosage } from './parse-dosage';

/** With more doses per week than these, the dosing is no longer weekly or monthly. "Every 5 days" is close enough. */
const MOST_DOSES_A_WEEK = { weekly: 1.5, monthly: 0.6 };

/**
 * The result of comparing a dosage with a ceiling. `unknown`: it depends on an amount that the text does not
 * give.
 */
export type DoseVerdict = 'exceeded' | 'within' | 'unknown';

/** The intake of one ingredient. The amounts are absent when only the frequency is known. */
export interface Intake {
  /** With the smallest strength of the product on the market, and with the largest. */
  least?: ParsedDosage;
  most?: ParsedDosage;
  /**
   * With a number in the name that has no unit ("Actonel 35") read in milligrams. It can only add a warning, and only in
   * the unit that the packs of the ingredient state.
   */
  guess?: ParsedDosage;
  timesPerWeek?: number;
  /** Pieces at a time: tablets, puffs, patches. */
  count?: number;
  /** No frequency was found, but words that no one read. */
  unclear?: true;
}

/** Compares an intake with a ceiling. @param words name and dosage as written */
export function judge(
  dose: CompiledDose,
  intake: Intake,
  words: string,
  iuPerMg: number | undefined,
): DoseVerdict {
  const { timesPerWeek } = intake;
  if (dose.patch) return isPatch(words) && isTooMany(dose.patch, intake) ? 'exceeded' : 'within';
  if (dose.weekly && timesPerWeek !== undefined && timesPerWeek > MOST_DOSES_A_WEEK.weekly) return 'exceeded';
  if (dose.schedule) return judgeSchedule(dose.schedule, intake, words);
  if (dose.maxDaily === undefined && dose.maxWeekly === undefined)
    return timesPerWeek === undefined ? 'unknown' : 'within';
  const [least, most, guess] = [intake.least, intake.most, inUnitOfThePack(dose, intake.guess)].map(
    (parsed) => parsed && isAbove(dose, parsed, iuPerMg),
  );
  if (least === undefined || most === undefined) return guess ? 'exceeded' : 'unknown';
  return least ? 'exceeded' : most ? 'unknown' : 'within';
}

/** True for words that name a patch, in the languages of packs. */
export function isPatch(words: string): boolean {
  return /patch|pflaster|parche|cerott|transderm|adesivo|\btts\b/.test(fold(words));
}

/** More than one at a time, or changed too early. "Every 3 days" and "twice a week" are close enough. */
function isTooMany({ atATime, perWeek }: NonNullable<CompiledDose['patch']>, intake: Intake): boolean {
  return (intake.count ?? 1) > atATime || (intake.timesPerWeek ?? 0) > perWeek * 1.1;
}

/** Detects a weekly or monthly strength that is taken more often. */
function judgeSchedule({ most, from, unless }: DoseSchedule, intake: Intake, words: string): DoseVerdict {
  const { timesPerWeek, least = intake.guess } = intake;
  const folded = fold(words);
  if (timesPerWeek === undefined || timesPerWeek <= MOST_DOSES_A_WEEK[most]) return 'within';
  if (unless?.some((word) => folded.includes(fold(word)))) return 'within';
  if (from === undefined) return 'exceeded';
  if (!least || least.unit !== 'mg') return 'unknown';
  if (least.perWeek / timesPerWeek >= from) return 'exceeded';
  return least === intake.guess ? 'unknown' : 'within';
}

/** "Euthyrox 75" are micrograms and "Dekristol 20000" are units: a number without a unit is never milligrams by guess. */
function inUnitOfThePack(
  { unit, micrograms }: CompiledDose,
  guess: ParsedDosage | undefined,
): ParsedDosage | undefined {
  if (!guess || (unit === 'mg' && !micrograms)) return guess;
  const factor = micrograms ? 0.001 : 1;
  return { ...guess, unit, perDay: guess.perDay * factor, perWeek: guess.perWeek * factor };
}

/** Undefined when the units cannot be compared. */
function isAbove(dose: CompiledDose, parsed: ParsedDosage, iuPerMg: number | undefined): boolean | undefined {
  const factor = dose.unit === parsed.unit ? 1 : dose.unit === 'IU' ? iuPerMg : iuPerMg && 1 / iuPerMg;
  if (factor === undefined) return undefined;
  if (dose.maxDaily !== undefined && parsed.perDay * factor > dose.maxDaily) return true;
  if (dose.maxWeekly === undefined) return false;
  // Without a frequency, only one dose is certain; a dose every day is not.
  return (parsed.timesPerWeek === undefined ? parsed.perDay : parsed.perWeek) * factor > dose.maxWeekly;
}

/** A ceiling applies to medicines that reach the whole body, unless it names the local route. */
export function appliesToRoute(
  { routes = [] }: { routes?: string[] },
  local: LocalRoute | undefined,
): boolean {
  return local === undefined || routes.includes(local);
}
