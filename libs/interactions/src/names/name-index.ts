import type { KnowledgeBase } from '../compiled-base';
import { editDistance, MAX_COMPARED_LENGTH } from './edit-distance';
import { fold, squash, variantKey } from './fold';
import { KnownNames } from './known-names';
import { initialsOf, isNationalSpelling, stemOf } from './national-spelling';
import { SpellingBuckets, type Candidate } from './spelling-buckets';
import { isOtherScript } from './romanize';
import { slipCost } from './slip-cost';
import { SoundIndex } from './sound-index';
import type { Target } from './target';

/** A target found by its spelling, the confidence, and other possible meanings of the key. */
export interface SpellingMatch {
  target: Target;
  confidence: number;
  others: string[];
}

const SHORTEST_FOR_ONE_EDIT = 5;
const SHORTEST_FOR_TWO_EDITS = 8;
/**
 * In a brand of at least this length, two slips are corrected. Any other two edits make a different brand.
 */
const SHORTEST_BRAND_FOR_TWO_SLIPS = 10;
/** In a shorter brand, a different letter makes a different brand. */
const SHORTEST_BRAND_FOR_ANOTHER_LETTER = 7;
/** A rival whose cost is higher by at most this much is about as near. */
const ABOUT_AS_NEAR = 0.45;
const MAX_SUGGESTIONS = 5;

/** First letters of names whose national spelling begins with the first letter of the entry: "c" also with "k". */
const INITIALS_OF_VARIANTS: ReadonlyMap<string, string> = new Map([
  ['c', 'ck'],
  ['e', 'eao'],
  ['f', 'fp'],
  ['i', 'iy'],
]);

/** Every known name, for exact, variant and approximate look-up. Each part is made when it is first needed. */
export class NameIndex {
  private readonly names: KnownNames;
  private readonly sounds: SoundIndex;
  private readonly spellings: SpellingBuckets;
  /** National spellings by first letter; null when two drugs share one. */
  private readonly variants = new Map<string, Variants>();
  private readonly lookalikes = new Map<string, string[]>();
  /** By first letter, the stems that names of different medicines share. */
  private readonly sharedStems = new Map<string, ReadonlySet<string>>();

  constructor(private readonly base: KnowledgeBase) {
    this.names = new KnownNames(base);
    this.sounds = new SoundIndex(this.names);
    this.spellings = new SpellingBuckets(this.names, isSpellable);
    for (const [a, b] of base.lookalikes) {
      const [keyA, keyB] = [squash(fold(a)), squash(fold(b))];
      this.lookalikes.set(keyA, [...(this.lookalikes.get(keyA) ?? []), keyB]);
      this.lookalikes.set(keyB, [...(this.lookalikes.get(keyB) ?? []), keyA]);
    }
  }

  /** The target of a key that is a known name. */
  find(key: string): Target | undefined {
    return this.names.find(key);
  }

  /**
   * Names whose key begins with this one: generic names of medicines, brands, other substances, names of registers. Among
   * them those of a substance with more brands come first: it is taken more.
   */
  beginning(key: string, limit: number, isDrug: (ingredient: number) => boolean): Target[] {
    if (key.length < 2) return [];
    const found: { order: number[]; key: string; target: Target }[] = [];
    for (const [name, target] of this.names.beginningWith(key[0])) {
      if (!name.startsWith(key)) continue;
      const { ingredients, registered, method } = target;
      const kind = registered ? 3 : !ingredients.some(isDrug) ? 2 : method === 'exact' ? 0 : 1;
      const brands = Math.min(...ingredients.map((each) => this.base.ingredients[each].brands?.length ?? 0));
      found.push({ order: [kind, -brands, name.length], key: name, target });
    }
    found.sort((a, b) => byNumbers(a.order, b.order) || (a.key < b.key ? -1 : 1));
    return found.slice(0, limit).map(({ target }) => target);
  }

