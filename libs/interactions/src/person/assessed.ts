import { matchSelector, type TagSets } from '../rules/tag-closure';
import type { CompiledSelector, KnowledgeBase } from '../compiled-base';
import type { KnownPerson, PersonTerms } from './person';
import type { AskedFact } from './person-facts';

interface Statement {
  a: CompiledSelector;
  /** Only for children: the youngest age in years. */
  from?: number;
  /** A caution on what is swallowed says nothing of what acts locally. */
  systemicOnly?: boolean;
  /** Only for what acts locally. */
  local?: true;
}

/** Facts of a second person, whom also a cream can reach. */
const OF_TWO: ReadonlySet<string> = new Set(['pregnancy', 'breastfeeding']);

/** Which ingredients the base has a statement on, for each fact of a person. */
export class Assessed {
  private readonly statements = new Map<string, Statement[]>();
  private readonly complete = new Set<string>();

  constructor(
    private readonly base: KnowledgeBase,
    private readonly tags: TagSets,
  ) {
    for (const { when, a, words, keepLocal } of base.cautions ?? []) {
      // A caution about one form says nothing about the others.
      if (!words) for (const fact of factsOf(when)) this.add(fact, { a, systemicOnly: !keepLocal });
    }
    for (const { facts, a, from, local } of base.fine ?? [])
      for (const fact of facts)
        this.add(fact, { a, ...(from !== undefined && { from }), ...(local && { local }) });
    for (const { id, complete } of base.facts ?? []) if (complete) this.complete.add(id);
  }

  private add(fact: string, statement: Statement): void {
    const known = this.statements.get(fact);
    if (known) known.push(statement);
    else this.statements.set(fact, [statement]);
  }

  /** True when the base says something on the ingredient for the fact, a caution or that it is fine. */
  has({ ids, allergens }: AskedFact, ingredient: number, { age }: KnownPerson, isLocal: boolean): boolean {
    // An allergy to one medicine says nothing against a medicine of no common class.
    if (allergens.length > 0 && !allergens.some((allergen) => this.shareClass(allergen, ingredient)))
      return true;
    return [...ids].some(
      (id) =>
        this.complete.has(id) ||
        this.statements
          .get(id)
          ?.some(
            ({ a, from, systemicOnly, local }) =>
              !(isLocal ? systemicOnly && OF_TWO.has(id) : local) &&
              (from === undefined || age === undefined || age >= from) &&
              matchSelector(a, ingredient, this.tags) !== undefined,
          ),
    );
  }

  private shareClass(x: number, y: number): boolean {
    if (x === y) return false;
    return [...this.tags[x]].some((tag) => this.base.tags[tag].class && this.tags[y].has(tag));
  }
}

/** The facts that a caution is about. */
export function factsOf({
  ageBelow,
  ageFrom,
  pregnant,
  breastfeeding,
  egfrBelow,
  condition,
  allergy,
}: PersonTerms): string[] {
  return [
    ...(ageBelow !== undefined && ageBelow <= 18 && (ageFrom ?? 0) < 18 ? ['child'] : []),
    ...(pregnant ? ['pregnancy'] : []),
    ...(breastfeeding ? ['breastfeeding'] : []),
    ...(egfrBelow !== undefined ? ['kidneys'] : []),
    ...[condition, allergy].filter((id) => id !== undefined),
  ];
}
