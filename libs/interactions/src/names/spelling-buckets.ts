import { editDistance, letterMask, tooFar } from './edit-distance';
import type { Target } from './target';

/** A known name near a key. */
export interface Candidate {
  name: string;
  target: Target;
  /** Edits between key and name. */
  distance: number;
}

interface Bucket {
  keys: string[];
  masks: number[];
  targets: Target[];
}

/** Where the names of the buckets come from. */
export interface NameSource {
  initials: Iterable<string>;
  beginningWith: (initial: string) => ReadonlyMap<string, Target>;
}

/** Names by their first letter, next to each other in memory for a fast search. Each bucket is made when it is needed. */
export class SpellingBuckets {
  private readonly buckets = new Map<string, Bucket>();

  constructor(
    private readonly names: NameSource,
    private readonly isSpellable: (key: string) => boolean,
  ) {}

  /** Every name within `limit` edits of a key that has the same first letter. */
  near(key: string, limit: number): Candidate[] {
    return search(this.bucket(key[0]), key, letterMask(key), limit);
  }

  /** Every name within one edit of a key that has another first letter. */
  nearWithOtherInitial(key: string): Candidate[] {
    const mask = letterMask(key);
    return [...this.names.initials].flatMap((initial) =>
      initial === key[0] ? [] : search(this.bucket(initial), key, mask, 1),
    );
  }

  /** Every name that begins with a key, and every name with which the key begins. Both need four letters. */
  sharingBeginning(key: string): Candidate[] {
    const found: Candidate[] = [];
    if (key.length < 4) return found;
    const { keys, targets } = this.bucket(key[0]);
    keys.forEach((name, at) => {
      if (name.length < 4 || !(name.startsWith(key) || key.startsWith(name))) return;
      found.push({ name, target: targets[at], distance: Math.abs(name.length - key.length) });
    });
    return found;
  }

  private bucket(initial: string): Bucket {
    let bucket = this.buckets.get(initial);
    if (bucket) return bucket;
    bucket = { keys: [], masks: [], targets: [] };
    const names = this.names.beginningWith(initial);
    for (const [key, target] of names) {
      if (!this.isSpellable(key)) continue;
      bucket.keys.push(key);
      bucket.masks.push(letterMask(key));
      bucket.targets.push(target);
    }
    if (names.size > 0) this.buckets.set(initial, bucket);
    return bucket;
  }
}

function search({ keys, masks, targets }: Bucket, key: string, mask: number, limit: number): Candidate[] {
  const found: Candidate[] = [];
  for (let at = 0; at < keys.length; at++) {
    const gap = keys[at].length - key.length;
    if (gap > limit || gap < -limit || tooFar(mask, masks[at], limit)) continue;
    const distance = editDistance(key, keys[at], limit);
    if (distance <= limit) found.push({ name: keys[at], target: targets[at], distance });
  }
  return found;
}
