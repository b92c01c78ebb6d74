import { withinLimits } from './check-limits';
import { Checks } from './checks';
import { childOf } from './dosage/child-dose';
import type { DosedProduct } from './dosage/dose-check';
import { isAsNeeded, parseDosage } from './dosage/parse-dosage';
import { Findings } from './findings';
import { entryId, KnownClasses } from './known/known-classes';
import { everythingKnown, resultOfFact } from './known/everything-known';
import { fold, squash } from './names/fold';
import { nameFindings } from './names/name-findings';
import { NameIndex } from './names/name-index';
import { readName, suggestionsFor, type ReadIngredient } from './names/read-name';
import type { Item, Product } from './product';
import { Assessed } from './person/assessed';
import { PersonFacts, type ReadPerson } from './person/person-facts';
import { LocalUse } from './rules/local-use';
import { Rescue } from './rules/rescue';
import { DuplicateRules, PairRules } from './rules/pair-rules';
import { closeTags, type TagSets } from './rules/tag-closure';
import { languageOf, type Language } from './texts/language';
import type { KnowledgeBase } from './compiled-base';
import type {
  CheckNewRequest,
  CheckRequest,
  InteractionResult,
  KnownName,
  MatchMethod,
  ResolvedName,
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
  /** Known names that begin with a text of at least two letters, for a form that completes: generic names first, then by length. */
  namesBeginning(request: { text: string; limit?: number }): KnownName[];
}

/** Makes an engine from a compiled base. The base must not change afterwards. */
export function createEngine(base: KnowledgeBase): InteractionEngine {
  return new Engine(base);
}

/** One request: what it asks for besides names, the checks in its language, and its results. */
interface Request {
  species: Species;
  person: ReadPerson | undefined;
  checks: Checks;
  results: Findings;
}

class Engine implements InteractionEngine {
  readonly version: string;
  readonly pairs: PairRules;
  readonly duplicates: DuplicateRules;
  readonly assessed: Assessed;
  private readonly index: NameIndex;
  private readonly tags: TagSets;
  private readonly facts: PersonFacts;
  private readonly localUse: LocalUse;
  private readonly rescue: Rescue;
  private classes: KnownClasses | undefined;
  private readonly checks = new Map<Language, Checks>();
  private readonly traits: { isDrug: (ingredient: number) => boolean };

  constructor(readonly base: KnowledgeBase) {
    this.version = base.version;
    this.index = new NameIndex(base);
    this.tags = closeTags(base);
    this.pairs = new PairRules(base, this.tags);
    this.duplicates = new DuplicateRules(base, this.tags);
    this.localUse = new LocalUse(base, this.tags);
    this.rescue = new Rescue(base, this.tags);
    this.assessed = new Assessed(base, this.tags);
    this.facts = new PersonFacts(base, this.tags, (name) => this.exactly(name));
    this.checksIn('en');
    this.traits = { isDrug: (ingredient) => (base.ingredients[ingredient].kind ?? 'drug') === 'drug' };
  }

  check({ medications, ...asked }: CheckRequest): InteractionResult[] {
    // In a fixed order, so that the order of the request has no effect.
    const request = this.request(asked);
    const products = this.limited(this.products([...medications].sort(), request), request);
    products.forEach((product, i) => {
      this.checkOne(product, request);
      if (product.count > 1) this.compare(product, product, request);
      for (const other of products.slice(i + 1)) this.compare(product, other, request);
    });
    this.dosages(products.flatMap(withDosage), products, request);
    this.addUp(products, request, () => true);
    this.forPerson(products, products, request);
    return request.results.sorted();
  }

  checkNew({
    name,
    dosage = '',
    medications,
    detail = 'classes',
    ...asked
  }: CheckNewRequest): InteractionResult[] {
    const request = this.request(asked);
    const [product] = this.products([name], request);
    this.checkOne(product, request);
    const others = this.limited(this.products([...(medications ?? [])].sort(), request), request);
    this.dosages(
      [
        { product, dosage: dosage.trim() === '' ? name : dosage, asked: dosage.trim() !== '' },
        ...others.filter(({ reading }) => reading.input !== name).flatMap(withDosage),
      ],
      [product, ...others],
      request,
    );
    if (medications === undefined) {
      for (const result of this.everythingKnown(product, detail, request)) request.results.push(result);
    } else {
      for (const other of others) {
        if (other.reading.input === name) {
          this.compare(product, product, request);
        } else {
          this.names(other, request);
          this.compare(product, other, request);
        }
      }
      const list = [product, ...others.filter(({ reading }) => reading.input !== name)];
      this.addUp(list, request, ({ medications: names }) => names.includes(name));
    }
    this.forPerson([product], [product, ...others], request);
    return request.results.sorted();
  }

  resolve({ medications }: { medications: readonly string[] }): ResolvedName[] {
    return medications.map((input): ResolvedName => {
      const reading = readName(input, this.index, this.traits);
      const { ingredients } = reading;
      const meanings = reading.assumed.flatMap(({ target }) =>
        (target.meanings ?? []).map((meaning) => ({
          ingredients: meaning.ingredients.map((ingredient) => this.innOf(ingredient)),
          countries: [...meaning.countries],
        })),
      );
      const least = ingredients.reduce((sum, { confidence }) => Math.min(sum, confidence), 1);
      return {
        input,
        ingredients: ingredients.map(({ ingredient }) => this.innOf(ingredient)),
        method: methodOf(ingredients),
        // A name with a part that was not understood has at most a confidence of one half.
        confidence: ingredients.length === 0 ? 0 : reading.unknown.length > 0 ? Math.min(least, 0.5) : least,
        suggestions: suggestionsFor(reading, this.index),
        ...(meanings.length > 0 && { meanings }),
      };
    });
  }

