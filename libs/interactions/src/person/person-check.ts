import { ALLERGY_TO_THIS, PERSON_NOT_ASSESSED } from '../built-in-statements';
import type { Item, Product } from '../product';
import type { ResultFactory } from '../result-factory';
import { actsLocally, severityRank } from '../rules/pair-rules';
import { forEmergency } from '../rules/rescue';
import { isExcepted, matchSelector, type TagSets } from '../rules/tag-closure';
import type { CompiledCaution, KnowledgeBase } from '../compiled-base';
import type { InteractionResult } from '../types';
import type { Assessed } from './assessed';
import { meets, type KnownPerson } from './person';
import type { AskedFact, ReadPerson } from './person-facts';

/** Facts that also count for a medicine that acts only where it is applied. */
const ALSO_LOCAL = new Set(['child']);

/** Finds the cautions of medicines for a person, and what nobody has looked at. */
export class PersonCheck {
  constructor(
    private readonly base: KnowledgeBase,
    private readonly tags: TagSets,
    private readonly assessed: Assessed,
    private readonly factory: ResultFactory,
  ) {}

  /**
   * The cautions that apply to the products. A severe one has a result for each ingredient; a milder one has one for all
   * that it is about, and the summary names the others.
   */
  check(products: readonly Product[], { person, asked }: ReadPerson): InteractionResult[] {
    const items = products.flatMap((product) => product.items);
    const cautions = (this.base.cautions ?? []).filter(({ when }) => meets(person, when));
    const allergic = items.flatMap((item) =>
      asked
        .filter(({ allergens }) => allergens.includes(item.part.ingredient))
        .map(() => this.factory.make('person_caution', ALLERGY_TO_THIS, [item], [])),
    );
    return [
      ...allergic,
      ...cautions.flatMap((caution) => {
        const own = items.filter((item) => this.applies(caution, item));
        const isMild = severityRank(caution.severity) >= severityRank('moderate');
        const shared = isMild ? own.filter(({ rescue }) => rescue === undefined) : [];
        const single = own.filter((item) => !shared.includes(item));
        return [
          ...(shared.length > 0 ? [this.factory.makeForAll('person_caution', caution, shared)] : []),
          ...single.map((item) =>
            this.factory.make('person_caution', forEmergency(caution, [item]), [item], []),
          ),
        ];
      }),
    ];
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

  private isAssessed(fact: AskedFact, { part, locality }: Item, person: KnownPerson): boolean {
    const { ingredient } = part;
    if (fact.allergens.includes(ingredient)) return true;
    const localCounts = fact.isAllergy || ALSO_LOCAL.has(fact.fact);
    if (!localCounts && actsLocally(this.base, ingredient, locality)) return true;
    return this.assessed.has(fact, ingredient, person);
  }

  private applies({ a, except, keepLocal }: CompiledCaution, { part, locality }: Item): boolean {
    const { ingredient } = part;
    return (
      matchSelector(a, ingredient, this.tags) !== undefined &&
      (keepLocal || !actsLocally(this.base, ingredient, locality)) &&
      !isExcepted(except, ingredient, ingredient, this.tags)
    );
  }
}
