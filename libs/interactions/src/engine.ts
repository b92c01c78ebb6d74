import { SAME_INGREDIENT, SAME_INGREDIENT_LOCAL, UNRECOGNIZED, type Statement } from './built-in-statements';
import { appliesToRoute, isExceeded } from './dosage/dose-limit';
import { parseDosage } from './dosage/parse-dosage';
import { Findings } from './findings';
import { NameIndex } from './names/name-index';
import { readName, suggestionsFor, type NameReading, type ReadIngredient } from './names/read-name';
import {
  DuplicateRules,
  kindOfPair,
  PairRules,
  severityRank,
  SYSTEMIC,
  type Locality,
} from './rules/pair-rules';
import { fillIn } from './rules/statement-text';
import { closeTags, isExcepted, matchSelector, type TagSets } from './rules/tag-closure';
import type {
  CheckNewRequest,
  CheckRequest,
  CompiledAlias,
  CompiledDuplicate,
  CompiledStatement,
  InteractionResult,
  KnowledgeBase,
  MatchMethod,
  NameMatch,
  Partner,
  ResolvedName,
  ResultKind,
  Species,
} from './types';

/** Checks lists of medicines against one knowledge base. Pure: no network, no clock, nothing is kept of what is asked. */
export interface InteractionEngine {
  /** The version of the knowledge base. */
  readonly version: string;
  /**
   * Every finding among the named medicines, most severe first. Empty means that every name is known and nothing is known
   * against taking them together; a name that is not known yields an `unrecognized` result. The order of the names does not matter.
   */
  check(request: CheckRequest): InteractionResult[];
  /**
   * Findings about one new medicine: its dosage, its species, and each of `medications`. Without `medications` everything known
   * about it, each result with the `partners` it is about.
   */
  checkNew(request: CheckNewRequest): InteractionResult[];
  /** What each name is read as, in the order given. */
  resolve(request: { medications: readonly string[] }): ResolvedName[];
}

/** Makes an engine of a compiled base; the base must not be changed afterwards. */
export function createEngine(base: KnowledgeBase): InteractionEngine {
  return new Engine(base);
}

/** One ingredient of one product, as the rules see it. */
interface Item {
  reading: NameReading;
  part: ReadIngredient;
  locality: Locality;
}

/** One product: the name as sent, and its ingredients. */
interface Product {
  reading: NameReading;
  items: Item[];
  /** How often exactly this name was sent. */
  count: number;
}

class Engine implements InteractionEngine {
  readonly version: string;
  private readonly names: NameIndex;
  private readonly tags: TagSets;
  private readonly pairs: PairRules;
  private readonly duplicates: DuplicateRules;
  private readonly traits: { isDrug: (ingredient: number) => boolean };

  constructor(private readonly base: KnowledgeBase) {
    this.version = base.version;
    this.names = new NameIndex(base);
    this.tags = closeTags(base);
    this.pairs = new PairRules(base, this.tags);
    this.duplicates = new DuplicateRules(base, this.tags);
    this.traits = { isDrug: (ingredient) => (base.ingredients[ingredient].kind ?? 'drug') === 'drug' };
  }

  check({ medications, species = 'human' }: CheckRequest): InteractionResult[] {
    // In a fixed order, so that nothing depends on the order of the request.
    const products = this.products([...medications].sort());
    const results = new Findings();
    products.forEach((product, i) => {
      this.unrecognized(product, results);
      this.toxicity(product, species, results);
      if (product.count > 1) this.comparePair(product, product, species, results);
      for (const other of products.slice(i + 1)) this.comparePair(product, other, species, results);
    });
    return results.sorted();
  }

  checkNew({ name, dosage = '', medications, species = 'human' }: CheckNewRequest): InteractionResult[] {
    const [product] = this.products([name]);
    const results = new Findings();
    this.unrecognized(product, results);
    this.toxicity(product, species, results);
    this.dose(product, dosage, species, results);
    if (medications === undefined) {
      this.everythingKnown(product, species, results);
    } else {
      for (const other of this.products([...medications].sort())) {
        if (other.reading.input === name) {
          this.comparePair(product, product, species, results);
        } else {
          this.unrecognized(other, results);
          this.comparePair(product, other, species, results);
        }
      }
    }
    return results.sorted();
  }

