import type { Item, Product } from '../product';
import type { ResultFactory } from '../result-factory';
import { actsLocally, severityRank } from '../rules/pair-rules';
import { matchSelector, type TagSets } from '../rules/tag-closure';
import type { CompiledBurden, CompiledSelector, KnowledgeBase } from '../compiled-base';
import type { GradedSeverity, InteractionResult, Severity } from '../types';

/** Two medicines are a pair, which has its own finding. */
const LEAST_MEDICINES = 3;

interface Member {
  ingredient: number;
  /** The products that hold it. */
  items: Item[];
  points: number;
}

/** Finds effects that add up over three or more medicines. */
export class BurdenCheck {
  private readonly rules: ReadonlyMap<string, KnowledgeBase['rules'][number]>;
  /** For each burden the points of an ingredient that was asked for once. */
  private readonly points = new Map<CompiledBurden, Map<number, number>>();

  constructor(
    private readonly base: KnowledgeBase,
    private readonly tags: TagSets,
    private readonly factory: ResultFactory,
  ) {
    this.rules = new Map(base.rules.map((rule) => [rule.id, rule]));
  }

  /**
   * One result for each burden. It is at least as severe as the pairs that are part of it. Their ids are its
   * `related_rules`.
   * @param pairs the findings about pairs among the products
   */
  check(products: readonly Product[], pairs: readonly InteractionResult[]): InteractionResult[] {
    return (this.base.burdens ?? []).flatMap((burden) => this.checkOne(burden, products, pairs) ?? []);
  }

  private checkOne(
    burden: CompiledBurden,
    products: readonly Product[],
    pairs: readonly InteractionResult[],
  ): InteractionResult | undefined {
    const members = this.membersOf(burden, products);
    const items = members.flatMap((member) => member.items);
    const medicines = new Set(items.map(({ reading }) => reading.input));
    if (members.length < LEAST_MEDICINES || medicines.size < 2) return undefined;
    const isMet = (needed: CompiledSelector, used: Set<Member>): boolean => {
      const found = members.find(
        (member) => !used.has(member) && matchSelector(needed, member.ingredient, this.tags),
      );
      if (found) used.add(found);
      return found !== undefined;
    };
    const used = new Set<Member>();
    if (!(burden.needs ?? []).every((needed) => isMet(needed, used))) return undefined;
    const points = members.reduce((sum, member) => sum + member.points, 0);
    const graded = burden.grades.filter(([, least]) => points >= least).map(([severity]) => severity);
    const [grade] = graded.sort((a, b) => severityRank(a) - severityRank(b));
    if (!grade) return undefined;
    const parts = this.partsOf(burden, members, pairs);
    const severity = [grade, ...parts.map((part) => part.severity)].reduce(
      (worst: Severity, next) => (severityRank(next) < severityRank(worst) ? next : worst),
      grade,
    ) as GradedSeverity;
    const inns = members.map(({ ingredient }) => this.factory.inn(ingredient));
    const names = inns.join(', ');
    const related = [...new Set(parts.map(({ rule_id }) => rule_id))].sort();
    return this.factory.make('cumulative_burden', { ...burden, severity }, items, related, [names, names]);
  }

  /**
   * Each ingredient once, with all products that hold it, and with the highest points that a class gives it. Local products do
   * not add up, nor does what is kept for an emergency.
   */
  private membersOf(burden: CompiledBurden, products: readonly Product[]): Member[] {
    const members = new Map<number, Member>();
    for (const item of products.flatMap(({ items }) => items)) {
      const { ingredient } = item.part;
      if (item.rescue || actsLocally(this.base, ingredient, item.locality)) continue;
      const known = members.get(ingredient);
      if (known) {
        known.items.push(item);
        continue;
      }
      const points = this.pointsOf(burden, ingredient);
      if (points > 0) members.set(ingredient, { ingredient, items: [item], points });
    }
    return [...members.values()];
  }

  private pointsOf(burden: CompiledBurden, ingredient: number): number {
    let known = this.points.get(burden);
    if (!known) this.points.set(burden, (known = new Map<number, number>()));
    let points = known.get(ingredient);
    if (points === undefined) {
      const given = burden.members.filter(({ a }) => matchSelector(a, ingredient, this.tags));
      known.set(ingredient, (points = Math.max(0, ...given.map(({ p }) => p))));
    }
    return points;
  }

  /** Findings about two members that come from a rule about the classes of this burden. */
  private partsOf(
    { members: classes }: CompiledBurden,
    members: readonly Member[],
    pairs: readonly InteractionResult[],
  ): InteractionResult[] {
    const inns = new Set(members.map(({ ingredient }) => this.factory.inn(ingredient)));
    const ownTags = this.withImplied(new Set(classes.flatMap(({ a }) => a.t ?? [])));
    const ownIngredients = new Set(classes.flatMap(({ a }) => a.i ?? []));
    return pairs.filter(({ kind, rule_id, ingredients }) => {
      const rule = this.rules.get(rule_id);
      const isPair = kind === 'interaction' || kind === 'food';
      if (!isPair || !rule || !ingredients.every((inn) => inns.has(inn))) return false;
      const isOwn = ({ t = [], i = [] }: CompiledSelector): boolean =>
        t.some((tag) => ownTags.has(tag)) || i.some((ingredient) => ownIngredients.has(ingredient));
      return isOwn(rule.a) && isOwn(rule.b);
    });
  }

  /** A rule about MAO inhibitors of one kind belongs to a burden of all MAO inhibitors. */
  private withImplied(tags: Set<number>): Set<number> {
    const all = new Set(tags);
    this.base.tags.forEach(({ implies = [] }, tag) => {
      if (implies.some((implied) => tags.has(implied))) all.add(tag);
    });
    return all;
  }
}
