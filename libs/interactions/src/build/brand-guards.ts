import { editDistance } from '../names/edit-distance';
import { fold, squash } from '../names/fold';
import { stemOf } from '../names/national-spelling';
import { NameIndex } from '../names/name-index';
import { readName, type Assumption } from '../names/read-name';
import type { KnowledgeBase } from '../compiled-base';
import { isEverydayWord, isNoise, METAL_WORDS, SALT_WORDS, SEPARATOR_WORDS } from '../names/vocabulary';
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

/** The reviewed names of the base, without those of registers. */
export type ReviewedNames = Pick<KnowledgeBase, 'ingredients' | 'combinations' | 'lookalikes'>;

/** A word that follows this many different first words does not identify a product. */
const PRODUCTS_OF_A_GENERAL_WORD = 3;
/** Shorter generic names have similar names by chance. */
const SHORTEST_GUARDED_NAME = 7;
/** A name that only ends or sounds otherwise in another language is guarded from this length. */
const SHORTEST_GUARDED_SPELLING = 5;
/**
 * Of the names with up to six letters that two countries use, one in ten means two medicines; of longer ones, one in 25.
 */
const LONGEST_UNCERTAIN_NAME = 6;
/** Central approvals have one name in many countries. */
const APPROVED_FOR_MANY = 'EU';

/** Prevents confusion between brands of registers and other words. */
export class BrandGuards {
  private readonly firstWords = new Map<string, Set<string>>();
  private readonly generics = new Map<
    string,
    { key: string; stem: string; ingredients: readonly number[] }[]
  >();
  private readonly reviewed: NameIndex;
  /** The stems of all words of reviewed names: to read each of 20,000 brands takes ten seconds. */
  private readonly reviewedStems: ReadonlySet<string>;

