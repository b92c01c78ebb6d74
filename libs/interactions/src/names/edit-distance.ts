/** Longer strings are not names. They are too far from everything. */
export const MAX_COMPARED_LENGTH = 62;

/** Three rows of the table. Every call reuses them, so that a search in a list of names allocates nothing. */
const ROWS = [0, 1, 2].map(() => new Uint8Array(MAX_COMPARED_LENGTH + 2));

/**
 * Optimal string alignment distance (insert, delete, replace, swap neighbours) of two strings, or `limit + 1`
 * when it is larger.
 * Fills only cells within `limit` of the diagonal, so that the time grows with length times limit.
 * @param limit 0 to 100
 */
export function editDistance(a: string, b: string, limit: number): number {
  if (a === b) return 0;
  const far = limit + 1;
  if (
    Math.abs(a.length - b.length) > limit ||
    a.length > MAX_COMPARED_LENGTH ||
    b.length > MAX_COMPARED_LENGTH
  )
    return far;
  let [before, previous, current] = ROWS;
  for (let j = 0; j <= b.length; j++) {
    previous[j] = Math.min(j, far);
    before[j] = far;
    current[j] = far;
  }
  for (let i = 1; i <= a.length; i++) {
    const from = Math.max(1, i - limit);
    const to = Math.min(b.length, i + limit);
    current[from - 1] = from === 1 ? Math.min(i, far) : far;
    let best = current[from - 1];
    const letter = a.charCodeAt(i - 1);
    for (let j = from; j <= to; j++) {
      let cost = previous[j - 1] + (letter === b.charCodeAt(j - 1) ? 0 : 1);
      // The last cell of the band has no current cell above it: that value belongs to an older row.
      if (j < i + limit) cost = Math.min(cost, previous[j] + 1);
      cost = Math.min(cost, current[j - 1] + 1);
      if (i > 1 && j > 1 && letter === b.charCodeAt(j - 2) && a.charCodeAt(i - 2) === b.charCodeAt(j - 1)) {
        cost = Math.min(cost, before[j - 2] + 1);
      }
      current[j] = cost;
      if (cost < best) best = cost;
    }
    if (best > limit) return far;
    [before, previous, current] = [previous, current, before];
  }
  return Math.min(previous[b.length], far);
}

/** One bit for each letter a to z in the text, and one bit for all other characters. */
export function letterMask(text: string): number {
  let mask = 0;
  for (let i = 0; i < text.length; i++) {
    const letter = text.charCodeAt(i) - 97;
    mask |= 1 << (letter >= 0 && letter < 26 ? letter : 26);
  }
  return mask;
}

/**
 * True when two strings differ in so many letters that `edits` edits cannot be enough. One edit changes at
 * most two bits.
 */
export function tooFar(maskA: number, maskB: number, edits: number): boolean {
  let bits = maskA ^ maskB;
  let count = 0;
  while (bits !== 0) {
    bits &= bits - 1;
    if (++count > edits * 2) return true;
  }
  return false;
}
