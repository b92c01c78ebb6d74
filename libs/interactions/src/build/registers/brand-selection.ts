import { fold, squash } from '../../names/fold';
import { NameIndex } from '../../names/name-index';
import { readName } from '../../names/read-name';
import {
  isEverydayWord,
  isNoise,
  METAL_WORDS,
  NEGATIONS,
  SALT_WORDS,
  SEPARATOR_WORDS,
} from '../../names/vocabulary';
import type { KnowledgeBase } from '../../compiled-base';
import type { LocalRoute } from '../../types';
import type { IngredientFinder } from './ingredient-finder';
import type { Register, RegisterRow } from './register-files';

/** A brand with its content. */
export interface RegisterBrand {
  name: string;
  ingredients: number[];
  /** True when the brand also contains something that the base does not know. */
  partial: boolean;
  route?: LocalRoute;
}

const MAX_INGREDIENTS = 12;
/**
 * Faults of the registers that reviews found: the content of another product, a mixture with a carrier, or the name of a
 * maker or of a line of products.
 */
const FAULTY = new Set([
  'us ala',
  'us viva',
  'ca hand sanitizer',
  'us xyzal',
  'sg prevenar',
  'sg prevenar 13',
  'sg isentress',
  'my mili',
  'br prednisolona',
  'br varivax',
  'br prednisolona solu',
  'ca antibacterial',
  'ca ultra',
  'ca micro',
  'ca clear',
  'my dyna',
  'my pharmaniaga',
  'my prime',
  'my guardian',
  'us obagi',
  'us denti-care',
  'my hurixs',
]);

/**
 * The brands of a register that the base can use. They have a known content and a distinct name, and the base
 * does not read them yet.
 */
export function selectBrands(
  country: string,
  rows: readonly RegisterRow[],
  finder: IngredientFinder,
  base: KnowledgeBase,
): RegisterBrand[] {
  const index = new NameIndex({ ...base, brands: [], meanings: [] });
  const brands = new Map<string, RegisterBrand & { routes: Set<RegisterRow['route']> }>();
  for (const row of rows) {
    const content = row.ingredients.map((text) => finder.find(text));
    const ingredients = [...new Set(content.filter((id) => id !== undefined))].sort((a, b) => a - b);
    if (ingredients.length === 0 || ingredients.length > MAX_INGREDIENTS) continue;
    const partial = content.includes(undefined);
    for (const name of namesOf(row.brand)) {
      if (!isUsable(name) || FAULTY.has(fold(`${country} ${name}`)) || isGenericName(name, index)) continue;
      if (isReadAlready(name, ingredients, index, base)) continue;
      const key = `${squash(fold(name))} ${ingredients.join()} ${partial}`;
      const brand = brands.get(key) ?? { name, ingredients, partial, routes: new Set() };
      brand.routes.add(row.route);
      brands.set(key, brand);
    }
  }
  return [...brands.values()].map(({ routes, ...brand }) => {
    const [route, ...others] = routes;
    return route && route !== 'systemic' && others.length === 0 ? { ...brand, route } : brand;
  });
}

/** The name without strengths and without words that do not identify it. */
function namesOf(written: string): string[] {
  const cleaned = written
    .replace(/\([^)]*\)?/g, ' ')
    .replace(/[®™©"*|]/g, ' ')
    .replace(
      /\b\d[\d.,/ -]*\s*(?:mg|mcg|µg|ug|g|ml|l|iu|ui|u|%|mmol|meq|pour cent|microgrammes?|per cent)(?![\p{L}])\.?/giu,
      ' ',
    )
    .replace(/[\s,;:/+-]+$/g, '')
    .replace(/\s+/g, ' ')
    .trim();
  const words = cleaned.split(' ');
  let end = words.length;
  while (end > 1 && isMeaningless(words[end - 1])) end--;
  return [...new Set([cleaned, words.slice(0, end).join(' ')])].map(capitalise);
}

function isMeaningless(word: string): boolean {
  const folded = fold(word);
  return /^[\d.,/-]+$/.test(folded) || isNoise(folded);
}

/** A name of at least three letters that has at least one meaningful word. */
function isUsable(name: string): boolean {
  const folded = fold(name);
  const words = folded.split(/[^\p{L}\p{N}]+/u).filter(Boolean);
  if (squash(folded).length < 3 || !/\p{L}{2}/u.test(folded) || name.length > 60 || words.length > 6)
    return false;
  return words.some((word) => /\p{L}/u.test(word) && !isEmptyWord(word) && !isEverydayWord(word));
}

function isEmptyWord(word: string): boolean {
  return (
    isNoise(word) ||
    SALT_WORDS.has(word) ||
    METAL_WORDS.has(word) ||
    NEGATIONS.has(word) ||
    SEPARATOR_WORDS.has(word)
  );
}

/** True for a national spelling of a generic name. It is not a brand of another content. */
function isGenericName(name: string, index: NameIndex): boolean {
  const found = index.findBySpelling(squash(fold(name)));
  return found !== undefined && found.confidence >= 0.95 && found.target.method !== 'brand';
}

/** True for a name that the base knows, and for a generic name followed by a maker. */
function isReadAlready(
  name: string,
  ingredients: readonly number[],
  index: NameIndex,
  base: KnowledgeBase,
): boolean {
  const reading = readName(name, index, { isDrug: (id) => (base.ingredients[id].kind ?? 'drug') === 'drug' });
  const read = reading.ingredients.map(({ ingredient }) => ingredient).sort((a, b) => a - b);
  if (read.join() !== ingredients.join()) return false;
  const generic = reading.ingredients.every(({ method }) => method !== 'brand' && method !== 'combination');
  return reading.unknown.length === 0 ? reading.assumed.every(({ written }) => written.length >= 7) : generic;
}

function capitalise(name: string): string {
  return /\p{Ll}/u.test(name)
    ? name
    : name.toLowerCase().replace(/(?<!\p{L})\p{L}/gu, (letter) => letter.toUpperCase());
}

/** The text of a brand file: one line for each content, with its brands. */
export function writeBrands(
  register: Register,
  brands: readonly RegisterBrand[],
  base: KnowledgeBase,
): string {
  const lines = new Map<string, string[]>();
  for (const { name, ingredients, partial, route } of brands) {
    const inns = ingredients.map((id) => base.ingredients[id].inn).sort();
    const content = [...inns, ...(partial ? ['?'] : [])].join(' + ');
    const key = `${content}\t${route ?? ''}`;
    lines.set(key, [...(lines.get(key) ?? []), name]);
  }
  const sorted = [...lines].map(([key, names]) => `${key}\t${[...new Set(names)].sort().join('|')}`).sort();
  return [`# country: ${register.country}`, `# source: ${register.source}`, ...sorted, ''].join('\n');
}
