import { SAME_INGREDIENT, SAME_INGREDIENT_LOCAL, SAME_RESCUE, type Statement } from './built-in-statements';
import type { Findings } from './findings';
import type { Item, Product } from './product';
import type { ResultFactory } from './result-factory';
import { absorbs, type DuplicateRules, kindOfPair, type Locality, type PairRules } from './rules/pair-rules';
import { areSpares, forEmergency } from './rules/rescue';
import { LOCAL_ROUTES } from './types';
import { fold } from './names/fold';
import type { CompiledRule, CompiledStatement, KnowledgeBase } from './compiled-base';
import type { ResultKind, Species } from './types';

/** Finds what two products do to each other. */
export class PairCheck {
  constructor(
    private readonly base: KnowledgeBase,
    private readonly pairs: PairRules,
    private readonly duplicates: DuplicateRules,
    private readonly factory: ResultFactory,
  ) {}

  /**
   * Compares two products, or a product with a second pack of itself. Never compares the parts of one product
   * with each other.
   */
  compare(x: Product, y: Product, species: Species, results: Findings): void {
    for (const left of x.items) {
      for (const right of y.items) {
        if (left.part.ingredient === right.part.ingredient) this.sameIngredient(left, right, results);
        else if (x !== y) this.compareItems(left, right, species, results);
      }
    }
  }

  private compareItems(left: Item, right: Item, species: Species, results: Findings): void {
    const [x, y] = [left.part.ingredient, right.part.ingredient];
    const itemOf = (ingredient: number): Item => (ingredient === x ? left : right);
    const places = localityCode(left.locality) * LOCALITIES + localityCode(right.locality);
    const key = (x * this.base.ingredients.length + y) * LOCALITIES ** 2 + places;
    const found = results.verdict(key, () => this.pairs.find(x, y, species, left.locality, right.locality));
    if (found && found.rule.severity !== 'none') {
      const pair = [itemOf(found.a), itemOf(found.b)];
      this.addPair(
        results,
        kindOfPair(this.base, found.rule, x, y),
        (isLowDose(found.rule, pair[0])
          ? { ...found.rule, severity: 'minor' }
          : found.rule) as CompiledStatement,
        pair,
        found.related,
      );
    }
    // A medicine for emergencies beside one of its class for every day is planned.
    if ((left.rescue === undefined) !== (right.rescue === undefined)) return;
    const twice = this.duplicates.find(x, y, left.locality, right.locality);
    if (!twice) return;
    this.addPair(results, 'duplicate_therapy', twice.rule, [itemOf(twice.a), itemOf(twice.b)], twice.related);
  }

  private sameIngredient(left: Item, right: Item, results: Findings): void {
    const { kind = 'drug' } = this.base.ingredients[left.part.ingredient];
    // Two coffees are not a double therapy.
    if (kind === 'food' || kind === 'alcohol') return;
    const reach = [left, right].every(({ locality }) => absorbs(this.base, left.part.ingredient, locality));
    const local = !reach && actElsewhere(left, right);
    const statement = areSpares(left, right)
      ? SAME_RESCUE
      : local
        ? SAME_INGREDIENT_LOCAL
        : this.takenTwice(left, right);
    const items = left.reading.input <= right.reading.input ? [left, right] : [right, left];
    this.addPair(results, 'duplicate_therapy', statement, items, []);
  }

  /** Under two names nobody sees that it is one substance; two strengths under one name are often planned. */
  private takenTwice(left: Item, right: Item): Statement {
    const { ingredient } = left.part;
    const same: Statement = this.duplicates.findSame(ingredient) ?? SAME_INGREDIENT;
    const isHidden = nameOf(left) !== nameOf(right);
    return same.severity === 'moderate' && isHidden && this.duplicates.isGraveTwice(ingredient)
      ? { ...same, severity: 'major' }
      : same;
  }

  private addPair(
    results: Findings,
    kind: ResultKind,
    statement: Statement,
    items: readonly Item[],
    related: string[],
  ): void {
    const ingredients = items.map(({ part }) => part.ingredient);
    const matches = items.map((item) => this.factory.match(item));
    const isTold = statement === SAME_RESCUE;
    results.addPair(`${kind} ${statement.id}`, ingredients, matches, () =>
      this.factory.make(kind, isTold ? statement : forEmergency(statement, items), items, related),
    );
  }
}

/** Whether the name shows the low dose for which the rule is only a remark: each number in it is one of such a dose. */
function isLowDose({ minorWhereNamed = [] }: CompiledRule, { reading }: Item): boolean {
  if (minorWhereNamed.length === 0) return false;
  const words = fold(reading.input).split(/[^a-z0-9]+|(?<=[0-9])(?=[a-z])/);
  const numbers = words.filter((word) => /^[0-9]/.test(word));
  return (
    words.some((word) => minorWhereNamed.includes(word)) &&
    numbers.every((word) => minorWhereNamed.includes(word))
  );
}

/** The number of different locality codes. */
const LOCALITIES = 4 * (LOCAL_ROUTES.length + 1);

function localityCode({ named, declared, route }: Locality): number {
  const place = route === undefined ? 0 : LOCAL_ROUTES.indexOf(route) + 1;
  return place * 4 + (named ? 2 : 0) + (declared ? 1 : 0);
}

/** True when two products with one ingredient act in different places. Their amounts then hardly add up. */
function actElsewhere(left: Item, right: Item): boolean {
  const [here, there] = [left.locality.route, right.locality.route];
  if (here !== undefined && there !== undefined) return here !== there;
  // For a drug that is only used locally, the bare name means the same place as a name with the route.
  return here !== there && !(left.locality.declared && right.locality.declared);
}

/** The name of a product without its strength. */
function nameOf({ reading }: Item): string {
  return fold(reading.input).replace(/\s*\d.*$/s, '');
}
