import { SAME_INGREDIENT, type Statement } from './built-in-statements';
import type { Item, Product } from './product';
import type { ResultFactory } from './result-factory';
import { kindOfPair, SYSTEMIC, type DuplicateRules, type PairRules } from './rules/pair-rules';
import type { CompiledStatement, InteractionResult, KnowledgeBase, ResultKind, Species } from './types';

/** Findings about one product with the same rule, kind and side. */
interface Group {
  kind: ResultKind;
  statement: Statement | CompiledStatement;
  ownIsA: boolean;
  partners: number[];
  related: Set<string>;
}

/** All findings of the base about one product, grouped by rule. The other sides are the `partners`. */
export function everythingKnown(
  { items }: Product,
  species: Species,
  {
    base,
    pairs,
    duplicates,
    factory,
  }: { base: KnowledgeBase; pairs: PairRules; duplicates: DuplicateRules; factory: ResultFactory },
): InteractionResult[] {
  const own = new Set(items.map(({ part }) => part.ingredient));
  return items.flatMap((item) => [...groupsOf(item).values()].map((group) => resultOf(group, item)));

  function groupsOf(item: Item): Map<string, Group> {
    const { ingredient } = item.part;
    const groups = new Map<string, Group>();
    for (let other = 0; other < base.ingredients.length; other++) {
      if (other === ingredient || own.has(other)) continue;
      const theirs = { ...SYSTEMIC, declared: base.ingredients[other].routes !== undefined };
      const found = pairs.find(ingredient, other, species, item.locality, theirs);
      if (found && found.rule.severity !== 'none') {
        const kind = kindOfPair(base, found.rule, ingredient, other);
        addTo(groups, kind, found.rule as CompiledStatement, found.a === ingredient, other, found.related);
      }
      const twice = duplicates.find(ingredient, other, item.locality, theirs);
      if (twice) addTo(groups, 'duplicate_therapy', twice.rule, twice.a === ingredient, other, twice.related);
    }
    const { kind = 'drug' } = base.ingredients[ingredient];
    if (kind !== 'food' && kind !== 'alcohol') {
      const same = duplicates.findSame(ingredient) ?? SAME_INGREDIENT;
      addTo(groups, 'duplicate_therapy', same, true, ingredient, []);
    }
    return groups;
  }

  function resultOf(group: Group, item: Item): InteractionResult {
    const name = factory.inn(item.part.ingredient);
    const single = group.partners.length === 1 ? factory.inn(group.partners[0]) : 'the other medicine';
    const [a, b] = group.ownIsA ? [name, single] : [single, name];
    return {
      ...factory.make(group.kind, group.statement, [item], [...group.related].sort(), [a, b]),
      partners: group.partners.map((ingredient) => factory.partner(ingredient)),
    };
  }
}

function addTo(
  groups: Map<string, Group>,
  kind: ResultKind,
  statement: Statement | CompiledStatement,
  ownIsA: boolean,
  partner: number,
  related: readonly string[],
): void {
  const key = `${kind} ${statement.id}`;
  const group = groups.get(key) ?? { kind, statement, ownIsA, partners: [], related: new Set<string>() };
  group.partners.push(partner);
  for (const id of related) group.related.add(id);
  groups.set(key, group);
}
