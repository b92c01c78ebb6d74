import type { Person } from '../interactions/interaction-types';
import type { Profile } from '../records/record-types';
import { readDetails } from './read-details';
import type { MembersOf } from './schemas/parts';
import { type HealthFact, PROFILE } from './schemas/profile';

/** The members of the encrypted part of a profile that have a meaning. */
export type FamilyMemberDetails = MembersOf<typeof PROFILE>;

/** A profile with what of it fits the schema. */
export type FamilyMember = Omit<Profile, 'details'> & { details: FamilyMemberDetails };

/** The view of a profile. Members that another client wrote in another shape are left out. */
export function asFamilyMember(profile: Profile): FamilyMember {
  return { ...profile, details: readDetails(PROFILE, profile.details) };
}

/** What a person wants to ask at the next visit. In the same list the client keeps open questions: see `questionsOf`. */
export function toAskOf({ questions = [] }: Pick<FamilyMemberDetails, 'questions'>): string[] {
  return questions.filter((each) => typeof each === 'string');
}

/** The allergies that the checks know. */
export const ALLERGY_CODES = ['penicillin', 'sulfonamide', 'nsaid', 'opioid', 'egg'] as const;
/** The illnesses that the checks know. */
export const CONDITION_CODES = [
  'asthma',
  'glaucoma',
  'heart_failure',
  'g6pd_deficiency',
  'epilepsy',
  'long_qt',
] as const;

/** From this age on, in years, a person is no child. */
export const ADULT_AGE = 18;

/** What the checks on the device may know of a person. Nothing of it leaves the device. @param weight in kilograms */
export function personOf(
  { kind, details }: FamilyMember,
  today: string,
  weight?: number,
): Person | undefined {
  if (kind !== 'human') return undefined;
  const codes = <T extends string>(facts: HealthFact[] | undefined, known: readonly T[]) =>
    known.filter((code) => facts?.some((fact) => fact.code === code));
  // What was typed is given too: an illness that the checks do not know must be answered with "not checked".
  const typed = (facts: HealthFact[] = []) => facts.filter(({ code }) => !code).map(({ text }) => text);
  const conditions = [...codes(details.conditions, CONDITION_CODES), ...typed(details.conditions)];
  const allergies = [...codes(details.allergies, ALLERGY_CODES), ...typed(details.allergies)];
  const { birthDate, sex, pregnant, breastfeeding, smokes, egfr } = details;
  return {
    ...(birthDate && { age: ageOn(birthDate, today), age_months: monthsOn(birthDate, today) }),
    ...(sex && { sex }),
    ...(pregnant && { pregnant }),
    ...(breastfeeding && { breastfeeding }),
    ...(smokes && { smokes }),
    ...(egfr !== undefined && { egfr }),
    ...(weight !== undefined && { weight_kg: weight }),
    ...(conditions.length > 0 && { conditions }),
    ...(allergies.length > 0 && { allergies }),
  };
}

/** Full months from a birth date to a day; both `YYYY-MM-DD`. */
export function monthsOn(birthDate: string, today: string): number {
  const [from, to] = [birthDate, today].map((day) => Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7)));
  return to - from - (today.slice(8) < birthDate.slice(8) ? 1 : 0);
}

/** Full years from a birth date to a day; both `YYYY-MM-DD`. */
export function ageOn(birthDate: string, today: string): number {
  const years = Number(today.slice(0, 4)) - Number(birthDate.slice(0, 4));
  return today.slice(5) < birthDate.slice(5) ? years - 1 : years;
}
