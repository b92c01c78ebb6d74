import {
  GRADED_SEVERITIES,
  type CompiledDuplicate,
  type CompiledRule,
  type KnowledgeBase,
  type Species,
} from '../types';
import { isExcepted, matchSelector, type SelectorMatch, type TagSets } from './tag-closure';

/** Rank for sorting: 0 is the most severe; `unknown` and `none` come last. */
export function severityRank(severity: string): number {
  const rank = (GRADED_SEVERITIES as readonly string[]).indexOf(severity);
  return rank < 0 ? GRADED_SEVERITIES.length : rank;
}

/** Where a product acts, as far as rules care. */
export interface Locality {
  /** The words of the name, or the brand, say that it acts locally. */
  named: boolean;
  /** The ingredient is used only locally and the name does not say otherwise. */
  declared: boolean;
}

/** A product that reaches the whole body. */
export const SYSTEMIC: Locality = { named: false, declared: false };

/** The rule that speaks for a pair, with its sides in the order of the rule, and the ids of the others that hit it. */
export interface PairVerdict<Rule> {
  rule: Rule;
  a: number;
  b: number;
  related: string[];
}

interface SideMatch {
  rule: number;
  by: SelectorMatch;
}

interface Hit {
  rule: CompiledRule;
  a: number;
  b: number;
  byA: SelectorMatch;
  byB: SelectorMatch;
}

/** Finds the rules for pairs of ingredients. Symmetric: the order of the two arguments never matters. */
export class PairRules {
  private readonly sides = new Map<number, { a: SideMatch[]; b: Map<number, SelectorMatch> }>();

  constructor(
    private readonly base: KnowledgeBase,
    private readonly tags: TagSets,
  ) {}

  /**
   * The verdict on two different ingredients, or nothing. A verdict with severity `none` means "checked, does not matter".
   * A rule that names both ingredients beats rules about classes; among equals the more severe wins.
   */
  find(
    x: number,
    y: number,
    species: Species,
    localX: Locality,
    localY: Locality,
  ): PairVerdict<CompiledRule> | undefined {
    if (x === y) return undefined;
    const [first, second] = x < y ? [x, y] : [y, x];
    const localOf = (ingredient: number): Locality => (ingredient === x ? localX : localY);
    const hits: Hit[] = [];
    const seen = new Set<CompiledRule>();
    this.collect(first, second, hits, seen);
    this.collect(second, first, hits, seen);
    let open = hits.filter(
      ({ rule, a, b, byA, byB }) =>
        (!rule.species || rule.species.includes(species)) &&
        this.reaches(rule, a, byA, localOf(a)) &&
        this.reaches(rule, b, byB, localOf(b)) &&
        !isExcepted(rule.except, a, b, this.tags),
    );
    const replaced = new Set(open.flatMap(({ rule }) => rule.overrides ?? []));
    open = open.filter(({ rule }) => !replaced.has(rule.id));
    if (open.length === 0) return undefined;
    open.sort(compareHits);
    const [{ rule, a, b }, ...others] = open;
    return {
      rule,
      a,
      b,
      related: others
        .filter((hit) => hit.rule.severity !== 'none')
        .map((hit) => hit.rule.id)
        .sort(),
    };
  }

  private collect(a: number, b: number, hits: Hit[], seen: Set<CompiledRule>): void {
    const sideB = this.sidesOf(b).b;
    for (const { rule, by } of this.sidesOf(a).a) {
      const byB = sideB.get(rule);
      const found = this.base.rules[rule];
      if (byB === undefined || seen.has(found)) continue;
      seen.add(found);
      hits.push({ rule: found, a, b, byA: by, byB });
    }
  }

  private sidesOf(ingredient: number): { a: SideMatch[]; b: Map<number, SelectorMatch> } {
    let sides = this.sides.get(ingredient);
    if (!sides) {
      sides = { a: [], b: new Map() };
      for (let rule = 0; rule < this.base.rules.length; rule++) {
        const { a, b } = this.base.rules[rule];
        const byA = matchSelector(a, ingredient, this.tags);
        const byB = matchSelector(b, ingredient, this.tags);
        if (byA) sides.a.push({ rule, by: byA });
        if (byB) sides.b.set(rule, byB);
      }
      this.sides.set(ingredient, sides);
    }
    return sides;
  }

  /** A local product is out of reach unless rule or ingredient say that it acts on the whole body all the same. */
  private reaches(rule: CompiledRule, ingredient: number, by: SelectorMatch, local: Locality): boolean {
    if (rule.keepLocal || this.base.ingredients[ingredient].keepLocal) return true;
    if (local.named) return false;
    return !local.declared || by === 'ingredient';
  }
}

/** How precisely a rule speaks about the pair: a pair of its own, lists of ingredients, classes. Smaller is more precise. */
function precision({ rule, byA, byB }: Hit): number {
  if (byA !== 'ingredient' || byB !== 'ingredient') return 2;
  return isSingle(rule.a) && isSingle(rule.b) ? 0 : 1;
}

function isSingle(selector: CompiledRule['a']): boolean {
  return !selector.t && selector.i?.length === 1;
}

function compareHits(x: Hit, y: Hit): number {
  const named = (hit: Hit): number => Number(hit.byA === 'ingredient') + Number(hit.byB === 'ingredient');
  return (
    precision(x) - precision(y) ||
    severityRank(x.rule.severity) - severityRank(y.rule.severity) ||
    named(y) - named(x) ||
    (x.rule.id < y.rule.id ? -1 : 1)
  );
}

/** Finds the duplicate class of two different ingredients: the most severe one they share. */
export class DuplicateRules {
  constructor(
    private readonly base: KnowledgeBase,
    private readonly tags: TagSets,
  ) {}

  find(x: number, y: number, localX: Locality, localY: Locality): PairVerdict<CompiledDuplicate> | undefined {
    if (x === y) return undefined;
    const local = this.isLocal(x, localX) || this.isLocal(y, localY);
    const open = this.base.duplicates.filter(
      ({ tag, keepLocal, except }) =>
        tag !== undefined &&
        this.tags[x].has(tag) &&
        this.tags[y].has(tag) &&
        (keepLocal || !local) &&
        !isExcepted(except, x, y, this.tags),
    );
    if (open.length === 0) return undefined;
    open.sort((p, q) => severityRank(p.severity) - severityRank(q.severity) || (p.id < q.id ? -1 : 1));
    const [rule, ...others] = open;
    const [a, b] = this.base.ingredients[x].inn < this.base.ingredients[y].inn ? [x, y] : [y, x];
    return { rule, a, b, related: others.map(({ id }) => id).sort() };
  }

  private isLocal(ingredient: number, { named, declared }: Locality): boolean {
    return (named || declared) && !this.base.ingredients[ingredient].keepLocal;
  }

  /** The entry about one ingredient taken twice: its own, else the general one. */
  findSame(ingredient: number): CompiledDuplicate | undefined {
    return (
      this.base.duplicates.find((duplicate) => duplicate.ingredient === ingredient) ??
      this.base.duplicates.find(({ tag, ingredient: own }) => tag === undefined && own === undefined)
    );
  }
}
