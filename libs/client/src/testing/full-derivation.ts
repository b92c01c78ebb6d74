/** From now on, this spec file derives the keys of passwords at their full cost: see `cheap-derivation.js`. */
export function deriveAtFullCost(): void {
  Reflect.deleteProperty(globalThis.crypto.subtle, 'deriveBits');
}
