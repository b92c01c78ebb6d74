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

/** Names by their first letter, next to each other in memory for a fast search. */
export class SpellingBuckets {
  private readonly buckets = new Map<string, Bucket>();

  add(key: string, target: Target): void {
    let bucket = this.buckets.get(key[0]);
    if (!bucket) this.buckets.set(key[0], (bucket = { keys: [], masks: [], targets: [] }));
    bucket.keys.push(key);
    bucket.masks.push(letterMask(key));
    bucket.targets.push(target);
  }

  /** Every name within `limit` edits of a key that has the same first letter. */
  near(key: string, limit: number): Candidate[] {
    const bucket = this.buckets.get(key[0]);
    return bucket ? search(bucket, key, letterMask(key), limit) : [];
  }

  /** Every name within one edit of a key that has another first letter. */
  nearWithOtherInitial(key: string): Candidate[] {
    const mask = letterMask(key);
    return [...this.buckets].flatMap(([initial, bucket]) =>
      initial === key[0] ? [] : search(bucket, key, mask, 1),
    );
  }

  /** Every name that begins with a key, and every name with which the key begins. Both need four letters. */
  sharingBeginning(key: string): Candidate[] {
    const found: Candidate[] = [];
    const bucket = this.buckets.get(key[0]);
    if (!bucket || key.length < 4) return found;
    for (let at = 0; at < bucket.keys.length; at++) {
      const name = bucket.keys[at];
      if (name.length < 4 || !(name.startsWith(key) || key.startsWith(name))) continue;
      found.push({ name, target: bucket.targets[at], distance: Math.abs(name.length - key.length) });
    }
    return found;
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
