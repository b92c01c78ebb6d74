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
  /** In months; more exact than `age` for a small child. */
  age_months?: number;
  weight_kg?: number;
  /** Illnesses and allergies, each by the id or a name of the base. One that the base does not know is `not_assessed`. */
  conditions?: readonly string[];
  allergies?: readonly string[];
  /** Free text: one a line, or separated by commas or semicolons. */
  other_conditions?: string | readonly string[];
  other_allergies?: string | readonly string[];
  /** Estimated glomerular filtration rate, in ml/min/1.73 m². */
  egfr?: number;
  smokes?: boolean;
}

/** The persons to whom a caution applies. A person must meet all given terms. */
export interface PersonTerms {
  ageBelow?: number;
  ageFrom?: number;
  egfrBelow?: number;
  /** With `egfrBelow` a step, so that a person is told of one step only. */
  egfrFrom?: number;
  pregnant?: true;
  breastfeeding?: true;
  smokes?: true;
  sex?: 'female' | 'male';
  /** The id of an illness or an allergy of the base. */
  condition?: string;
  allergy?: string;
}

/** A person as the rules see it: the illnesses and allergies are those that the base knows. */
export interface KnownPerson extends Pick<
  Person,
  'sex' | 'pregnant' | 'breastfeeding' | 'egfr' | 'smokes' | 'weight_kg'
> {
  /** In years, with its part of a year where the months are known. */
  age?: number;
  conditions: ReadonlySet<string>;
  allergies: ReadonlySet<string>;
}

/** True when a person meets all the terms. An unknown property of the person does not meet a term. */
export function meets(person: KnownPerson, terms: PersonTerms): boolean {
  const { age = NaN, egfr = NaN } = person;
  return (
    (terms.ageBelow === undefined || age < terms.ageBelow) &&
    (terms.ageFrom === undefined || age >= terms.ageFrom) &&
    (terms.egfrBelow === undefined || egfr < terms.egfrBelow) &&
    (terms.egfrFrom === undefined || egfr >= terms.egfrFrom) &&
    (!terms.pregnant || person.pregnant === true) &&
    (!terms.breastfeeding || person.breastfeeding === true) &&
    (!terms.smokes || person.smokes === true) &&
    (terms.sex === undefined || person.sex === terms.sex) &&
    (terms.condition === undefined || person.conditions.has(terms.condition)) &&
    (terms.allergy === undefined || person.allergies.has(terms.allergy))
  );
}
