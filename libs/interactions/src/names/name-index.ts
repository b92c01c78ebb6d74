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

interface FuzzyEntry {
  key: string;
  mask: number;
  target: Target;
}

const SHORTEST_FOR_ONE_EDIT = 5;
const SHORTEST_FOR_TWO_EDITS = 8;
const MAX_SUGGESTIONS = 5;

/** Every known name, ready for exact, variant and approximate look-up. Built once per base. */
export class NameIndex {
  private readonly exact = new Map<string, Target>();
  /** Built when the first misspelled name comes. */
  private variants: Map<string, { key: string; target: Target } | null> | undefined;
  private entries: FuzzyEntry[] | undefined;
  private byInitial: Map<string, FuzzyEntry[]> | undefined;
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
    const found = new Map<string, { entry: FuzzyEntry; distance: number }>();
    for (const entry of this.fuzzyEntries(key)) {
      const allowed = entry.key.length < SHORTEST_FOR_TWO_EDITS ? 1 : limit;
      if (Math.abs(entry.key.length - key.length) > allowed || tooFar(mask, entry.mask, allowed)) continue;
      const distance = editDistance(key, entry.key, allowed);
      if (distance > allowed) continue;
      const id = entry.target.ingredients.join();
      const known = found.get(id);
      if (!known || distance < known.distance) found.set(id, { entry, distance });
    }
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
    const { entry, distance } = ranked[0];
    if (this.hasCloseLookalike(key, entry.key, distance)) return undefined;
    return { target: entry.target, confidence: Math.round((1 - distance / key.length) * 100) / 100 };
  }

  /** At most five known names that look like the key, nearest first; the order is stable. */
  suggest(key: string): string[] {
    if (key.length < 3 || key.length > MAX_COMPARED_LENGTH) return [];
    const mask = letterMask(key);
    const widest = key.length < 6 ? 1 : key.length < 9 ? 2 : 3;
    const best = new Map<string, { display: string; distance: number }>();
    for (const entry of this.allEntries()) {
      const sameInitial = entry.key[0] === key[0];
      const limit = sameInitial ? widest : 1;
      let distance = Infinity;
      if (Math.abs(entry.key.length - key.length) <= limit && !tooFar(mask, entry.mask, limit)) {
        const edits = editDistance(key, entry.key, limit);
        if (edits <= limit) distance = edits + (sameInitial ? 0 : 0.5);
      }
      if (distance === Infinity && sameInitial && isBeginning(key, entry.key)) distance = widest + 1;
      if (distance === Infinity) continue;
      const id = entry.target.ingredients.join();
      const known = best.get(id);
      if (!known || distance < known.distance) best.set(id, { display: entry.target.display, distance });
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

  private findVariant(key: string): { key: string; target: Target } | undefined {
    if (!this.variants) {
      this.variants = new Map();
      for (const [name, target] of this.exact) {
        if (!isSpellable(name)) continue;
        const variant = variantKey(name);
        const known = this.variants.get(variant);
        const clash =
          known === null || (known && known.target.ingredients.join() !== target.ingredients.join());
        this.variants.set(variant, clash ? null : (known ?? { key: name, target }));
      }
    }
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

  private fuzzyEntries(key: string): readonly FuzzyEntry[] {
    this.allEntries();
    return this.byInitial?.get(key[0]) ?? [];
  }

  private allEntries(): readonly FuzzyEntry[] {
    if (!this.entries) {
      this.entries = [];
      this.byInitial = new Map();
      for (const [key, target] of this.exact) {
        if (!isSpellable(key)) continue;
        const entry = { key, mask: letterMask(key), target };
        this.entries.push(entry);
        const sameInitial = this.byInitial.get(key[0]);
        if (sameInitial) sameInitial.push(entry);
        else this.byInitial.set(key[0], [entry]);
      }
    }
    return this.entries;
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
