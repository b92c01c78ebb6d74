const KINDS = ['account', 'profile', 'medication', 'dose', 'appointment', 'stat', 'session', 'event'];
const KIND = Object.fromEntries(KINDS.map((kind, index) => [kind, index]));

/** UUIDv7 of a moment; what should be random in it follows from kind, index and account. */
export function idOf(kind, index, n, ms) {
  const time = Math.floor(ms);
  const own = scramble(index * KINDS.length + KIND[kind]);
  const low = ((time % 0x10000) * 0x10000 + 0x7000 + (own & 0xfff)) >>> 0;
  return [Math.floor(time / 0x10000), low, (0x80000000 | (own >>> 2)) >>> 0, scramble(n)];
}

/** A permutation of the 32-bit numbers in which neighbours are far apart. Source: the finalizer of MurmurHash3. */
function scramble(number) {
  let hash = number;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

/** A UUID in its canonical form. @param words four numbers of 32 bits. */
export function uuidText(words) {
  const hex = words.map((word) => word.toString(16).padStart(8, '0')).join('');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