  constructor(
    names: Iterable<{ display: string }>,
    private readonly known: KnownNames,
    reviewed: ReviewedNames,
  ) {
    this.reviewed = new NameIndex({ ...reviewed, brands: [], meanings: [] } as unknown as KnowledgeBase);
    this.reviewedStems = stemsOf(reviewed);
    for (const { display } of names) {
      const [first, ...rest] = wordsOf(display);
      for (const word of rest) {
        const heads = this.firstWords.get(word) ?? new Set();
        this.firstWords.set(word, heads.add(first));
      }
    }
    for (const [key, ingredients] of known.drugNames()) {
      if (key.length < SHORTEST_GUARDED_SPELLING) continue;
      const list = this.generics.get(key[0]) ?? [];
      list.push({ key, stem: stemOf(key), ingredients });
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
   * What the reviewed names in a name of several words say. "Losartan potassium and hydrochlorothiazide" stands in a register
   * with one of the two, "Telma 40" in another one as another medicine.
   */
  reviewedWords(display: string): KnownName | undefined {
    const words = wordsOf(display);
    if (words.length < 2 || !words.every((word) => isUnderstood(word, this.reviewedStems))) return undefined;
    const isDrug = (id: number): boolean => this.isDrug(id);
    const { ingredients, unknown, targets, assumed } = readName(display, this.reviewed, { isDrug });
    if (unknown.length > 0 || ingredients.length === 0 || assumed.some((one) => !this.isSure(one)))
      return undefined;
    const isGeneric = targets.every(({ method }) => method === 'exact' || method === 'synonym');
    // "Paracetamol Extra" can hold more than paracetamol.
    const generic = isGeneric && !words.some((word) => isNoise(word) && !isJoiner(word));
    return { ingredients: ingredients.map(({ ingredient }) => ingredient), generic };
  }

  /** How the content of a register differs from what the words of the name say. */
  compare(words: KnownName, found: readonly number[]): 'nothing new' | 'more' | 'another' {
    if (this.isAnotherThing(words.ingredients, found)) return 'another';
    if (words.generic) return 'nothing new';
    const drugs = found.filter((id) => this.isDrug(id));
    const isSame =
      found.length === words.ingredients.length && found.every((id) => words.ingredients.includes(id));
    // The first word alone can have several meanings: "Telma 40".
    if (!isSame && drugs.every((id) => words.ingredients.includes(id))) return 'nothing new';
    const named = words.ingredients.filter((id) => this.isDrug(id));
    return named.every((id) => this.isIn(id, found)) ? 'more' : 'another';
  }

  private isDrug(id: number): boolean {
    return this.known.ingredient(id).kind === 'drug';
  }

  /** True when a content has the ingredient, or nearly the same one. */
  private isIn(id: number, content: readonly number[]): boolean {
    const inn = (one: number): string => this.known.ingredient(one).inn;
    return content.some((other) => other === id || isNearlySame(inn(other), inn(id)));
  }

  private isSure({ written, target }: Assumption): boolean {
    return this.reviewed.isOnlyNational(written, target);
  }

  /** True for an everyday word, a food or a herb that a register uses for a medicine: "Banan", "Tulip". */
  isAnotherThing(reviewed: readonly number[], found: readonly number[]): boolean {
    return !reviewed.some((id) => this.isDrug(id)) && found.some((id) => this.isDrug(id));
  }

  /**
   * True when a register adds nothing to a reviewed brand: one of the two contents includes the other, is the same
   * in other words ("insulin human" for an isophane insulin), or the register names only minerals and vitamins beside
   * a medicine.
   */
  saysNothingNew(reviewed: readonly number[], found: readonly number[]): boolean {
    const drugs = found.filter((id) => this.isDrug(id));
    if (drugs.length === 0) return true;
    if (!found.some((id) => this.isIn(id, reviewed))) return false;
    return (
      drugs.every((id) => this.isIn(id, reviewed)) ||
      reviewed.every((id) => !this.isDrug(id) || this.isIn(id, found))
    );
  }

  /** True for a short name that only one country is known to use: others may use it for another medicine. */
  isOnlyOfOneCountry(key: string, countries: ReadonlySet<string>): boolean {
    return (
      /^[a-z\d]+$/.test(key) &&
      countries.size === 1 &&
      !countries.has(APPROVED_FOR_MANY) &&
      key.length <= LONGEST_UNCERTAIN_NAME
    );
  }

  /** A generic name of other ingredients that differs from this brand by one typing error, or is its spelling elsewhere. */
  nearGenericName(key: string, ingredients: readonly number[]): KnownName | undefined {
    const stem = stemOf(key);
    const near = (this.generics.get(key[0]) ?? []).find(
      (generic) =>
        (stem === generic.stem ||
          (generic.key.length >= SHORTEST_GUARDED_NAME && editDistance(key, generic.key, 1) === 1)) &&
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

/** The stems of the words of all reviewed names. */
function stemsOf({ ingredients, combinations }: ReviewedNames): Set<string> {
  const names = [
    ...ingredients.flatMap(({ inn, usan = '', synonyms = [], brands = [] }) => [
      inn,
      usan,
      ...synonyms,
      ...brands,
    ]),
    ...combinations.flatMap(({ name, synonyms = [], brands = [] }) => [name, ...synonyms, ...brands]),
  ];
  const texts = names.map((alias) => (typeof alias === 'string' ? alias : alias.name));
  return new Set(texts.flatMap((text) => wordsOf(text).map(stemOf)));
}

/** Words between the parts of a name, and those of a salt. */
function isJoiner(word: string): boolean {
  return /^(?:in|de|sod|hcl)$/.test(word) || SEPARATOR_WORDS.has(word) || SALT_WORDS.has(word);
}

function isUnderstood(word: string, stems: ReadonlySet<string>): boolean {
  return (
    /^\d/.test(word) || stems.has(stemOf(word)) || isNoise(word) || isJoiner(word) || METAL_WORDS.has(word)
  );
}
