/**
 * Optimal string alignment distance (insert, delete, replace, swap neighbours) of two strings, or `limit + 1` when it is larger.
 * Time grows with the shorter length times the limit, not with the product of the lengths.
 */
export function editDistance(a: string, b: string, limit: number): number {
  if (a === b) return 0;
  if (Math.abs(a.length - b.length) > limit) return limit + 1;
  const width = b.length + 1;
  let before = new Array<number>(width).fill(limit + 1);
  let previous = new Array<number>(width);
  let current = new Array<number>(width).fill(limit + 1);
  for (let j = 0; j < width; j++) previous[j] = j;
  for (let i = 1; i <= a.length; i++) {
    const from = Math.max(1, i - limit);
    const to = Math.min(b.length, i + limit);
    current[from - 1] = from === 1 ? i : limit + 1;
    let best = limit + 1;
    for (let j = from; j <= to; j++) {
      const same = a.charCodeAt(i - 1) === b.charCodeAt(j - 1);
      let cost = previous[j - 1] + (same ? 0 : 1);
      // Cells outside the band were never written in this row: treat them as too far.
      if (j < i + limit) cost = Math.min(cost, previous[j] + 1);
      cost = Math.min(cost, current[j - 1] + 1);
      if (
        i > 1 &&
        j > 1 &&
        a.charCodeAt(i - 1) === b.charCodeAt(j - 2) &&
        a.charCodeAt(i - 2) === b.charCodeAt(j - 1)
      ) {
        cost = Math.min(cost, before[j - 2] + 1);
      }
      current[j] = cost;
      if (cost < best) best = cost;
    }
    if (best > limit) return limit + 1;
    [before, previous, current] = [previous, current, before];
  }
  return Math.min(previous[b.length], limit + 1);
}

/** One bit for each letter a to z that occurs, one for everything else. */
export function letterMask(text: string): number {
  let mask = 0;
  for (let i = 0; i < text.length; i++) {
    const letter = text.charCodeAt(i) - 97;
    mask |= 1 << (letter >= 0 && letter < 26 ? letter : 26);
  }
  return mask;
}

/** True when two strings differ in so many letters that `edits` edits cannot join them: one edit changes at most two bits. */
export function tooFar(maskA: number, maskB: number, edits: number): boolean {
  let bits = maskA ^ maskB;
  let count = 0;
  while (bits !== 0) {
    bits &= bits - 1;
    if (++count > edits * 2) return true;
  }
  return false;
}
