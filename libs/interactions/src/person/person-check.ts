import type { Product } from '../product';
import type { ResultFactory } from '../result-factory';
import { absorbs, severityRank } from '../rules/pair-rules';
import { isExcepted, matchSelector, type TagSets } from '../rules/tag-closure';
import type { CompiledCaution, KnowledgeBase } from '../compiled-base';
import type { InteractionResult } from '../types';
import { meets, type Person } from './person';

/** Finds the cautions of medicines for a person. */
export class PersonCheck {
  constructor(
    private readonly base: KnowledgeBase,
    private readonly tags: TagSets,
    private readonly factory: ResultFactory,
  ) {}

  /** One result for each caution that applies to a product and the person. */
  check({ items }: Product, person: Person): InteractionResult[] {
    const cautions = (this.base.cautions ?? []).filter(({ when }) => meets(person, when));
    return items.flatMap((item) => {
      const { ingredient } = item.part;
      const isLocal =
        (item.locality.named || item.locality.declared) && !absorbs(this.base, ingredient, item.locality);
      return cautions
        .filter((caution) => this.applies(caution, ingredient, isLocal))
        .sort((p, q) => severityRank(p.severity) - severityRank(q.severity) || (p.id < q.id ? -1 : 1))
        .map((caution) => this.factory.make('person_caution', caution, [item], []));
    });
  }

  private applies({ a, except, keepLocal }: CompiledCaution, ingredient: number, isLocal: boolean): boolean {
    return (
      matchSelector(a, ingredient, this.tags) !== undefined &&
      (keepLocal || !isLocal) &&
      !isExcepted(except, ingredient, ingredient, this.tags)
    );
  }
}
