/** Letters that people confuse because they sound alike in some language. */
const SOUND_ALIKE = ['aeiouy', 'ckqx', 'szcx', 'fv', 'vw', 'iyj', 'td', 'pb', 'gj', 'mn'];

/**
 * The cost of a slip (a doubled letter, a swap of neighbours, a letter that sounds alike). Any other edit
 * costs 1.
 */
const SLIP = 0.6;

/**
 * The cost of the one or two edits from a name to a key. Edits that people make by accident cost less.
 * @returns at least 0.6 for different strings
 */
export function slipCost(key: string, name: string): number {
  const width = name.length + 1;
  const costs = new Float64Array((key.length + 1) * width);
  for (let j = 1; j <= name.length; j++) costs[j] = costs[j - 1] + gapCost(name, j - 1);
  for (let i = 1; i <= key.length; i++) {
    costs[i * width] = costs[(i - 1) * width] + gapCost(key, i - 1);
    for (let j = 1; j <= name.length; j++) {
      const [a, b] = [key[i - 1], name[j - 1]];
      let best = costs[(i - 1) * width + j - 1] + (a === b ? 0 : soundAlike(a, b) ? SLIP : 1);
      best = Math.min(best, costs[(i - 1) * width + j] + gapCost(key, i - 1));
      best = Math.min(best, costs[i * width + j - 1] + gapCost(name, j - 1));
      if (i > 1 && j > 1 && a === name[j - 2] && key[i - 2] === b && a !== b) {
        best = Math.min(best, costs[(i - 2) * width + j - 2] + SLIP);
      }
      costs[i * width + j] = best;
    }
  }
  return costs[costs.length - 1];
}

/**
 * The cost of an extra or missing letter. It is a slip for a vowel or "h" inside the word, or for one of two
 * equal neighbours.
 */
function gapCost(text: string, at: number): number {
  const letter = text[at];
  const doubled = text[at - 1] === letter || text[at + 1] === letter;
  const inside = at > 0 && at < text.length - 1;
  return doubled || (inside && /[aeiouyh]/.test(letter)) ? SLIP : 1;
}

function soundAlike(a: string, b: string): boolean {
  return SOUND_ALIKE.some((group) => group.includes(a) && group.includes(b));
}
