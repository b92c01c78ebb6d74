import { SAME_INGREDIENT, SAME_INGREDIENT_LOCAL, type Statement } from './built-in-statements';
import { BurdenCheck } from './burdens/burden-check';
import { withinLimits } from './check-limits';
import { DoseCheck, type DosedProduct } from './dosage/dose-check';
import { parseDosage } from './dosage/parse-dosage';
import { everythingKnown } from './everything-known';
import { Findings } from './findings';
import { nameFindings } from './names/name-findings';
import { fold } from './names/fold';
import { NameIndex } from './names/name-index';
import { readName, suggestionsFor, type ReadIngredient } from './names/read-name';
import { tokenize } from './names/tokens';
import type { Item, Product } from './product';
import type { Person } from './person/person';
import { PersonCheck } from './person/person-check';
import { ResultFactory } from './result-factory';
import { absorbs, DuplicateRules, kindOfPair, PairRules, type Locality } from './rules/pair-rules';
import { closeTags, type TagSets } from './rules/tag-closure';
import { SpeciesCheck } from './species-check';
import { LOCAL_ROUTES } from './types';
import type {
  CheckNewRequest,
  CheckRequest,
  CompiledStatement,
  InteractionResult,
  KnowledgeBase,
  MatchMethod,
  ResolvedName,
  ResultKind,
  Species,
} from './types';

/**
 * Checks lists of medicines against one knowledge base. Pure: no network, no clock, and it keeps nothing of a
 * request.
 */
export interface InteractionEngine {
  /** The version of the knowledge base. */
  readonly version: string;
  /**
   * Every finding among the named medicines, most severe first. An empty array means that every name is known
   * and that the base knows no problem with taking them together. An unknown name gives an `unrecognized`
   * result. The order of the names does not matter.
   */
  check(request: CheckRequest): InteractionResult[];
  /**
   * Findings about one new medicine: its dosage, its species, and each of `medications`. Without
   * `medications`, all known findings about the medicine; each result lists its `partners`.
   */
  checkNew(request: CheckNewRequest): InteractionResult[];
  /** The ingredients that each name is read as, in the given order. */
  resolve(request: { medications: readonly string[] }): ResolvedName[];
}

/** Makes an engine from a compiled base. The base must not change afterwards. */
export function createEngine(base: KnowledgeBase): InteractionEngine {
  return new Engine(base);
}

class Engine implements InteractionEngine {
  readonly version: string;
  readonly pairs: PairRules;
  readonly duplicates: DuplicateRules;
  readonly factory: ResultFactory;
  private readonly index: NameIndex;
  private readonly tags: TagSets;
  private readonly burdens: BurdenCheck;
  private readonly doses: DoseCheck;
  private readonly persons: PersonCheck;
  private readonly animals: SpeciesCheck;
  private readonly traits: { isDrug: (ingredient: number) => boolean };

  constructor(readonly base: KnowledgeBase) {
    this.version = base.version;
    this.factory = new ResultFactory(base);
    this.index = new NameIndex(base);
    this.tags = closeTags(base);
    this.pairs = new PairRules(base, this.tags);
    this.duplicates = new DuplicateRules(base, this.tags);
    this.burdens = new BurdenCheck(base, this.tags, this.factory);
    this.doses = new DoseCheck(base, this.factory);
    this.persons = new PersonCheck(base, this.tags, this.factory);
    this.animals = new SpeciesCheck(base, this.tags, this.factory);
    this.traits = { isDrug: (ingredient) => (base.ingredients[ingredient].kind ?? 'drug') === 'drug' };
  }

  check({ medications, species = 'human', person }: CheckRequest): InteractionResult[] {
    // In a fixed order, so that the order of the request has no effect.
    const results = new Findings();
    const products = this.limited(this.products([...medications].sort()), results);
    products.forEach((product, i) => {
      this.names(product, results);
      this.toxicity(product, species, results);
      this.cautions(product, species, person, results);
      if (product.count > 1) this.comparePair(product, product, species, results);
      for (const other of products.slice(i + 1)) this.comparePair(product, other, species, results);
    });
    this.dosages(products.flatMap(withDosage), species, results);
    this.addUp(products, species, results, () => true);
    return results.sorted();
  }

  checkNew({
    name,
    dosage = '',
    medications,
    species = 'human',
    person,
  }: CheckNewRequest): InteractionResult[] {
    const [product] = this.products([name]);
    const results = new Findings();
    this.names(product, results);
    this.toxicity(product, species, results);
    this.cautions(product, species, person, results);
    const others = this.limited(this.products([...(medications ?? [])].sort()), results);
    this.dosages(
      [
        { product, dosage: dosage.trim() === '' ? name : dosage, asked: dosage.trim() !== '' },
        ...others.filter(({ reading }) => reading.input !== name).flatMap(withDosage),
      ],
      species,
      results,
    );
    if (medications === undefined) {
      everythingKnown(product, species, this).forEach((result) => results.push(result));
    } else {
      for (const other of others) {
        if (other.reading.input === name) {
          this.comparePair(product, product, species, results);
        } else {
          this.names(other, results);
          this.comparePair(product, other, species, results);
        }
      }
      const list = [product, ...others.filter(({ reading }) => reading.input !== name)];
      this.addUp(list, species, results, ({ medications: names }) => names.includes(name));
    }
    return results.sorted();
  }

