import type { CompiledSelector, KnowledgeBase } from '../compiled-base';

/** For each ingredient the set of its tags, own and implied. */
export type TagSets = readonly ReadonlySet<number>[];

/**
 * Derives every tag of every ingredient. The build refuses cycles in `implies`, but a cycle would do no harm
 * here.
 */
export function closeTags(base: KnowledgeBase): TagSets {
  const implied = base.tags.map((_, tag) => {
    const all = new Set<number>([tag]);
    for (const member of all) for (const next of base.tags[member].implies ?? []) all.add(next);
    return all;
  });
  return base.ingredients.map((ingredient) => {
    const tags = new Set<number>();
    for (const tag of ingredient.tags ?? []) for (const member of implied[tag]) tags.add(member);
    return tags;
  });
}

/** How a selector matches an ingredient: by its name, by one of its tags, or not at all. */
export type SelectorMatch = 'ingredient' | 'tag' | undefined;

/** Matches a selector. The name of the ingredient has priority over its tags. */
export function matchSelector(selector: CompiledSelector, ingredient: number, tags: TagSets): SelectorMatch {
  if (selector.i?.includes(ingredient)) return 'ingredient';
  const own = tags[ingredient];
  return selector.t?.some((tag) => own.has(tag)) ? 'tag' : undefined;
}

/** True when a pair of ingredients is an exception, in either order. */
export function isExcepted(
  except: readonly { a?: CompiledSelector; b?: CompiledSelector }[] | undefined,
  x: number,
  y: number,
  tags: TagSets,
): boolean {
  const matches = (selector: CompiledSelector | undefined, ingredient: number): boolean =>
    selector === undefined || matchSelector(selector, ingredient, tags) !== undefined;
  return (except ?? []).some(
    ({ a, b }) => (matches(a, x) && matches(b, y)) || (matches(a, y) && matches(b, x)),
  );
}
