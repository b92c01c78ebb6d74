import { editDistance } from './edit-distance';
import { romanize, soundKey } from './romanize';
import type { Target } from './target';

/** Where the names come from. */
interface NameSource {
  initials: Iterable<string>;
  beginningWith: (initial: string) => ReadonlyMap<string, Target>;
}

interface Heard {
  name: string;
  target: Target;
}

/** Fewer consonants fit too many names and everyday words. */
const FEWEST_CONSONANTS = 3;
/**
 * How much a reading may differ from a name, from 0 to 1: with three consonants, with four, with more. Short names fit
 * many everyday words.
 */
const MAX_DIFFERENCE = { generic: [0.06, 0.16, 0.36], brand: [0, 0.06, 0.12] } as const;
/** Of a generic name and a brand that are as near, the generic name is meant. */
const HANDICAP = { generic: 0, brand: 0.05 } as const;
/** The best reading must be nearer than that of any other medicine by this much. */
const LEAST_LEAD = 0.06;

/** Latin names by their sound, to read names of other scripts. Made when the first such name is read. */
export class SoundIndex {
  private buckets: Map<string, Heard[]> | undefined;

  constructor(private readonly names: NameSource) {}

  /** The only target that a name of another script can mean, and other names that sound alike. */
  find(key: string): { target: Target; confidence: number; others: string[] } | undefined {
    const best = new Map<string, { target: Target; difference: number }>();
    const oneLiquid = hasOneLiquid(key);
    for (const reading of romanize(key)) {
      const sound = soundKey(reading);
      const consonants = sound.replace('.', '').length;
      if (consonants < FEWEST_CONSONANTS) continue;
      for (const { name, target } of this.all().get(sound) ?? []) {
        const rank = rankOf(target);
        const plain = differenceOf(reading, name, oneLiquid);
        if (plain > MAX_DIFFERENCE[rank][Math.min(consonants - FEWEST_CONSONANTS, 2)]) continue;
        const difference = plain + HANDICAP[rank];
        const id = target.ingredients.join();
        const known = best.get(id);
        if (!known || difference < known.difference) best.set(id, { target, difference });
      }
    }
    const [first, second] = [...best.values()].sort(
      (a, b) => a.difference - b.difference || (a.target.display < b.target.display ? -1 : 1),
    );
    if (!first || first.target.meanings) return undefined;
    if (second && second.difference - first.difference < LEAST_LEAD) return undefined;
    const others = [...best.values()].filter(({ target }) => target !== first.target);
    return {
      target: first.target,
      confidence: Math.round((1 - first.difference / 2) * 100) / 100,
      others: others.map(({ target }) => target.display).slice(0, 5),
    };
  }

  /** Names that sound like one that could not be read for sure, the nearest first. */
  suggest(key: string): string[] {
    const found = romanize(key).flatMap((reading) =>
      (this.all().get(soundKey(reading)) ?? []).map(({ name, target }) => ({
        display: target.display,
        difference: differenceOf(reading, name, hasOneLiquid(key)),
      })),
    );
    found.sort((a, b) => a.difference - b.difference || (a.display < b.display ? -1 : 1));
    return [...new Set(found.map(({ display }) => display))].slice(0, 5);
  }

  private all(): Map<string, Heard[]> {
    if (this.buckets) return this.buckets;
    this.buckets = new Map();
    for (const initial of this.names.initials) {
      if (!/[a-z]/.test(initial)) continue;
      for (const [name, target] of this.names.beginningWith(initial)) {
        // Nearly every word sounds like some brand of some register.
        if (target.registered || name.length < 4 || !/^[a-z]+$/.test(name)) continue;
        const sound = soundKey(name);
        const bucket = this.buckets.get(sound);
        if (bucket) bucket.push({ name, target });
        else this.buckets.set(sound, [{ name, target }]);
      }
    }
    return this.buckets;
  }
}

/** Japanese and Korean have one letter for l and r. */
function hasOneLiquid(key: string): boolean {
  return /[\p{Script=Katakana}\p{Script=Hiragana}\p{Script=Hangul}]/u.test(key);
}

function rankOf({ method }: Target): keyof typeof HANDICAP {
  return method === 'exact' || method === 'synonym' ? 'generic' : 'brand';
}

/** From 0 to 1. Consonants count for more than vowels, which many scripts write loosely or not at all. */
function differenceOf(reading: string, name: string, oneLiquid: boolean): number {
  const [a, b] = [reading, name].map((text) => (oneLiquid ? spoken(text).replace(/l/g, 'r') : spoken(text)));
  return 0.7 * share(a.replace(/[aeiou]/g, ''), b.replace(/[aeiou]/g, '')) + 0.3 * share(a, b);
}

/** The part of the letters that differ. */
function share(a: string, b: string): number {
  const longest = Math.max(a.length, b.length);
  return editDistance(a, b, longest) / longest;
}

function spoken(latin: string): string {
  return latin
    .replace(/ph/g, 'f')
    .replace(/th/g, 't')
    .replace(/ch/g, 'k')
    .replace(/qu/g, 'k')
    .replace(/x/g, 'ks')
    .replace(/c(?=[eiy])/g, 's')
    .replace(/[cq]/g, 'k')
    .replace(/[ts]+s|z/g, 's')
    .replace(/w/g, 'v')
    .replace(/y/g, 'i')
    .replace(/h/g, '')
    .replace(/(.)\1+/g, '$1');
}
