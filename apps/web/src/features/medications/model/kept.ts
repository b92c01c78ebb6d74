import type { Dose } from '@app/client';
import type { Medicine } from '@app/client/documents';

/** So many results of a medicine are kept: each screen asks for other days. */
const KEPT = 4;

interface Kept<Rest, Result> {
  doses: readonly Dose[];
  /** Another one after a journey. */
  offset: number;
  results: { rest: Rest; result: Result }[];
}

/**
 * Keeps what was worked out of a medicine and its doses, so that a tap works out one medicine anew and a screen draws its
 * rows alone. All is compared by identity. A result is read by several: nobody may change it.
 */
export function keptByMedicine<Rest extends readonly unknown[], Result>(
  workOut: (medicine: Medicine, doses: readonly Dose[], ...rest: Rest) => Result,
): typeof workOut {
  const all = new WeakMap<Medicine, Kept<Rest, Result>>();
  return (medicine, doses, ...rest) => {
    const offset = new Date().getTimezoneOffset();
    let kept = all.get(medicine);
    if (kept?.doses !== doses || kept.offset !== offset) kept = { doses, offset, results: [] };
    all.set(medicine, kept);
    const known = kept.results.find((each) => each.rest.every((value, at) => value === rest[at]));
    if (known) return known.result;
    const result = workOut(medicine, doses, ...rest);
    kept.results = [{ rest, result }, ...kept.results.slice(0, KEPT - 1)];
    return result;
  };
}