  resolve({ medications }: { medications: readonly string[] }): ResolvedName[] {
    return medications.map((input): ResolvedName => {
      const reading = readName(input, this.index, this.traits);
      const { ingredients } = reading;
      const meanings = reading.assumed.flatMap(({ target }) =>
        (target.meanings ?? []).map((meaning) => ({
          ingredients: meaning.ingredients.map((ingredient) => this.factory.inn(ingredient)),
          countries: [...meaning.countries],
        })),
      );
      const least = ingredients.reduce((sum, { confidence }) => Math.min(sum, confidence), 1);
      return {
        input,
        ingredients: ingredients.map(({ ingredient }) => this.factory.inn(ingredient)),
        method: methodOf(ingredients),
        // A name with a part that was not understood has at most a confidence of one half.
        confidence: ingredients.length === 0 ? 0 : reading.unknown.length > 0 ? Math.min(least, 0.5) : least,
        suggestions: suggestionsFor(reading, this.index),
        ...(meanings.length > 0 && { meanings }),
      };
    });
  }

  private limited(products: readonly Product[], results: Findings): Product[] {
    const { checked, left } = withinLimits(products, this.factory);
    left.forEach((result) => results.push(result));
    return checked;
  }

  private products(medications: readonly string[]): Product[] {
    const products = new Map<string, Product>();
    for (const name of medications) {
      const known = products.get(name);
      if (known) {
        known.count++;
        continue;
      }
      const reading = readName(name, this.index, this.traits);
      const items = reading.ingredients.map((part): Item => {
        const declared = this.base.ingredients[part.ingredient].routes !== undefined && !reading.systemic;
        const named = reading.local !== undefined || this.isLocalByWord(part.ingredient, name);
        return {
          reading,
          part,
          locality: { named, declared, ...(reading.local && { route: reading.local }) },
        };
      });
      products.set(name, { reading, items, count: 1 });
    }
    return [...products.values()];
  }

  private cautions(product: Product, species: Species, person: Person | undefined, results: Findings): void {
    if (species !== 'human' || !person) return;
    for (const result of this.persons.check(product, person)) results.push(result);
  }

  /** Effects that add up over a whole list. The classes are those of people. */
  private addUp(
    products: readonly Product[],
    species: Species,
    results: Findings,
    isAsked: (result: InteractionResult) => boolean,
  ): void {
    if (species !== 'human') return;
    const found = this.burdens.check(products, results.soFar());
    for (const result of found.filter(isAsked)) results.push(result);
  }

  private dosages(dosed: readonly DosedProduct[], species: Species, results: Findings): void {
    for (const result of this.doses.check(dosed, species)) results.push(result);
  }

  private names(product: Product, results: Findings): void {
    for (const result of nameFindings(product, this.base, this.factory)) results.push(result);
  }

  private isLocalByWord(ingredient: number, name: string): boolean {
    const { localForms } = this.base.ingredients[ingredient];
    if (!localForms) return false;
    const words = new Set(tokenize(fold(name)).map(({ text }) => text));
    return localForms.some((word) => words.has(word));
  }

  /**
   * Compares two products, or a product with a second pack of itself. Never compares the parts of one product
   * with each other.
   */
  private comparePair(x: Product, y: Product, species: Species, results: Findings): void {
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
        found.rule as CompiledStatement,
        pair,
        found.related,
      );
    }
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
    const statement = local
      ? SAME_INGREDIENT_LOCAL
      : (this.duplicates.findSame(left.part.ingredient) ?? SAME_INGREDIENT);
    const items = left.reading.input <= right.reading.input ? [left, right] : [right, left];
    this.addPair(results, 'duplicate_therapy', statement, items, []);
  }

  private addPair(
    results: Findings,
    kind: ResultKind,
    statement: Statement | CompiledStatement,
    items: readonly Item[],
    related: string[],
  ): void {
    const ingredients = items.map(({ part }) => part.ingredient);
    const matches = items.map((item) => this.factory.match(item));
    results.addPair(`${kind} ${statement.id}`, ingredients, matches, () =>
      this.factory.make(kind, statement, items, related),
    );
  }

  private toxicity(product: Product, species: Species, results: Findings): void {
    for (const result of this.animals.check(product, species)) results.push(result);
  }
}

/**
 * A name in a list may also contain the dose: "paracetamol 500 mg, 2 tablets 4 times a day". Each pack
 * counts.
 */
function withDosage(product: Product): DosedProduct[] {
  const { input } = product.reading;
  if (parseDosage(input, '1 mg')?.timesPerWeek === undefined) return [];
  return Array.from({ length: product.count }, () => ({ product, dosage: input, asked: false }));
}

/** The number of different locality codes. */
const LOCALITIES = 4 * (LOCAL_ROUTES.length + 1);

function localityCode({ named, declared, route }: Locality): number {
  const place = route === undefined ? 0 : LOCAL_ROUTES.indexOf(route) + 1;
  return place * 4 + (named ? 2 : 0) + (declared ? 1 : 0);
}

/** True when two products with one ingredient act in different places. Their amounts then hardly add up. */
function actElsewhere(left: Item, right: Item): boolean {
  const [here, there] = [left.reading.local, right.reading.local];
  if (here !== undefined && there !== undefined) return here !== there;
  // For a drug that is only used locally, the bare name means the same place as a name with the route.
  return here !== there && !(left.locality.declared && right.locality.declared);
}

/**
 * The least direct method by which an ingredient of the name was found; `combination` for several
 * ingredients.
 */
function methodOf(ingredients: readonly ReadIngredient[]): MatchMethod {
  if (ingredients.length === 0) return 'none';
  if (ingredients.some(({ method }) => method === 'spelling')) return 'spelling';
  return ingredients.length > 1 ? 'combination' : ingredients[0].method;
}
