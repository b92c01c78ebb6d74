/**
 * Derives keys of passwords at a thousandth of their cost, in all specs that do not ask for the full cost and in the
 * browsers of the tests: the derivation is most of the time of a sign-in, and few tests are about it. Another number of
 * iterations still gives another key.
 */
const { subtle } = globalThis.crypto;
// A page that came by plain HTTP has none.
if (subtle) {
  subtle.deriveBits = (algorithm, ...rest) => {
    // The sign-in at PostgreSQL is a derivation, too, with 4,096 rounds.
    const isStretched = algorithm.name === 'PBKDF2' && algorithm.iterations >= 100_000;
    const cheap = isStretched
      ? { ...algorithm, iterations: Math.ceil(algorithm.iterations / 1000) }
      : algorithm;
    return Object.getPrototypeOf(subtle).deriveBits.call(subtle, cheap, ...rest);
  };
}
