import type { ChildDoseStep, CompiledChildDose } from '../compiled-base';
import type { KnownPerson } from '../person/person';
import { ADULT_AGE } from '../person/person-facts';
import type { Intake } from './dose-limit';
import type { ParsedDosage } from './parse-dosage';

/** Without an age, nobody above this weight counts as a child. */
const HEAVIEST_CHILD_WITHOUT_AGE = 35;
/** Spoons, drops and weights are rounded. A tenth above a limit is no finding. */
const TOLERANCE = 1.1;
/**
 * A heavy child of each year of life, in kilograms: near the 97th percentile of boys, rounded up.
 * Source: growth charts of the CDC, 2000.
 */
const HEAVY = [12.5, 16, 19, 22, 25, 29, 33, 39, 45, 52, 59, 66, 73, 80, 86, 91, 95, 98];

/** A light child of each year of life, in kilograms: near the 3rd percentile of girls, rounded down. The same source. */
const LIGHT = [3, 7.5, 9.5, 11, 12.5, 14, 15.5, 17, 19, 21, 23, 25, 28, 31, 35, 38, 40, 41];

/** A person for whom the limits of adults say nothing. */
export interface Child {
  /** In years. */
  age?: number;
  /** Absent when it is not known or cannot be right. */
  weight?: number;
  /** A weight that no usual child of this age exceeds. */
  heaviest?: number;
  /** A weight that every usual child of this age has. */
  lightest?: number;
}

/** The limits for one child, in the unit of the statement. */
export interface ChildLimit {
  single?: number;
  daily?: number;
}

/**
 * The result of comparing an intake with the limits of a child. `young`: labels give no dose at this age. `weight`,
 * `frequency`, `amount`: it depends on what is not known.
 */
export interface ChildVerdict {
  verdict: 'above' | 'young' | 'within' | 'weight' | 'frequency' | 'amount';
  limit: ChildLimit;
}

/** The child that a person is; `undefined` for an adult and for a person of whom neither age nor weight says more. */
export function childOf(person: KnownPerson | undefined): Child | undefined {
  const { age, weight_kg: given } = person ?? {};
  if (age === undefined)
    return given !== undefined && given <= HEAVIEST_CHILD_WITHOUT_AGE ? { weight: given } : undefined;
  if (age >= ADULT_AGE) return undefined;
  const year = Math.floor(Math.max(0, age));
  const [heaviest, lightest] = [HEAVY[year], LIGHT[year]];
  // Twice the weight of a heavy child is an error, as pounds or grams would be.
  const weight = given !== undefined && given > 0 && given <= 2 * heaviest ? given : undefined;
  return { age, heaviest, lightest, ...(weight !== undefined && { weight }) };
}

/** Compares an intake with the limits of labels for a child whose age is known. */
export function judgeChild(
  { unit, steps }: CompiledChildDose,
  intake: Intake,
  { age = 0, weight, heaviest = Infinity, lightest = 0 }: Child,
  iuPerMg: number | undefined,
): ChildVerdict {
  const reached = steps.filter(({ from }) => age >= from);
  const step = reached.at(-1);
  if (!step) return { verdict: 'young', limit: {} };
  // A limit by age alone is for a child of a usual weight. For a lighter one the limit by weight goes on.
  const byWeight = isByWeight(step) ? undefined : reached.filter(isByWeight).at(-1);
  const isLight = weight !== undefined && weight < lightest;
  const limit = limitOf(byWeight && isLight ? byWeight : step, weight ?? heaviest);
  const { least, most } = intake;
  const inUnit = (parsed: ParsedDosage): number | undefined =>
    parsed.unit === unit ? 1 : unit === 'IU' ? iuPerMg : iuPerMg && 1 / iuPerMg;
  const factor = least && inUnit(least);
  if (!least || !most || factor === undefined) return { verdict: 'amount', limit };
  if (isAbove(least, factor, limit)) return { verdict: 'above', limit };
  if (isAbove(most, factor, limit)) return { verdict: 'amount', limit };
  const isForEvery = byWeight && !isAbove(most, factor, limitOf(byWeight, lightest));
  if (weight === undefined && (isByWeight(step) || (byWeight && !isForEvery)))
    return { verdict: 'weight', limit };
  return { verdict: intake.timesPerWeek === undefined ? 'frequency' : 'within', limit };
}

/** Whether a step has a limit for each kilogram. */
export const isByWeight = ({ singlePerKg, dailyPerKg }: ChildDoseStep): boolean =>
  (singlePerKg ?? dailyPerKg) !== undefined;

function limitOf({ single, daily, singlePerKg, dailyPerKg }: ChildDoseStep, weight: number): ChildLimit {
  const least = (fixed = Infinity, perKg = Infinity): number | undefined => {
    const value = Math.min(fixed, perKg * weight);
    return Number.isFinite(value) ? value : undefined;
  };
  return { single: least(single, singlePerKg), daily: least(daily, dailyPerKg) };
}

function isAbove(parsed: ParsedDosage, factor: number, { single, daily }: ChildLimit): boolean {
  return (
    (single !== undefined && (parsed.single ?? 0) * factor > single * TOLERANCE) ||
    (daily !== undefined && parsed.perDay * factor > daily * TOLERANCE)
  );
}
