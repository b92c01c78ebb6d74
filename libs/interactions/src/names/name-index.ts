import type { CompiledAlias, KnowledgeBase, LocalRoute, MatchMethod } from '../types';
import { editDistance, letterMask, MAX_COMPARED_LENGTH, tooFar } from './edit-distance';
import { fold, squash, variantKey } from './fold';

/** What a name stands for: one ingredient, or the ingredients of a combination, as positions in the base. */
export interface Target {
  ingredients: readonly number[];
  method: MatchMethod;
  /** The name as the base writes it. */
  display: string;
  /** Where the product acts when the name itself implies it. */
  route?: LocalRoute;
}

/** A target found by its spelling, and how sure that is. */
export interface SpellingMatch {
  target: Target;
  confidence: number;
}

/** Names with one initial, side by side so that a search touches little memory. */
class SpellingBucket {
  readonly keys: string[] = [];
  readonly masks: number[] = [];
  readonly targets: Target[] = [];

  add(key: string, target: Target): void {
    this.keys.push(key);
    this.masks.push(letterMask(key));
    this.targets.push(target);
  }

  /** Calls back for every name within `limit` edits of a key. */
  search(key: string, mask: number, limit: number, report: (at: number, distance: number) => void): void {
    for (let at = 0; at < this.keys.length; at++) {
      const gap = this.keys[at].length - key.length;
      if (gap > limit || gap < -limit || tooFar(mask, this.masks[at], limit)) continue;
      const distance = editDistance(key, this.keys[at], limit);
      if (distance <= limit) report(at, distance);
    }
  }
}

const SHORTEST_FOR_ONE_EDIT = 5;
const SHORTEST_FOR_TWO_EDITS = 8;
const MAX_SUGGESTIONS = 5;

/** Every known name, ready for exact, variant and approximate look-up. Built once per base. */
export class NameIndex {
  private readonly exact = new Map<string, Target>();
  /** National spellings; null where two drugs share one. */
  private readonly variants = new Map<string, { key: string; target: Target } | null>();
  private readonly buckets = new Map<string, SpellingBucket>();
  private readonly lookalikes = new Map<string, string[]>();

  constructor(base: KnowledgeBase) {
    base.ingredients.forEach((ingredient, position) => {
      const ids = [position];
      const add = (alias: CompiledAlias, method: MatchMethod): void => this.add(alias, ids, method);
      add(ingredient.inn, 'exact');
      if (ingredient.usan) add(ingredient.usan, 'exact');
      ingredient.synonyms?.forEach((alias) => add(alias, 'synonym'));
      ingredient.brands?.forEach((alias) => add(alias, 'brand'));
    });
    for (const combination of base.combinations) {
      const names = [combination.name, ...(combination.synonyms ?? []), ...(combination.brands ?? [])];
      for (const alias of names)
        this.add(alias, combination.ingredients, 'combination', combination.routes?.[0]);
    }
    for (const [key, target] of this.exact) if (isSpellable(key)) this.addSpelling(key, target);
    for (const [a, b] of base.lookalikes) {
      const [keyA, keyB] = [squash(fold(a)), squash(fold(b))];
      this.lookalikes.set(keyA, [...(this.lookalikes.get(keyA) ?? []), keyB]);
      this.lookalikes.set(keyB, [...(this.lookalikes.get(keyB) ?? []), keyA]);
    }
  }

  /** The target of a key that is a known name. */
  find(key: string): Target | undefined {
    return this.exact.get(key);
  }

