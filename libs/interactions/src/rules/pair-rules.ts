import type { CompiledDuplicate, CompiledRule, CompiledSelector, KnowledgeBase } from '../compiled-base';
import { GRADED_SEVERITIES, type LocalRoute, type Species } from '../types';
import { append } from '../append';
import { isExcepted, type SelectorMatch, type TagSets } from './tag-closure';

/** Rank for sorting: 0 is the most severe; `unknown` and `none` come last. */
export function severityRank(severity: string): number {
  const rank = (GRADED_SEVERITIES as readonly string[]).indexOf(severity);
  return rank < 0 ? GRADED_SEVERITIES.length : rank;
}

/** Where a product acts, as far as the rules need it. */
export interface Locality {
  /** The name or the brand says that the product acts locally. */
  named: boolean;
  /** The ingredient is only used locally, and the name does not say otherwise. */
  declared: boolean;
  /**
   * Where the product acts, when the name says so. An ingredient may reach the whole body from only some
   * places.
   */
  route?: LocalRoute;
}

/** A product that reaches the whole body. */
export const SYSTEMIC: Locality = { named: false, declared: false };

/**
 * The rule that decides a pair, with its sides in the order of the rule, and the ids of the other matching
 * rules.
 */
export interface PairVerdict<Rule> {
  rule: Rule;
  a: number;
  b: number;
  related: string[];
}

/**
 * The rules that match an ingredient on each side: a list to iterate and a table for look-ups (0: no, 1: by a
 * tag, 2: by name).
 */
interface Sides {
  a: { rule: number; by: SelectorMatch }[];
  b: Uint8Array;
}

interface Hit {
  rule: CompiledRule;
  a: number;
  b: number;
  byA: SelectorMatch;
  byB: SelectorMatch;
}

/** The rules that name a tag or an ingredient on one side. */
class SideIndex {
  private readonly byTag = new Map<number, number[]>();
  private readonly byIngredient = new Map<number, number[]>();

  add(selector: CompiledSelector, rule: number): void {
    for (const tag of selector.t ?? []) append(this.byTag, tag, rule);
    for (const ingredient of selector.i ?? []) append(this.byIngredient, ingredient, rule);
  }

  /** The rules that match an ingredient on this side. Its name has priority over its tags. */
  match(ingredient: number, tags: ReadonlySet<number>): Map<number, 'ingredient' | 'tag'> {
    const found = new Map<number, 'ingredient' | 'tag'>();
    for (const tag of tags) for (const rule of this.byTag.get(tag) ?? []) found.set(rule, 'tag');
    for (const rule of this.byIngredient.get(ingredient) ?? []) found.set(rule, 'ingredient');
    return found;
  }
}

/** Finds the rules for pairs of ingredients. Symmetric: the order of the two arguments never matters. */
export class PairRules {
  private readonly sides = new Map<number, Sides>();
  /** Made for the first pair. */
  private index: { a: SideIndex; b: SideIndex } | undefined;

  constructor(
    private readonly base: KnowledgeBase,
    private readonly tags: TagSets,
  ) {}

  /**
   * The verdict on two different ingredients, or `undefined`. A verdict with severity `none` means "checked,
   * does not matter". A rule that names both ingredients has priority over rules about classes; among equals,
   * the more severe one wins.
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
    this.collect(first, second, hits);
    this.collect(second, first, hits);
    if (hits.length === 0) return undefined;
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

  private collect(a: number, b: number, hits: Hit[]): void {
    const sideB = this.sidesOf(b).b;
    for (const { rule, by } of this.sidesOf(a).a) {
      const inB = sideB[rule];
      if (inB === 0) continue;
      const found = this.base.rules[rule];
      if (hits.some((hit) => hit.rule === found)) continue;
      hits.push({ rule: found, a, b, byA: by, byB: inB === 2 ? 'ingredient' : 'tag' });
    }
  }

  private sidesOf(ingredient: number): Sides {
    let sides = this.sides.get(ingredient);
    if (!sides) {
      const index = (this.index ??= this.makeIndex());
      const matchesA = index.a.match(ingredient, this.tags[ingredient]);
      sides = {
        a: [...matchesA].map(([rule, by]) => ({ rule, by })),
        b: new Uint8Array(this.base.rules.length),
      };
      for (const [rule, by] of index.b.match(ingredient, this.tags[ingredient])) {
        sides.b[rule] = by === 'ingredient' ? 2 : 1;
      }
      this.sides.set(ingredient, sides);
    }
    return sides;
  }

  private makeIndex(): { a: SideIndex; b: SideIndex } {
    const index = { a: new SideIndex(), b: new SideIndex() };
    this.base.rules.forEach((rule, position) => {
      index.a.add(rule.a, position);
      index.b.add(rule.b, position);
    });
    return index;
  }

  /**
   * True when a rule applies to a product. It does not apply to a local product unless the rule or the
   * ingredient says that it acts on the whole body.
   */
  private reaches(rule: CompiledRule, ingredient: number, by: SelectorMatch, local: Locality): boolean {
    if (rule.keepLocal || absorbs(this.base, ingredient, local)) return true;
    if (local.named) return false;
    return !local.declared || by === 'ingredient';
  }
}

