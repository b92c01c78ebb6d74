/** A random text of 32 characters has more, even in hexadecimal. */
const MIN_DIFFERENT_CHARACTERS = 8;

/**
 * Whether a secret is obviously not random: it has fewer than eight different characters, repeats a part of
 * itself from start to end, or is mostly a run such as `abcdef` or `654321`.
 *
 * It cannot recognise every weak secret. A sentence or a word with a number passes.
 */
export function isGuessable(secret: string): boolean {
  const characters = [...secret];
  return new Set(characters).size < MIN_DIFFERENT_CHARACTERS || isRepeated(secret) || isRun(characters);
}

/** Whether a part of at most half the length, repeated, gives the text. The last part may be cut off. */
function isRepeated(text: string): boolean {
  for (let length = 1; length <= text.length / 2; length++)
    if (text.startsWith(text.slice(length))) return true;
  return false;
}

/** Whether more than half of the characters follow their predecessor by the same step. */
function isRun(characters: string[]): boolean {
  const steps = new Map<number, number>();
  for (let index = 1; index < characters.length; index++) {
    const step = characters[index].codePointAt(0)! - characters[index - 1].codePointAt(0)!;
    steps.set(step, (steps.get(step) ?? 0) + 1);
  }
  return Math.max(...steps.values()) > characters.length / 2;
}
