/** Illnesses that change the effect of a medicine. */
export const CONDITIONS = [
  'asthma',
  'glaucoma',
  'heart_failure',
  'g6pd_deficiency',
  'epilepsy',
  'long_qt',
] as const;

/** Groups of substances that can cause an allergy. */
export const ALLERGIES = ['penicillin', 'sulfonamide', 'nsaid', 'opioid', 'egg'] as const;

export type Condition = (typeof CONDITIONS)[number];
export type Allergy = (typeof ALLERGIES)[number];

/**
 * The person who takes the medicines. Absent members are not checked.
 * Security: only for checks on the device. No route accepts it, so the service does not learn of an illness.
 */
export interface Person {
  /** In years. */
  age?: number;
  sex?: 'female' | 'male';
  pregnant?: boolean;
  breastfeeding?: boolean;
  conditions?: readonly Condition[];
  allergies?: readonly Allergy[];
  /** Estimated glomerular filtration rate, in ml/min/1.73 m². */
  egfr?: number;
  smokes?: boolean;
}

/** The persons to whom a caution applies. A person must meet all given terms. */
export interface PersonTerms {
  ageBelow?: number;
  ageFrom?: number;
  egfrBelow?: number;
  pregnant?: true;
  breastfeeding?: true;
  smokes?: true;
  sex?: 'female' | 'male';
  condition?: Condition;
  allergy?: Allergy;
}

/** True when a person meets all the terms. An unknown property of the person does not meet a term. */
export function meets(person: Person, terms: PersonTerms): boolean {
  const { age = NaN, egfr = NaN } = person;
  return (
    (terms.ageBelow === undefined || age < terms.ageBelow) &&
    (terms.ageFrom === undefined || age >= terms.ageFrom) &&
    (terms.egfrBelow === undefined || egfr < terms.egfrBelow) &&
    (!terms.pregnant || person.pregnant === true) &&
    (!terms.breastfeeding || person.breastfeeding === true) &&
    (!terms.smokes || person.smokes === true) &&
    (terms.sex === undefined || person.sex === terms.sex) &&
    (terms.condition === undefined || (person.conditions ?? []).includes(terms.condition)) &&
    (terms.allergy === undefined || (person.allergies ?? []).includes(terms.allergy))
  );
}