  /**
   * The only target that a misspelled key can mean, or `undefined`. The first letter must be the same. One
   * edit is allowed from 5 letters, two from 8. In a brand, only slips are allowed, two of them from 10
   * letters: any other difference makes a different brand. There is no result when another name is about as
   * near, or when the name of a listed look-alike is within one edit more.
   */
  findBySpelling(key: string): SpellingMatch | undefined {
    if (key.length > MAX_COMPARED_LENGTH) return undefined;
    if (isOtherScript(key)) return this.sounds.find(key);
    if (!isSpellable(key)) return undefined;
    const near = this.rankedCandidates(key);
    const variant = this.findVariant(key);
    if (variant) {
      const rival = near.some(
        ({ target, distance }) =>
          distance <= 1 && !isGeneric(variant.target, target) && !sameIngredients(target, variant.target),
      );
      return rival || this.hasCloseLookalike(key, variant.key, 0)
        ? undefined
        : { target: variant.target, confidence: 0.95, others: [] };
    }
    const [best, ...rest] = near.filter(({ allowed }) => allowed);
    if (!best) return undefined;
    const others = near.filter((other) => other !== best && !sameIngredients(other.target, best.target));
    // What sounds exactly like one name is not another one that only looks like it.
    const sounds = soundsLike(key, best.name);
    const rivals = sounds ? others.filter(({ name }) => soundsLike(key, name)) : others;
    if (rivals.some((other) => isAboutAsNear(other, best))) return undefined;
    if (!sounds && this.hasCloseLookalike(key, best.name, best.distance)) return undefined;
    const named = [...rest, ...others]
      .map(({ target }) => target.display)
      .filter((name) => name !== best.target.display);
    return {
      target: best.target,
      confidence: Math.round((1 - best.distance / key.length) * 100) / 100,
      others: [...new Set(named)].slice(0, MAX_SUGGESTIONS),
    };
  }

  /** True when a text is a generic name in the spelling of another language, and no other medicine has a name of that stem. */
  isOnlyNational(written: string, { method, display }: Target): boolean {
    const key = squash(fold(written));
    return (
      method === 'exact' &&
      isNationalSpelling(key, squash(fold(display))) &&
      !this.sharedStemsOf(stemOf(key)[0]).has(stemOf(key))
    );
  }

  /** The only generic name of one ingredient with this beginning. */
  findByBeginning(beginning: string | undefined): Target | undefined {
    if (beginning === undefined) return undefined;
    const found = new Map<string, Target>();
    for (const { name, target } of this.spellings.sharingBeginning(beginning)) {
      if (target.method === 'exact' && name.startsWith(beginning))
        found.set(target.ingredients.join(), target);
    }
    return found.size === 1 ? [...found.values()][0] : undefined;
  }

  /** At most five known names that look like the key, nearest first. The order is stable. */
  suggest(key: string): string[] {
    if (key.length < 3 || key.length > MAX_COMPARED_LENGTH) return [];
    if (isOtherScript(key)) return this.sounds.suggest(key);
    const widest = key.length < 6 ? 1 : key.length < 9 ? 2 : 3;
    const best = new Map<string, { display: string; distance: number }>();
    const offer = ({ target }: Candidate, distance: number): void => {
      const id = target.ingredients.join();
      const known = best.get(id);
      if (
        !known ||
        distance < known.distance ||
        (distance === known.distance && target.display < known.display)
      )
        best.set(id, { display: target.display, distance });
    };
    for (const one of this.spellings.near(key, widest)) offer(one, one.distance);
    for (const one of this.spellings.nearWithOtherInitial(key)) offer(one, one.distance + 0.5);
    for (const one of this.spellings.sharingBeginning(key)) offer(one, widest + 1);
    return [...best.values()]
      .sort((a, b) => a.distance - b.distance || (a.display < b.display ? -1 : 1))
      .slice(0, MAX_SUGGESTIONS)
      .map((candidate) => candidate.display);
  }

  /** Names near a key, one for each set of ingredients, the most likely first. */
  private rankedCandidates(key: string): Ranked[] {
    const limit = key.length < SHORTEST_FOR_TWO_EDITS ? 1 : 2;
    const best = new Map<string, Ranked>();
    for (const one of this.spellings.near(key, limit)) {
      if (one.distance === 2 && one.name.length < SHORTEST_FOR_TWO_EDITS) continue;
      const cost = slipCost(key, one.name);
      const ranked = { ...one, cost, allowed: isCorrectable(key, one, cost) };
      const id = one.target.ingredients.join();
      const known = best.get(id);
      if (
        !known ||
        Number(ranked.allowed) - Number(known.allowed) > 0 ||
        (ranked.allowed === known.allowed && cost < known.cost)
      )
        best.set(id, ranked);
    }
    return [...best.values()].sort((a, b) => a.cost - b.cost || (a.name < b.name ? -1 : 1));
  }

  private findVariant(key: string): { key: string; target: Target } | undefined {
    const variant = variantKey(key);
    const found =
      variant.length < SHORTEST_FOR_ONE_EDIT ? undefined : this.variantsOf(variant[0]).get(variant);
    // Spellings of one name differ in a few places. More differences mean a coincidence between short keys.
    return found && editDistance(key, found.key, 3) <= Math.floor((key.length + 1) / 4) ? found : undefined;
  }

