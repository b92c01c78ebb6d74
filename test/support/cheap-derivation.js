/**
 * Derives keys of passwords at a thousandth of their cost, in all specs that do not ask for the full cost: the
 * derivation is most of the time of a sign-in, and few tests are about it. Another number of iterations still
 * gives another key.
 */
const FULL = Symbol.for('health-records: the derivation at full cost');
const { subtle } = globalThis.crypto;
// The object outlives the spec file.
subtle[FULL] ??= subtle.deriveBits;
const deriveBits = subtle[FULL].bind(subtle);
subtle.deriveBits = (algorithm, key, length) => {
  // The sign-in at PostgreSQL is a derivation, too, with 4,096 rounds.
  const isStretched = algorithm.name === 'PBKDF2' && algorithm.iterations >= 100_000;
  const cheap = isStretched
    ? { ...algorithm, iterations: Math.ceil(algorithm.iterations / 1000) }
    : algorithm;
  return deriveBits(cheap, key, length);
};
