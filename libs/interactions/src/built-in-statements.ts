import type { CompiledStatement } from './types';

/** Anything with texts: sentences of its own (built in) or positions in the base. */
export interface Statement extends Omit<CompiledStatement, 'summary' | 'mechanism' | 'management'> {
  summary: number | string;
  mechanism: number | string;
  management: number | string;
}

/** One ingredient in two products, where the base has no entry of its own for it. */
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

/** A name that was not understood completely; its result has the severity `unknown`. */
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
