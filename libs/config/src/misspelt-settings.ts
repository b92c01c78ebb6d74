import type { Environment } from './settings';

/** Letters of a name for each difference that counts as a slip. `HOME` is not a misspelt `HOST`. */
const LETTERS_PER_SLIP = 4;
const MOST_SLIPS = 2;

/**
 * Variables that look like misspelt settings: a variable of another name has no effect, and nobody notices.
 *
 * @param known the names of all settings.
 * @returns a sentence for each. Security: it holds names, never values.
 */
export function findMisspelt(env: Environment, known: readonly string[]): string[] {
  const names = new Set(known);
  return Object.keys(env)
    .filter((name) => env[name] && !names.has(name))
    .flatMap((name) => {
      const meant = nearest(name.toUpperCase(), known);
      return meant === undefined ? [] : [`${name} is no setting of the service. Is ${meant} meant?`];
    });
}

function nearest(name: string, known: readonly string[]): string | undefined {
  let best: string | undefined;
  let least = Infinity;
  for (const each of known) {
    const slips = distance(name, each);
    if (slips < least && slips <= Math.min(MOST_SLIPS, Math.floor(each.length / LETTERS_PER_SLIP)))
      [best, least] = [each, slips];
  }
  return best;
}

/** The number of letters to add, to leave out or to change. Source: Levenshtein 1966. */
function distance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (const [index, letter] of [...from].entries()) {
    const next = [index + 1];
    for (let at = 0; at < to.length; at++)
      next.push(Math.min(row[at] + Number(letter !== to[at]), row[at + 1] + 1, next[at] + 1));
    row = next;
  }
  return row[to.length];
}
