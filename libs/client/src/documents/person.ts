import type { Person } from '../interactions/interaction-types';
import type { Profile, ProfileDetails } from '../records/record-types';

/** An allergy or an illness. `code` is a value that the checks know. */
export interface HealthFact {
  text: string;
  code?: string;
}

/** The target range of a measure. Both ends belong to it. */
export interface MeasureTarget {
  low?: number;
  high?: number;
  /** UCUM. */
  unit: string;
}

/** What only the emergency card says. */
export interface EmergencyFacts {
  bloodGroup?: string;
  /** Whom to call, one a line. */
  contacts?: string;
  /** Name and telephone. */
  doctor?: string;
}

/** The encrypted part of a profile as this page writes it. Other members are kept. */
export interface FamilyMemberDetails {
  name: string;
  /** `YYYY-MM-DD`. */
  birthDate?: string;
  /** Of a pet: `dog`, `cat` or any other word. */
  species?: string;
  /** A small picture as a `data:` address, at most 24 kB. */
  picture?: string;
  sex?: 'female' | 'male';
  pregnant?: boolean;
  breastfeeding?: boolean;
  smokes?: boolean;
  /** ml/min/1.73 m². */
  egfr?: number;
  allergies?: HealthFact[];
  conditions?: HealthFact[];
  /** Questions for the next visit. */
  questions?: string[];
  emergency?: EmergencyFacts;
  /** Targets by metric and component: `blood_pressure.systolic`. */
  targets?: Record<string, MeasureTarget>;
  notes?: string;
}

/** A profile with the members that this page writes. */
export type FamilyMember = Omit<Profile, 'details'> & { details: FamilyMemberDetails };

const PICTURE = /^data:image\/(?:png|jpeg|webp);base64,[\w+/=]+$/;

/** The page's view of a profile. */
export function asFamilyMember(profile: Profile): FamilyMember {
  const details = { ...profile.details } as unknown as FamilyMemberDetails;
  for (const list of ['allergies', 'conditions', 'questions'] as const)
    if (details[list] !== undefined && !Array.isArray(details[list])) delete details[list];
  if (!isEmergency(details.emergency)) delete details.emergency;
  // Security: another client, or an import, may have written any address. No SVG, which can hold links.
  if (!PICTURE.test(details.picture ?? '')) delete details.picture;
  return { ...profile, details };
}

const isEmergency = (value: unknown): value is EmergencyFacts =>
  typeof value === 'object' &&
  value !== null &&
  Object.values(value).every((each) => typeof each === 'string');

/** The details in the form that the client takes. */
export function toProfileDetails(details: Partial<FamilyMemberDetails>): ProfileDetails {
  return details as unknown as ProfileDetails;
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