  /**
   * The only target a misspelled key can mean, or nothing. One edit from 5 letters, two from 8, the same first letter,
   * one nearest candidate, and never when the name of a listed look-alike is nearly as close.
   */
  findBySpelling(key: string): SpellingMatch | undefined {
    if (key.length > MAX_COMPARED_LENGTH || !isSpellable(key)) return undefined;
    const variant = this.findVariant(key);
    const limit = key.length < SHORTEST_FOR_TWO_EDITS ? 1 : 2;
    const mask = letterMask(key);
    const found = new Map<string, { name: string; target: Target; distance: number }>();
    const bucket = this.buckets.get(key[0]);
    bucket?.search(key, mask, limit, (at, distance) => {
      const name = bucket.keys[at];
      if (distance === 2 && name.length < SHORTEST_FOR_TWO_EDITS) return;
      const target = bucket.targets[at];
      const id = target.ingredients.join();
      const known = found.get(id);
      if (!known || distance < known.distance) found.set(id, { name, target, distance });
    });
    if (variant) {
      const own = variant.target.ingredients.join();
      const rival = [...found].some(([id, { distance }]) => id !== own && distance <= 1);
      return rival || this.hasCloseLookalike(key, variant.key, 0)
        ? undefined
        : { target: variant.target, confidence: 0.95 };
    }
    const ranked = [...found.values()].sort((a, b) => a.distance - b.distance);
    if (ranked.length === 0 || (ranked.length > 1 && ranked[0].distance === ranked[1].distance))
      return undefined;
    const { name, target, distance } = ranked[0];
    if (this.hasCloseLookalike(key, name, distance)) return undefined;
    return { target, confidence: Math.round((1 - distance / key.length) * 100) / 100 };
  }

  /** At most five known names that look like the key, nearest first; the order is stable. */
  suggest(key: string): string[] {
    if (key.length < 3 || key.length > MAX_COMPARED_LENGTH) return [];
    const mask = letterMask(key);
    const widest = key.length < 6 ? 1 : key.length < 9 ? 2 : 3;
    const best = new Map<string, { display: string; distance: number }>();
    const offer = (target: Target, distance: number): void => {
      const id = target.ingredients.join();
      const known = best.get(id);
      if (!known || distance < known.distance) best.set(id, { display: target.display, distance });
    };
    for (const [initial, bucket] of this.buckets) {
      const same = initial === key[0];
      bucket.search(key, mask, same ? widest : 1, (at, edits) => {
        offer(bucket.targets[at], same ? edits : edits + 0.5);
      });
      if (!same) continue;
      for (let at = 0; at < bucket.keys.length; at++) {
        if (isBeginning(key, bucket.keys[at])) offer(bucket.targets[at], widest + 1);
      }
    }
    return [...best.values()]
      .sort((a, b) => a.distance - b.distance || (a.display < b.display ? -1 : 1))
      .slice(0, MAX_SUGGESTIONS)
      .map((candidate) => candidate.display);
  }

  private add(
    alias: CompiledAlias,
    ingredients: readonly number[],
    method: MatchMethod,
    route?: LocalRoute,
  ): void {
    const display = typeof alias === 'string' ? alias : alias.name;
    const key = squash(fold(display));
    if (key === '' || this.exact.has(key)) return;
    this.exact.set(key, {
      ingredients,
      method,
      display,
      route: typeof alias === 'string' ? route : (alias.routes[0] ?? route),
    });
  }

  private addSpelling(key: string, target: Target): void {
    let bucket = this.buckets.get(key[0]);
    if (!bucket) this.buckets.set(key[0], (bucket = new SpellingBucket()));
    bucket.add(key, target);
    const variant = variantKey(key);
    const known = this.variants.get(variant);
    if (known === undefined) this.variants.set(variant, { key, target });
    else if (known && known.target.ingredients.join() !== target.ingredients.join())
      this.variants.set(variant, null);
  }

  private findVariant(key: string): { key: string; target: Target } | undefined {
    const variant = variantKey(key);
    const found = variant.length < SHORTEST_FOR_ONE_EDIT ? undefined : this.variants.get(variant);
    // Spellings of one name differ in a few places; more is a coincidence of short keys.
    return found && editDistance(key, found.key, 3) <= Math.floor((key.length + 1) / 4) ? found : undefined;
  }

  private hasCloseLookalike(key: string, name: string, distance: number): boolean {
    return (this.lookalikes.get(name) ?? []).some(
      (other) => editDistance(key, other, distance + 1) <= distance + 1,
    );
  }
}

/** True when one key begins with the other, and enough of it to mean something. */
function isBeginning(a: string, b: string): boolean {
  return Math.min(a.length, b.length) >= 4 && (a.startsWith(b) || b.startsWith(a));
}

/** Short keys are too easily another name, and a digit is never a typing error ("vitamin B12", "vitamin B1"). */
function isSpellable(key: string): boolean {
  return key.length >= SHORTEST_FOR_ONE_EDIT && /^\p{L}+$/u.test(key);
}
