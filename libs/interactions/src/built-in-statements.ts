import type { CompiledStatement, GradedSeverity } from './types';

/** A statement with texts: built-in sentences or positions in the base. */
export interface Statement extends Omit<
  CompiledStatement,
  'severity' | 'summary' | 'mechanism' | 'management'
> {
  severity: GradedSeverity | 'none';
  summary: number | string;
  mechanism: number | string;
  management: number | string;
}

/** One ingredient in two products, when the base has no specific entry for it. */
export const SAME_INGREDIENT: Statement = {
  id: 'same-ingredient',
  severity: 'moderate',
  action: 'avoid',
  summary: 'More than one of these products contains {a}, so the doses add up.',
  mechanism:
    'The same active substance is in products with different names. Taken together they can exceed the safe dose without anyone noticing.',
  management:
    'Use only one product with {a} unless a prescriber planned both. Add up the amounts in all products before taking more.',
  sources: [],
};

/** One ingredient in two products that act in different places. */
export const SAME_INGREDIENT_LOCAL: Statement = {
  id: 'same-ingredient-different-routes',
  severity: 'minor',
  action: 'be_aware',
  summary: 'Two products contain {a}, but at least one of them acts mainly where it is applied.',
  mechanism:
    'Little of a local product reaches the rest of the body. The amounts add up only when large areas or high doses are used.',
  management:
    'Using both is often intended. Keep to the amounts on the labels and ask a pharmacist when unsure.',
  sources: [],
};

/**
 * A name whose spelling was corrected; {a} is the input, {b} the name it was read as. Its result has the
 * severity `unknown`.
 */
export const NAME_CORRECTED: Statement = {
  id: 'name-assumed-spelling',
  severity: 'minor',
  action: 'be_aware',
  evidence: 'theoretical',
  summary: 'The name {a} is not known; it was checked as {b}.',
  mechanism:
    'The spelling was corrected to the nearest known name. Whether that is what was meant is not certain.',
  management:
    'Compare with the name on the pack. If it is another medicine, write the name as it stands there and check again, because that medicine was not checked.',
  sources: [],
};

/**
 * A name that has different meanings in different countries; {a} is the name, {b} its meanings with their
 * countries.
 */
export const NAME_WITH_SEVERAL_MEANINGS: Statement = {
  id: 'name-assumed-meanings',
  severity: 'minor',
  action: 'be_aware',
  evidence: 'theoretical',
  summary: '{a} is the name of different medicines: {b}.',
  mechanism:
    'The same brand name is used for different ingredients in different countries. All of them were checked, because the name does not say which one it is.',
  management:
    'Look on the pack for the active ingredient. Check again with that name, because some of the findings may be about the other medicine.',
  sources: [],
};

/** A name that was not completely understood. Its result has the severity `unknown`. */
export const UNRECOGNIZED: Statement = {
  id: 'unrecognized',
  severity: 'minor',
  action: 'be_aware',
  evidence: 'theoretical',
  summary: 'This name, or a part of it, was not recognised, so it was not checked.',
  mechanism:
    'The knowledge base does not know the name. It was not checked how it acts together with other medicines.',
  management:
    'Check the spelling, or use the name of the active ingredient on the pack. Until then ask a pharmacist, because it was not checked and a missing warning means nothing.',
  sources: [],
};

/** A name that one check leaves out because of its size. Its result has the severity `unknown`. */
export const TOO_MANY_INGREDIENTS: Statement = {
  id: 'too-many-ingredients',
  severity: 'minor',
  action: 'be_aware',
  evidence: 'theoretical',
  summary: 'This name was not checked, because the list has too many ingredients for one check.',
  mechanism:
    'One check compares a limited number of ingredients. It was not checked how this medicine acts together with the others.',
  management:
    'Check it again in a shorter list, together with the medicines that matter most. Until then a missing warning means nothing.',
  sources: [],
};

/** {a} are the ingredients without information for the animal {b}. The result has the severity `unknown`. */
export const NOT_ASSESSED: Statement = {
  id: 'species-not-assessed',
  severity: 'minor',
  action: 'be_aware',
  evidence: 'theoretical',
  summary: 'Whether {a} harms {b} was not assessed.',
  mechanism:
    'The knowledge base knows nothing about it in this animal. Animals bear many human medicines and foods badly.',
  management:
    'Give it only when a vet has said so. If the animal has swallowed it, call a vet or an animal poison line and say how much and when.',
  sources: [],
};

const ASK_ABOUT_DOSE =
  'Compare with the leaflet in the pack, or ask a pharmacist whether this amount is right. That no warning is shown means nothing here.';

/**
 * A dosage that was not understood; {a} is the ingredient. Results about unchecked doses have the severity
 * `unknown`.
 */
export const DOSE_UNREAD: Statement = {
  id: 'dose-unread',
  severity: 'minor',
  action: 'be_aware',
  evidence: 'theoretical',
  summary: 'The dose of {a} was not checked, because the dosage could not be read.',
  mechanism: 'The text does not say how much is taken and how often. Write it as "500 mg three times a day".',
  management: ASK_ABOUT_DOSE,
  sources: [],
};

/** The number of pieces or the frequency is known, but not the strength. */
export const DOSE_STRENGTH_UNKNOWN: Statement = {
  ...DOSE_UNREAD,
  id: 'dose-strength-unknown',
  summary: 'The dose of {a} was not checked completely, because the strength is not known.',
  mechanism:
    'The text does not say how much one tablet or dose holds. Add the strength, as in "2 tablets of 500 mg twice a day".',
};

/** The base has no ceiling for the ingredient with this species and route. */
export const DOSE_WITHOUT_CEILING: Statement = {
  ...DOSE_UNREAD,
  id: 'dose-without-ceiling',
  summary: 'The dose of {a} was not checked, because no limit for it is known here.',
  mechanism:
    'The knowledge base has no highest dose for this medicine as it is used here. It was not checked whether the amount is too high.',
};
