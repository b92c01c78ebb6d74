import { editDistance } from '../names/edit-distance';
import { fold, squash } from '../names/fold';
import { isEverydayWord } from '../names/vocabulary';
import type { IngredientKind } from '../types';

/** The meaning of a name in the reviewed part of the base. */
export interface KnownName {
  ingredients: readonly number[];
  /** True for a generic name or a synonym of a generic name. */
  generic: boolean;
}

/** The names of the reviewed part. */
export interface KnownNames {
  find(key: string): KnownName | undefined;
  /** International and United States names of drugs. */
  drugNames(): Iterable<readonly [string, readonly number[]]>;
  ingredient(position: number): { inn: string; kind: IngredientKind };
}

/** A word that follows this many different first words does not identify a product. */
const PRODUCTS_OF_A_GENERAL_WORD = 3;
/** Shorter generic names have similar names by chance. */
const SHORTEST_GUARDED_NAME = 7;

/** Prevents confusion between brands of registers and other words. */
export class BrandGuards {
  private readonly firstWords = new Map<string, Set<string>>();
  private readonly generics = new Map<string, { key: string; ingredients: readonly number[] }[]>();

  constructor(
    names: Iterable<{ display: string }>,
    private readonly known: KnownNames,
  ) {
    for (const { display } of names) {
      const [first, ...rest] = wordsOf(display);
      for (const word of rest) {
        const heads = this.firstWords.get(word) ?? new Set();
        this.firstWords.set(word, heads.add(first));
      }
    }
    for (const [key, ingredients] of known.drugNames()) {
      if (key.length < SHORTEST_GUARDED_NAME) continue;
      const list = this.generics.get(key[0]) ?? [];
      list.push({ key, ingredients });
      this.generics.set(key[0], list);
    }
  }

  /** True for words such as "Extra", "Night" and "Complex", which occur in many products. */
  isTooGeneral(display: string): boolean {
    const words = wordsOf(display);
    if (words.length > 1) return false;
    const [word = ''] = words;
    return isEverydayWord(word) || (this.firstWords.get(word)?.size ?? 0) >= PRODUCTS_OF_A_GENERAL_WORD;
  }

  /**
   * True when a register adds nothing to a reviewed brand: it gives a part of the same content, the same
   * content in other words ("insulin human" for an isophane insulin), or only its minerals and vitamins.
   */
  saysNothingNew(reviewed: readonly number[], found: readonly number[]): boolean {
    if (found.some((id) => reviewed.includes(id))) return true;
    if (found.every((id) => this.known.ingredient(id).kind !== 'drug')) return true;
    const own = reviewed.map((id) => this.known.ingredient(id).inn);
    return found.some((id) => own.some((inn) => isNearlySame(inn, this.known.ingredient(id).inn)));
  }

  /** A generic name of other ingredients that differs from this brand by one typing error. */
  nearGenericName(key: string, ingredients: readonly number[]): KnownName | undefined {
    const near = (this.generics.get(key[0]) ?? []).find(
      (generic) =>
        editDistance(key, generic.key, 1) === 1 &&
        !generic.ingredients.some((id) => ingredients.includes(id)),
    );
    return near && { ingredients: near.ingredients, generic: false };
  }
}

/** True for "fosaprepitant" and "aprepitant", "insulin isophane" and "insulin human", or two vaccines. */
function isNearlySame(one: string, other: string): boolean {
  if (one.includes(other) || other.includes(one)) return true;
  const words = new Set(one.split(' ').filter((word) => word.length >= 5 && word !== 'sodium'));
  return other.split(' ').some((word) => words.has(word));
}

function wordsOf(display: string): string[] {
  return fold(display)
    .split(/[^\p{L}\p{N}]+/u)
    .map(squash)
    .filter(Boolean);
}
