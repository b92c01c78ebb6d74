import { ALLERGY_TO_THIS, PERSON_NOT_ASSESSED } from '../built-in-statements';
import type { Item, Product } from '../product';
import type { ResultFactory } from '../result-factory';
import { actsLocally, severityRank } from '../rules/pair-rules';
import { forEmergency } from '../rules/rescue';
import { isExcepted, matchSelector, type TagSets } from '../rules/tag-closure';
import type { CompiledCaution, KnowledgeBase } from '../compiled-base';
import { isTold } from '../told';
import type { InteractionResult } from '../types';
import { factsOf, type Assessed } from './assessed';
import { meets, type KnownPerson } from './person';
import type { AskedFact, ReadPerson } from './person-facts';

/** Facts that also count for a medicine that acts only where it is applied. */
const ALSO_LOCAL = new Set(['child', 'pregnancy', 'breastfeeding']);

/** A mild caution, with all that it is about. */
interface Shared {
  caution: CompiledCaution;
  items: Item[];
}

/** Remarks that only ask to be told at the next visit stand together if they are about the same fact. */
function groups(shared: readonly Shared[]): Shared[][] {
  const found = new Map<string, Shared[]>();
  for (const each of shared) {
    const { id, severity, action, when } = each.caution;
    const key = severity === 'minor' && action === 'be_aware' ? JSON.stringify(when) : id;
    found.set(key, [...(found.get(key) ?? []), each]);
  }
  return [...found.values()];
}

/** Finds the cautions of medicines for a person, and what nobody has looked at. */
export class PersonCheck {
  /** Cautions about products whose names have some words. */
  private readonly ofForms: readonly CompiledCaution[];

  constructor(
    private readonly base: KnowledgeBase,
    private readonly tags: TagSets,
    private readonly assessed: Assessed,
    private readonly factory: ResultFactory,
  ) {
    this.ofForms = (base.cautions ?? []).filter(({ words }) => words !== undefined);
  }

  /**
   * The cautions that apply to the products. A severe one has a result for each ingredient; a milder one has one for all
   * that it is about, and the summary names the others. Remarks for the next visit about the same fact have one result.
   * @param list all products that are taken together
   * @param findings what is known about them together; it is not told again
   */
  check(
    products: readonly Product[],
    { person, asked }: ReadPerson,
    list: readonly Product[],
    findings: readonly InteractionResult[],
  ): InteractionResult[] {
    const items = products.flatMap((product) => product.items);
    const cautions = (this.base.cautions ?? []).filter(({ when }) => meets(person, when));
    const allergic = items.flatMap((item) =>
      asked
        .filter(({ allergens }) => allergens.includes(item.part.ingredient))
        .map(() => this.factory.make('person_caution', ALLERGY_TO_THIS, [item], [])),
    );
    const shared: Shared[] = [];
    const single: InteractionResult[] = [];
    for (const caution of cautions) {
      const own = items.filter(
        (item) =>
          this.applies(caution, item) &&
          !this.isBeside(caution, item, list) &&
          !isTold(caution, this.factory.inn(item.part.ingredient), findings),
      );
      const isMild = severityRank(caution.severity) >= severityRank('moderate');
      const isShared = ({ rescue }: Item): boolean => isMild && rescue === undefined;
      const together = own.filter(isShared);
      if (together.length > 0) shared.push({ caution, items: together });
      for (const item of own.filter((each) => !isShared(each)))
        single.push(this.factory.make('person_caution', forEmergency(caution, [item]), [item], []));
    }
    return [...allergic, ...groups(shared).map((group) => this.remarks(group)), ...single];
  }

  private remarks(group: readonly Shared[]): InteractionResult {
    const results = group.map(({ caution, items }) =>
      this.factory.makeForAll('person_caution', caution, items),
    );
    if (results.length === 1) return results[0];
    const all = group.flatMap(({ items }) => items);
    // Each explanation names what it is about: the sentences say "it".
    const named = (field: 'mechanism' | 'management') =>
      results.map((each) => `${each.ingredients.join(', ')}: ${each[field]}`).join(' ');
    return {
      ...this.factory.makeForAll('person_caution', group[0].caution, all),
      summary: results.map(({ summary }) => summary).join(' '),
      mechanism: named('mechanism'),
      management: named('management'),
      sources: [
        ...new Map(
          results.flatMap(({ sources }) => sources).map((each) => [JSON.stringify(each), each]),
        ).values(),
      ],
      related_rules: results
        .slice(1)
        .map(({ rule_id }) => rule_id)
        .sort(),
    };
  }

  /** One result for each fact of the person with the ingredients on which the base has no statement. */
  notAssessed(products: readonly Product[], { person, asked }: ReadPerson): InteractionResult[] {
    return asked.flatMap((fact) => {
      const items = products.flatMap((product) =>
        product.items.filter((item) => !this.isAssessed(fact, item, person)),
      );
      if (items.length === 0) return [];
      const names = [...new Set(items.map(({ part }) => this.factory.inn(part.ingredient)))];
      const words = [names.join(', '), this.factory.texts.factWords(fact)];
      const result = this.factory.make('not_assessed', PERSON_NOT_ASSESSED, items, [], words);
      return [{ ...result, fact: fact.fact }];
    });
  }

  private isAssessed(fact: AskedFact, item: Item, person: KnownPerson): boolean {
    const { part, locality } = item;
    const { ingredient } = part;
    if (fact.allergens.includes(ingredient)) return true;
    const localCounts = fact.isAllergy || ALSO_LOCAL.has(fact.fact);
    // A caution about this form says enough of it, though nothing of the others.
    const ofForm = this.ofForms.some(
      (caution) => factsOf(caution.when).some((id) => fact.ids.has(id)) && this.applies(caution, item),
    );
    if (ofForm) return true;
    const isLocal = actsLocally(this.base, ingredient, locality);
    if (!localCounts && isLocal) return true;
    return this.assessed.has(fact, ingredient, person, isLocal);
  }

  /** True when another product of the list makes the caution wrong. */
  private isBeside({ beside }: CompiledCaution, { reading }: Item, list: readonly Product[]): boolean {
    if (!beside) return false;
    return list.some(
      (product) =>
        product.reading.input !== reading.input &&
        product.items.some(
          ({ part, locality }) =>
            matchSelector(beside, part.ingredient, this.tags) !== undefined &&
            !actsLocally(this.base, part.ingredient, locality),
        ),
    );
  }

  private applies(
    { a, words, except, keepLocal }: CompiledCaution,
    { reading, part, locality }: Item,
  ): boolean {
    const { ingredient } = part;
    return (
      matchSelector(a, ingredient, this.tags) !== undefined &&
      (!words || words.some((word) => reading.words.has(word))) &&
      (keepLocal || !actsLocally(this.base, ingredient, locality)) &&
      !isExcepted(except, ingredient, ingredient, this.tags)
    );
  }
}
