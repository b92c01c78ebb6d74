import { SAME_INGREDIENT, SAME_RESCUE, type Statement } from '../built-in-statements';
import type { Item, Product } from '../product';
import type { ResultFactory } from '../result-factory';
import { kindOfPair, SYSTEMIC, type DuplicateRules, type PairRules } from '../rules/pair-rules';
import { areSpares, forEmergency } from '../rules/rescue';
import type { CompiledStatement, KnowledgeBase } from '../compiled-base';
import type { InteractionResult, ResultKind, Species } from '../types';

/** What is known about one ingredient by one rule: the other sides are the partners. */
export interface KnownFact {
  item: Item;
  kind: ResultKind;
  statement: Statement;
  ownIsA: boolean;
  partners: number[];
  related: Set<string>;
}

/** The rules to search. */
export interface Rules {
  base: KnowledgeBase;
  pairs: PairRules;
  duplicates: DuplicateRules;
}

/** Everything that the base holds about one product, by ingredient and rule. */
export function everythingKnown(
  { items }: Product,
  species: Species,
  { base, pairs, duplicates }: Rules,
): KnownFact[] {
  const own = new Set(items.map(({ part }) => part.ingredient));
  return items.flatMap((item) => [...factsOf(item).values()]);

  function factsOf(item: Item): Map<string, KnownFact> {
    const { ingredient } = item.part;
    const facts = new Map<string, KnownFact>();
    const add = (
      kind: ResultKind,
      written: Statement,
      ownIsA: boolean,
      partner: number,
      related: readonly string[],
    ): void => {
      const statement = written === SAME_RESCUE ? written : forEmergency(written, [item]);
      const key = `${kind} ${statement.id}`;
      const fact = facts.get(key) ?? { item, kind, statement, ownIsA, partners: [], related: new Set() };
      fact.partners.push(partner);
      for (const id of related) fact.related.add(id);
      facts.set(key, fact);
    };
    for (let other = 0; other < base.ingredients.length; other++) {
      if (other === ingredient || own.has(other)) continue;
      const theirs = { ...SYSTEMIC, declared: base.ingredients[other].routes !== undefined };
      const found = pairs.find(ingredient, other, species, item.locality, theirs);
      if (found && found.rule.severity !== 'none') {
        const kind = kindOfPair(base, found.rule, ingredient, other);
        add(kind, found.rule as CompiledStatement, found.a === ingredient, other, found.related);
      }
      const twice = duplicates.find(ingredient, other, item.locality, theirs);
      if (twice) add('duplicate_therapy', twice.rule, twice.a === ingredient, other, twice.related);
    }
    const { kind = 'drug' } = base.ingredients[ingredient];
    if (kind !== 'food' && kind !== 'alcohol') {
      const same = areSpares(item, item) ? SAME_RESCUE : (duplicates.findSame(ingredient) ?? SAME_INGREDIENT);
      add('duplicate_therapy', same, true, ingredient, []);
    }
    return facts;
  }
}

/** One result for a fact, without the partners. */
export function resultOfFact(
  { item, kind, statement, ownIsA, partners, related }: KnownFact,
  factory: ResultFactory,
): InteractionResult {
  const { ingredient } = item.part;
  const name = factory.texts.noun(factory.inn(ingredient));
  const [first, ...others] = partners;
  return factory.make(kind, statement, [item], [...related].sort(), (phrase) => {
    const other =
      others.length > 0
        ? phrase('word.other-medicine')
        : first === ingredient
          ? phrase('word.another-product')
          : factory.texts.noun(factory.inn(first));
    return ownIsA ? [name, other] : [other, name];
  });
}