/** True when an ingredient reaches the whole body from the place where it is used. */
export function absorbs(base: KnowledgeBase, ingredient: number, { route }: Locality): boolean {
  const { keepLocal } = base.ingredients[ingredient];
  return Array.isArray(keepLocal) ? route === undefined || keepLocal.includes(route) : keepLocal === true;
}

/** True when a product acts only where it is applied, as far as this ingredient goes. */
export function actsLocally(base: KnowledgeBase, ingredient: number, locality: Locality): boolean {
  return (locality.named || locality.declared) && !absorbs(base, ingredient, locality);
}

/**
 * The precision of a rule for a pair: its own pair, lists of ingredients, classes. Smaller is more precise.
 */
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

/**
 * What bleeds or faints at twice the dose. Opioids have entries of their own: a slow and a fast one are often planned together.
 */
const GRAVE_TWICE = ['anticoagulant', 'insulin'];

/** Finds the duplicate class of two different ingredients: the most severe one that they share. */
export class DuplicateRules {
  /** The classes of each ingredient that was asked for once. */
  private readonly classes = new Map<number, readonly CompiledDuplicate[]>();

  constructor(
    private readonly base: KnowledgeBase,
    private readonly tags: TagSets,
  ) {}

  find(x: number, y: number, localX: Locality, localY: Locality): PairVerdict<CompiledDuplicate> | undefined {
    if (x === y) return undefined;
    const [ofX, ofY] = [this.classesOf(x), this.classesOf(y)];
    if (ofX.length === 0 || ofY.length === 0) return undefined;
    const local = actsLocally(this.base, x, localX) || actsLocally(this.base, y, localY);
    const samePlace = localX.route !== undefined && localX.route === localY.route;
    const open = ofX.filter(
      (duplicate) =>
        ofY.includes(duplicate) &&
        (duplicate.keepLocal === true || !local || (duplicate.keepLocal === 'same' && samePlace)) &&
        !isExcepted(duplicate.except, x, y, this.tags),
    );
    if (open.length === 0) return undefined;
    open.sort((p, q) => severityRank(p.severity) - severityRank(q.severity) || (p.id < q.id ? -1 : 1));
    const [rule, ...others] = open;
    const [a, b] = this.base.ingredients[x].inn < this.base.ingredients[y].inn ? [x, y] : [y, x];
    return { rule, a, b, related: others.map(({ id }) => id).sort() };
  }

  private classesOf(ingredient: number): readonly CompiledDuplicate[] {
    let classes = this.classes.get(ingredient);
    if (!classes) {
      const own = this.tags[ingredient];
      classes = this.base.duplicates.filter(({ tag }) => tag !== undefined && own.has(tag));
      this.classes.set(ingredient, classes);
    }
    return classes;
  }

  /** Whether twice as much of an ingredient is a danger at once, by what it is. */
  isGraveTwice(ingredient: number): boolean {
    const own = this.tags[ingredient];
    return this.base.tags.some(({ id }, tag) => GRAVE_TWICE.includes(id) && own.has(tag));
  }

  /** The entry about one ingredient taken twice: the specific one, otherwise the general one. */
  findSame(ingredient: number): CompiledDuplicate | undefined {
    return (
      this.base.duplicates.find((duplicate) => duplicate.ingredient === ingredient) ??
      this.base.duplicates.find(({ tag, ingredient: own }) => tag === undefined && own === undefined)
    );
  }
}

/** An interaction with food or alcohol is a `food` finding, whichever rule it comes from. */
export function kindOfPair(
  base: KnowledgeBase,
  rule: CompiledRule,
  x: number,
  y: number,
): 'interaction' | 'food' {
  const edible = [x, y].some((ingredient) => {
    const { kind } = base.ingredients[ingredient];
    return kind === 'food' || kind === 'alcohol';
  });
  return edible || rule.kind === 'food' ? 'food' : 'interaction';
}