  /** Brands have no national spellings. */
  private variantsOf(initial: string): Variants {
    const made = this.variants.get(initial);
    if (made) return made;
    const variants: Variants = new Map();
    for (const letter of INITIALS_OF_VARIANTS.get(initial) ?? initial) {
      for (const [key, target] of this.names.beginningWith(letter)) {
        if (!isGenericName(target) || !isSpellable(key)) continue;
        const variant = variantKey(key);
        const known = variants.get(variant);
        if (known === undefined) variants.set(variant, { key, target });
        else if (known && !sameIngredients(known.target, target)) variants.set(variant, null);
      }
    }
    if (variants.size > 0) this.variants.set(initial, variants);
    return variants;
  }

  private sharedStemsOf(initial: string): ReadonlySet<string> {
    const made = this.sharedStems.get(initial);
    if (made) return made;
    const owners = new Map<string, Target>();
    const shared = new Set<string>();
    for (const letter of initialsOf(initial)) {
      for (const [key, target] of this.names.beginningWith(letter)) {
        const stem = stemOf(key);
        const owner = owners.get(stem);
        if (!owner) owners.set(stem, target);
        else if (!sameIngredients(owner, target)) shared.add(stem);
      }
    }
    this.sharedStems.set(initial, shared);
    return shared;
  }

  private hasCloseLookalike(key: string, name: string, distance: number): boolean {
    return (this.lookalikes.get(name) ?? []).some(
      (other) => editDistance(key, other, distance + 1) <= distance + 1,
    );
  }
}

type Variants = Map<string, { key: string; target: Target } | null>;

interface Ranked extends Candidate {
  cost: number;
  /** True when this name may be the correction. Otherwise it only competes with other names. */
  allowed: boolean;
}

/**
 * A generic name may differ by any edit. A brand may differ only by slips, because many brands differ by one
 * letter.
 */
function isCorrectable(key: string, { target, name, distance }: Candidate, cost: number): boolean {
  if (target.meanings) return false;
  if (isGenericName(target)) return distance === 1 || cost <= (name.length < 12 ? 1.6 : 2);
  if (soundsLike(key, name)) return true;
  // "Codral" and "Cadral" are two brands, but "Tylneol" and "Lyrika" are misspellings of one.
  const isShort = name.length < SHORTEST_BRAND_FOR_ANOTHER_LETTER;
  if (isShort && key.length === name.length && !hasSameLetters(oneSpelling(key), oneSpelling(name)))
    return false;
  return distance === 1 ? cost < 1 : name.length >= SHORTEST_BRAND_FOR_TWO_SLIPS && cost <= 1.2;
}

/**
 * A brand competes with a generic name only when it is nearer, because nearly every word is one edit from a
 * brand.
 */
function isAboutAsNear(other: Ranked, best: Ranked): boolean {
  return isGeneric(best.target, other.target)
    ? other.cost < best.cost
    : other.cost <= best.cost + ABOUT_AS_NEAR;
}

/** True when one target is a generic name and the other a brand. */
function isGeneric(one: Target, other: Target): boolean {
  return isGenericName(one) && !isGenericName(other);
}

function isGenericName({ method }: Target): boolean {
  return method === 'exact' || method === 'synonym';
}

/** One letter for those that only differ in spelling: "Lyrika", "Zyrtek", "flagil". */
function oneSpelling(text: string): string {
  return text.replace(/k/g, 'c').replace(/y/g, 'i').replace(/z/g, 's');
}

/** True when two words sound the same: they differ in doubled letters, a silent "e" at the end, or letters with one sound. */
function soundsLike(one: string, other: string): boolean {
  const sound = (text: string): string => oneSpelling(text).replace(/(.)\1/g, '$1').replace(/e$/, '');
  return sound(one) === sound(other);
}

function hasSameLetters(one: string, other: string): boolean {
  return [...one].sort().join() === [...other].sort().join();
}

function sameIngredients(one: Target, other: Target): boolean {
  return one.ingredients.join() === other.ingredients.join();
}

/**
 * A short key is too easily another name, and a digit is never a typing error ("vitamin B12", "vitamin B1").
 */
function isSpellable(key: string): boolean {
  return key.length >= SHORTEST_FOR_ONE_EDIT && /^\p{L}+$/u.test(key);
}

/** Compares lists of numbers of one length. */
function byNumbers(a: readonly number[], b: readonly number[]): number {
  const at = a.findIndex((value, index) => value !== b[index]);
  return at < 0 ? 0 : a[at] - b[at];
}
