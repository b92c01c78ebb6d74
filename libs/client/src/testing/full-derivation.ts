const FULL = Symbol.for('health-records: the derivation at full cost');

/** From now on, this spec file derives the keys of passwords at their full cost: see `cheap-derivation.js`. */
export function deriveAtFullCost(): void {
  const subtle = globalThis.crypto.subtle as typeof globalThis.crypto.subtle & {
    [FULL]?: typeof globalThis.crypto.subtle.deriveBits;
  };
  if (subtle[FULL]) subtle.deriveBits = subtle[FULL];
}
