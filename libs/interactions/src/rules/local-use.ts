import type { KnowledgeBase } from '../compiled-base';
import type { LocalRoute } from '../types';
import { matchSelector, type TagSets } from './tag-closure';

/** Which ingredients act only where they are used, by route. Every other one counts as reaching the whole body. */
export class LocalUse {
  constructor(
    private readonly base: KnowledgeBase,
    private readonly tags: TagSets,
  ) {}

  has(ingredient: number, route: LocalRoute): boolean {
    return (
      this.base.ingredients[ingredient].routes?.includes(route) === true ||
      (this.base.local ?? []).some(
        ({ routes, a }) => routes.includes(route) && matchSelector(a, ingredient, this.tags) !== undefined,
      )
    );
  }
}
