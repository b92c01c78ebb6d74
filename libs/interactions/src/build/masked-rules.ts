import { PairRules, severityRank, SYSTEMIC, type Locality } from '../rules/pair-rules';
import { closeTags, matchSelector } from '../rules/tag-closure';
import type { KnowledgeBase } from '../compiled-base';
import { ALL_SPECIES, type Species } from '../types';

/** A rule that decides a pair although a more severe rule also matches it. */
export interface MaskedRule {
  rule: string;
  hidden: string;
  /** One pair of ingredients as an example. */
  example: [string, string];
  pairs: number;
}

/**
 * Every rule that a milder rule hides for some pair of ingredients without naming it in `overrides`. Checks
 * all pairs, both as products that reach the whole body and by their bare names.
 */
export function findMaskedRules(
  base: KnowledgeBase,
  declared: ReadonlyMap<string, ReadonlySet<string>>,
): MaskedRule[] {
  const rules = new PairRules(base, closeTags(base));
  const severities = new Map(base.rules.map(({ id, severity }) => [id, severity]));
  const found = new Map<string, MaskedRule>();
  const look = (x: number, y: number, species: Species, localX: Locality, localY: Locality): void => {
    const verdict = rules.find(x, y, species, localX, localY);
    if (!verdict || verdict.related.length === 0) return;
    for (const hidden of verdict.related) {
      if (severityRank(severities.get(hidden) ?? 'none') >= severityRank(verdict.rule.severity)) continue;
      if (declared.get(verdict.rule.id)?.has(hidden)) continue;
      const key = `${verdict.rule.id} ${hidden}`;
      const known = found.get(key);
      if (known) known.pairs++;
      else {
        const example: [string, string] = [base.ingredients[x].inn, base.ingredients[y].inn];
        found.set(key, { rule: verdict.rule.id, hidden, example, pairs: 1 });
      }
    }
  };
  for (const species of ALL_SPECIES) {
    const first =
      species === 'human' ? base.ingredients.map((_, position) => position) : ingredientsOf(base, species);
    for (const x of first) {
      for (let y = 0; y < base.ingredients.length; y++) {
        if (y === x || (species === 'human' && y < x)) continue;
        look(x, y, species, SYSTEMIC, SYSTEMIC);
        const [localX, localY] = [byBareName(base, x), byBareName(base, y)];
        if (localX.declared || localY.declared) look(x, y, species, localX, localY);
      }
    }
  }
  return [...found.values()].sort((p, q) => (`${p.rule} ${p.hidden}` < `${q.rule} ${q.hidden}` ? -1 : 1));
}

function byBareName(base: KnowledgeBase, ingredient: number): Locality {
  return { named: false, declared: base.ingredients[ingredient].routes !== undefined };
}

/** The ingredients of rules for one animal only. Every other pair has the same result as in people. */
function ingredientsOf(base: KnowledgeBase, species: Species): number[] {
  const tags = closeTags(base);
  const own = base.rules.filter((rule) => rule.species?.includes(species));
  return base.ingredients
    .map((_, position) => position)
    .filter((ingredient) => own.some(({ a }) => matchSelector(a, ingredient, tags) !== undefined));
}
