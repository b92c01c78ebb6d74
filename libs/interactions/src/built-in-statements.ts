import type { CompiledStatement } from './compiled-base';
import type { GradedSeverity } from './types';

/**
 * A statement of the base, or one that the engine makes itself. The texts of the latter are in the base under its
 * id. Severity `none`: the result has the severity `unknown`.
 */
export interface Statement extends Omit<
  CompiledStatement,
  'severity' | 'summary' | 'mechanism' | 'management'
> {
  severity: GradedSeverity | 'none';
  summary?: number;
  mechanism?: number;
  management?: number;
  /** The id under which the texts are, if it is not the id of the statement. */
  textsOf?: string;
  /** About a medicine for emergencies: the engine has the advice, `alone` or before that of the statement. */
  rescue?: 'alone' | 'before';
}

/** One ingredient in two products, when the base has no specific entry for it. */
export const SAME_INGREDIENT: Statement = {
  id: 'same-ingredient',
  severity: 'moderate',
  action: 'avoid',
  sources: [],
};

/** Two packs of one medicine for emergencies. */
export const SAME_RESCUE: Statement = {
  id: 'same-rescue',
  severity: 'minor',
  action: 'be_aware',
  sources: [],
};

/** One ingredient in two products that act in different places. */
export const SAME_INGREDIENT_LOCAL: Statement = {
  id: 'same-ingredient-different-routes',
  severity: 'minor',
  action: 'be_aware',
  sources: [],
};

/** A name whose spelling was corrected; {a} is the input, {b} the name it was read as. */
export const NAME_CORRECTED = uncertain('name-assumed-spelling');

/**
 * A name that has different meanings in different countries; {a} is the name, {b} its meanings with their
 * countries.
 */
export const NAME_WITH_SEVERAL_MEANINGS = uncertain('name-assumed-meanings');

/**
 * A short brand that only one country is known to use; {a} is the name, {b} its content with the country.
 */
export const NAME_OF_ONE_COUNTRY = uncertain('name-assumed-one-country');

/** A name that was not completely understood. */
export const UNRECOGNIZED = uncertain('unrecognized');

/** A name that one check leaves out because of its size. */
export const TOO_MANY_INGREDIENTS = uncertain('too-many-ingredients');

/** {a} are the ingredients without information for the animal {b}. */
export const NOT_ASSESSED = uncertain('species-not-assessed');

/** {a} are the ingredients on which the base says nothing for the fact {b} of the person. */
export const PERSON_NOT_ASSESSED = uncertain('person-not-assessed');

/** The person has an allergy to exactly this ingredient. */
export const ALLERGY_TO_THIS: Statement = {
  id: 'person-allergy-to-this',
  severity: 'contraindicated',
  action: 'avoid',
  sources: [],
};

/** A dosage that was not understood; {a} is the ingredient. */
export const DOSE_UNREAD = uncertain('dose-unread');

/** The number of pieces or the frequency is known, but not the strength. */
export const DOSE_STRENGTH_UNKNOWN = uncertain('dose-strength-unknown');

/** The base has no ceiling for the ingredient with this species and route. */
export const DOSE_WITHOUT_CEILING = uncertain('dose-without-ceiling');

/** A dose of a child: the limits of the base are those of adults. */
export const DOSE_OF_A_CHILD = uncertain('dose-of-a-child');

/** The limit for a child is by weight, and the weight is not known. */
export const CHILD_DOSE_WITHOUT_WEIGHT = uncertain('child-dose-without-weight');

/** "As needed", or one amount without a frequency. */
export const DOSE_FREQUENCY_UNKNOWN = uncertain('dose-frequency-unknown');

/** The texts of every limit for a child: {b} is the limit, or the youngest age. */
export const CHILD_DOSE_TEXTS = { above: 'child-dose-above', young: 'child-dose-too-young' } as const;

/** A check that was not made, or not with certainty. */
function uncertain(id: string): Statement {
  return { id, severity: 'none', action: 'be_aware', evidence: 'theoretical', sources: [] };
}
