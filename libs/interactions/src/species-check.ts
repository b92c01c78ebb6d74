import { NOT_ASSESSED } from './built-in-statements';
import type { Item, Product } from './product';
import type { ResultFactory } from './result-factory';
import { severityRank } from './rules/pair-rules';
import { isExcepted, matchSelector, type TagSets } from './rules/tag-closure';
import type { CompiledSpeciesRule, KnowledgeBase } from './compiled-base';
import type { InteractionResult, Species } from './types';

/** Finds harm of ingredients to an animal, for any route, because animals lick local products off. */
export class SpeciesCheck {
  constructor(
    private readonly base: KnowledgeBase,
    private readonly tags: TagSets,
    private readonly factory: ResultFactory,
  ) {}

  /** One result for each harmful ingredient, and one for all that are unknown for this species. */
  check({ items }: Product, species: Species): InteractionResult[] {
    if (species === 'human') return [];
    const results: InteractionResult[] = [];
    const unassessed: Item[] = [];
    for (const item of items) {
      const [rule, ...others] = this.rulesFor(item.part.ingredient, species);
      if (!rule) unassessed.push(item);
      else if (rule.severity !== 'none') {
        const related = others.filter(({ severity }) => severity !== 'none').map(({ id }) => id);
        results.push(this.factory.make('species_toxicity', rule, [item], related.sort()));
      }
    }
    if (unassessed.length > 0) {
      const inns = unassessed.map(({ part }) => this.factory.inn(part.ingredient)).join(' and ');
      results.push(this.factory.make('not_assessed', NOT_ASSESSED, unassessed, [], [inns, `a ${species}`]));
    }
    return results;
  }

  /** Rules that name the ingredient come before rules about its classes, then the more severe ones. */
  private rulesFor(ingredient: number, species: Species): CompiledSpeciesRule[] {
    const byClass = (rule: CompiledSpeciesRule): number =>
      Number(matchSelector(rule.a, ingredient, this.tags) !== 'ingredient');
    return this.base.species
      .filter((rule) => rule.species.includes(species) && byClassOrName(rule, ingredient, this.tags))
      .sort(
        (p, q) =>
          byClass(p) - byClass(q) ||
          severityRank(p.severity) - severityRank(q.severity) ||
          (p.id < q.id ? -1 : 1),
      );
  }
}

function byClassOrName(rule: CompiledSpeciesRule, ingredient: number, tags: TagSets): boolean {
  return (
    matchSelector(rule.a, ingredient, tags) !== undefined &&
    !isExcepted(rule.except, ingredient, ingredient, tags)
  );
}