  namesBeginning({ text, limit = 8 }: { text: string; limit?: number }): KnownName[] {
    const found = this.index.beginning(squash(fold(text)), limit, this.traits.isDrug);
    return found.map(({ display, ingredients, meanings }) => ({
      name: display,
      // A name that means several things must not look like one of them.
      ingredients: meanings ? [] : ingredients.map((ingredient) => this.innOf(ingredient)),
    }));
  }

  private limited(products: readonly Product[], { checks, results }: Request): Product[] {
    const { checked, left } = withinLimits(products, checks.factory);
    for (const result of left) results.push(result);
    return checked;
  }

  private products(medications: readonly string[], { species }: Request): Product[] {
    const products = new Map<string, Product>();
    for (const name of medications) {
      const known = products.get(name);
      if (known) {
        known.count++;
        continue;
      }
      const reading = readName(name, this.index, this.traits);
      const { words } = reading;
      const own = reading.ingredients.map(({ ingredient }) => ingredient);
      const rescue = species === 'human' ? this.rescue.of(own, words) : undefined;
      const items = reading.ingredients.map((part): Item => {
        const declared = this.base.ingredients[part.ingredient].routes !== undefined && !reading.systemic;
        // The words of a pack don't make a medicine local: the base must say that it acts only there.
        const { local } = reading;
        const route = local && this.localUse.has(part.ingredient, local) ? local : undefined;
        const named = route !== undefined || this.isLocalByWord(part.ingredient, words);
        return {
          reading,
          part,
          locality: { named, declared, ...(route && { route }) },
          ...(rescue && { rescue }),
        };
      });
      products.set(name, { reading, items, count: 1 });
    }
    return [...products.values()];
  }

  private request({ species = 'human', person, language }: Omit<CheckRequest, 'medications'>): Request {
    return {
      species,
      person: person && species === 'human' ? this.facts.read(person) : undefined,
      checks: this.checksIn(languageOf(language)),
      results: new Findings(),
    };
  }

  private checksIn(language: Language): Checks {
    let checks = this.checks.get(language);
    if (!checks) this.checks.set(language, (checks = new Checks(this.base, this.tags, this, language)));
    return checks;
  }

  private innOf(ingredient: number): string {
    return this.base.ingredients[ingredient].inn;
  }

  /** What one product alone gives: about its name, and for the species. */
  private checkOne(product: Product, request: Request): void {
    const { species, checks, results } = request;
    this.names(product, request);
    for (const result of checks.animals.check(product, species)) results.push(result);
  }

  /** Cautions for the person, and what was asked about the person and nobody has looked at. */
  private forPerson(
    products: readonly Product[],
    list: readonly Product[],
    { person, checks, results }: Request,
  ): void {
    if (!person) return;
    for (const result of checks.persons.check(products, person, list, results.soFar())) results.push(result);
    for (const result of checks.persons.notAssessed(products, person)) results.push(result);
  }

  /** The ingredients of a name that is known as it stands. */
  private exactly(name: string): number[] {
    const { ingredients, unknown } = readName(name, this.index, this.traits);
    // The name in another language (0.95) is as certain.
    const isExact =
      unknown.length === 0 &&
      ingredients.every(({ method, confidence }) => method !== 'spelling' || confidence >= NATIONAL_SPELLING);
    return isExact ? ingredients.map(({ ingredient }) => ingredient) : [];
  }

  private everythingKnown(
    product: Product,
    detail: string,
    { species, checks }: Request,
  ): InteractionResult[] {
    const { factory } = checks;
    const facts = everythingKnown(product, species, this);
    if (detail === 'classes')
      return (this.classes ??= new KnownClasses(this.base, this.tags)).results(facts, factory);
    return facts
      .filter((fact) => detail === 'full' || detail === fact.statement.id || detail === entryId(fact))
      .map((fact) => ({
        ...resultOfFact(fact, factory),
        partners: fact.partners.map((partner) => factory.partner(partner)),
      }));
  }

  private compare(x: Product, y: Product, { species, checks, results }: Request): void {
    checks.pairs.compare(x, y, species, results);
  }

  /** Effects that add up over a whole list. The classes are those of people. */
  private addUp(
    products: readonly Product[],
    { species, checks, results }: Request,
    isAsked: (result: InteractionResult) => boolean,
  ): void {
    if (species !== 'human') return;
    const found = checks.burdens.check(products, results.soFar());
    for (const result of found.filter(isAsked)) results.push(result);
  }

  private dosages(
    dosed: readonly DosedProduct[],
    products: readonly Product[],
    { species, person, checks, results }: Request,
  ): void {
    const child = childOf(person?.person);
    for (const result of checks.doses.check(dosed, species, child, products)) results.push(result);
  }

  private names(product: Product, { checks, results }: Request): void {
    for (const result of nameFindings(product, this.base, checks.factory)) results.push(result);
  }

  private isLocalByWord(ingredient: number, words: ReadonlySet<string>): boolean {
    return this.base.ingredients[ingredient].localForms?.some((word) => words.has(word)) ?? false;
  }
}

/** The confidence of a name in the spelling of another language. */
const NATIONAL_SPELLING = 0.95;

/**
 * A name in a list may also contain the dose: "paracetamol 500 mg, 2 tablets 4 times a day". Each pack
 * counts.
 */
function withDosage(product: Product): DosedProduct[] {
  const { input, isWhole, words } = product.reading;
  // A known name, or one word, says nothing about a dose.
  if (isWhole || words.size < 2) return [];
  if (parseDosage(input, '1 mg')?.timesPerWeek === undefined && !isAsNeeded(input)) return [];
  return Array.from({ length: product.count }, () => ({ product, dosage: input, asked: false }));
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
