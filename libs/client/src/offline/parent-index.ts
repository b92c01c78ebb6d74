/** The keys of records by the parent that each names. It is made when it is first asked for, and mended after that. */
export class ParentIndex {
  readonly #parents = new Map<string, string>();
  readonly #keys = new Map<string, Set<string>>();
  readonly #changed: Set<string>;

  /** @param keys of all records that there are */
  constructor(keys: Iterable<string>) {
    this.#changed = new Set(keys);
  }

  /** The record was added, changed or removed. */
  changed(key: string): void {
    this.#changed.add(key);
  }

  /** @param parentOf the parent of a record now; `undefined` for one that is gone */
  below(parent: string, parentOf: (key: string) => string | undefined): Iterable<string> {
    for (const key of this.#changed) {
      this.#keys.get(this.#parents.get(key) ?? '')?.delete(key);
      const now = parentOf(key);
      if (now === undefined) this.#parents.delete(key);
      else {
        this.#parents.set(key, now);
        this.#keys.set(now, (this.#keys.get(now) ?? new Set()).add(key));
      }
    }
    this.#changed.clear();
    return this.#keys.get(parent) ?? [];
  }
}