  resolve({ medications }: { medications: readonly string[] }): ResolvedName[] {
    return medications.map((input): ResolvedName => {
      const reading = readName(input, this.names, this.traits);
      const { ingredients } = reading;
      const least = ingredients.reduce((sum, { confidence }) => Math.min(sum, confidence), 1);
      return {
        input,
        ingredients: ingredients.map(({ ingredient }) => this.inn(ingredient)),
        method: methodOf(ingredients),
        // A name of which a part was not understood is at best half known.
        confidence: ingredients.length === 0 ? 0 : reading.unknown.length > 0 ? Math.min(least, 0.5) : least,
        suggestions: suggestionsFor(reading, this.names),
      };
    });
  }

  private products(medications: readonly string[]): Product[] {
    const products = new Map<string, Product>();
    for (const name of medications) {
      const known = products.get(name);
      if (known) {
        known.count++;
        continue;
      }
      const reading = readName(name, this.names, this.traits);
      const items = reading.ingredients.map((part): Item => {
        const declared = this.base.ingredients[part.ingredient].routes !== undefined && !reading.systemic;
        return { reading, part, locality: { named: reading.local !== undefined, declared } };
      });
      products.set(name, { reading, items, count: 1 });
    }
    return [...products.values()];
  }

  /** Compares two products, or a product with a second pack of itself. Parts of one product are never held against each other. */
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
    const places = localityCode(left.locality) * 4 + localityCode(right.locality);
    const key = (x * this.base.ingredients.length + y) * 16 + places;
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
    const { kind = 'drug', keepLocal } = this.base.ingredients[left.part.ingredient];
    // Two coffees are no double therapy.
    if (kind === 'food' || kind === 'alcohol') return;
    const local = !keepLocal && actElsewhere(left, right);
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
    const matches = items.map((item) => this.match(item));
    results.addPair(`${kind} ${statement.id}`, ingredients, matches, () =>
      this.result(kind, statement, items, related),
    );
  }

  private toxicity({ items }: Product, species: Species, results: Findings): void {
    if (species === 'human') return;
    for (const item of items) {
      const { ingredient } = item.part;
      const hits = this.base.species
        .filter((rule) => rule.species.includes(species))
        .filter(
          (rule) =>
            matchSelector(rule.a, ingredient, this.tags) &&
            !isExcepted(rule.except, ingredient, ingredient, this.tags),
        )
        .sort((p, q) => {
          const byName = (rule: typeof p): number =>
            Number(matchSelector(rule.a, ingredient, this.tags) !== 'ingredient');
          return (
            byName(p) - byName(q) ||
            severityRank(p.severity) - severityRank(q.severity) ||
            (p.id < q.id ? -1 : 1)
          );
        });
      if (hits.length === 0) continue;
      const related = hits.slice(1).map(({ id }) => id);
      results.push(this.result('species_toxicity', hits[0], [item], related.sort()));
    }
  }

  private dose({ reading, items }: Product, dosage: string, species: Species, results: Findings): void {
    // How the amounts of a combination are shared out is not known.
    if (items.length !== 1) return;
    const [item] = items;
    const parsed = parseDosage(dosage, reading.input);
    if (!parsed) return;
    const hits = this.base.doses
      .filter((dose) => dose.ingredient === item.part.ingredient && isExceeded(dose, parsed))
      .filter(
        (dose) => (!dose.species || dose.species.includes(species)) && appliesToRoute(dose, reading.local),
      )
      .sort((p, q) => severityRank(p.severity) - severityRank(q.severity) || (p.id < q.id ? -1 : 1));
    if (hits.length > 0) {
      const related = hits.slice(1).map(({ id }) => id);
      results.push(this.result('dose_ceiling', hits[0], [item], related.sort()));
    }
  }

  private unrecognized({ reading }: Product, results: Findings): void {
    if (reading.unknown.length === 0) return;
    const result = this.result('unrecognized', UNRECOGNIZED, [], []);
    results.push({ ...result, severity: 'unknown', medications: [reading.input] });
  }

  /** Everything the base knows about one product, grouped by rule, with the other side as `partners`. */
  private everythingKnown({ items }: Product, species: Species, results: Findings): void {
    const own = new Set(items.map(({ part }) => part.ingredient));
    for (const item of items) {
      const { ingredient } = item.part;
      const groups = new Map<string, Group>();
      for (let other = 0; other < this.base.ingredients.length; other++) {
        if (other === ingredient || own.has(other)) continue;
        const declared = this.base.ingredients[other].routes !== undefined;
        const theirs = { ...SYSTEMIC, declared };
        const found = this.pairs.find(ingredient, other, species, item.locality, theirs);
        if (found && found.rule.severity !== 'none') {
          addTo(
            groups,
            kindOfPair(this.base, found.rule, ingredient, other),
            found.rule as CompiledStatement,
            found.a === ingredient,
            other,
            found.related,
          );
        }
        const twice = this.duplicates.find(ingredient, other, item.locality, theirs);
        if (twice)
          addTo(groups, 'duplicate_therapy', twice.rule, twice.a === ingredient, other, twice.related);
      }
      const { kind = 'drug' } = this.base.ingredients[ingredient];
      if (kind !== 'food' && kind !== 'alcohol') {
        addTo(
          groups,
          'duplicate_therapy',
          this.duplicates.findSame(ingredient) ?? SAME_INGREDIENT,
          true,
          ingredient,
          [],
        );
      }
      for (const group of groups.values()) results.push(this.groupResult(group, item));
    }
  }

  private groupResult(group: Group, item: Item): InteractionResult {
    const own = this.inn(item.part.ingredient);
    const single = group.partners.length === 1 ? this.inn(group.partners[0]) : 'the other medicine';
    const [a, b] = group.ownIsA ? [own, single] : [single, own];
    return {
      ...this.result(group.kind, group.statement, [item], [...group.related].sort(), [a, b]),
      partners: group.partners.map((ingredient) => this.partner(ingredient)),
    };
  }

  private partner(ingredient: number): Partner {
    const { inn, usan, synonyms = [], brands = [] } = this.base.ingredients[ingredient];
    const combined = this.base.combinations
      .filter(({ ingredients }) => ingredients.includes(ingredient))
      .flatMap((combination) => [
        combination.name,
        ...(combination.synonyms ?? []),
        ...(combination.brands ?? []),
      ]);
    return {
      ingredient: inn,
      names: [inn, ...(usan ? [usan] : []), ...synonyms.map(nameOf)],
      brands: [...brands, ...combined].map(nameOf),
    };
  }

  private result(
    kind: ResultKind,
    statement: Statement | CompiledDuplicate,
    items: readonly Item[],
    related: string[],
    names?: readonly [string, string],
  ): InteractionResult {
    const ingredients = [...new Set(items.map(({ part }) => this.inn(part.ingredient)))];
    const [a, b] = names ?? [ingredients[0] ?? '', ingredients[1] ?? ingredients[0] ?? ''];
    const textOf = (text: number | string): string =>
      fillIn(typeof text === 'string' ? text : this.base.texts[text], a, b);
    return {
      kind,
      severity: statement.severity,
      action: statement.action,
      medications: items.map(({ reading }) => reading.input),
      ingredients,
      summary: textOf(statement.summary),
      mechanism: textOf(statement.mechanism),
      management: textOf(statement.management),
      evidence: statement.evidence ?? 'established',
      sources: statement.sources.map((source) => {
        const { id, title, publisher, year } = this.base.sources[source];
        return { id, title, publisher, year };
      }),
      rule_id: statement.id,
      related_rules: related,
      matches: items.map(({ reading, part }): NameMatch => ({
        input: reading.input,
        ingredient: this.inn(part.ingredient),
        method: part.method,
        confidence: part.confidence,
      })),
      knowledge_version: this.version,
    };
  }

  private match({ reading, part }: Item): NameMatch {
    const { method, confidence } = part;
    return { input: reading.input, ingredient: this.inn(part.ingredient), method, confidence };
  }

  private inn(ingredient: number): string {
    return this.base.ingredients[ingredient].inn;
  }
}

/** Findings of `checkNew` that share rule, kind and side. */
interface Group {
  kind: ResultKind;
  statement: Statement | CompiledStatement;
  ownIsA: boolean;
  partners: number[];
  related: Set<string>;
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

function localityCode({ named, declared }: Locality): number {
  return (named ? 2 : 0) + (declared ? 1 : 0);
}

/** True when two products with one ingredient act in different places, so that their amounts hardly add up. */
function actElsewhere(left: Item, right: Item): boolean {
  const [here, there] = [left.reading.local, right.reading.local];
  if (here !== undefined && there !== undefined) return here !== there;
  // The bare name of a drug that is only used locally means the same place as a name that says so.
  return here !== there && !(left.locality.declared && right.locality.declared);
}

/** The least direct way in which an ingredient of the name was found; a combination when there are several. */
function methodOf(ingredients: readonly ReadIngredient[]): MatchMethod {
  if (ingredients.length === 0) return 'none';
  if (ingredients.some(({ method }) => method === 'spelling')) return 'spelling';
  return ingredients.length > 1 ? 'combination' : ingredients[0].method;
}

function nameOf(alias: CompiledAlias): string {
  return typeof alias === 'string' ? alias : alias.name;
}
