import {
  type MatchExtended,
  type Matcher,
  type OptionsGraph,
  ZxcvbnFactory,
  type ZxcvbnResult,
} from '@zxcvbn-ts/core';
import { COMMON_WORDS, KEYBOARDS, SENTENCES } from './common-words';

/**
 * A word that the short lists lack is behind the frequent ones in the large lists. Their names and dice words are in
 * alphabetical order, so it is not taken for a rare one.
 */
const GUESSES_OF_A_WORD = 500;
const LEAST_WORD = 4;
/** The longest entry of the large lists has 23 characters. */
const MOST_WORD = 24;
const LOOKALIKES: Record<string, string> = {
  ...{ 0: 'o', 1: 'i', 2: 'z', 3: 'e', 4: 'a', 5: 's', 6: 'g', 7: 't', 8: 'b', 9: 'g' },
  ...{ '@': 'a', $: 's', '!': 'i', '|': 'l' },
};

/** Whether letters could be a word of some language of people: they can be pronounced. */
const looksLikeAWord = (letters: string) =>
  /[aeiouy]/.test(letters.normalize('NFD')) && !/[^aeiouy]{7}/.test(letters);

/** Takes each run of letters, or of what looks like letters, for a word that stands in the large lists. */
function unknownWords(password: string): MatchExtended[] {
  const lower = password.toLowerCase();
  // A change of its length would move the places.
  if (lower.length !== password.length) return [];
  const decoded = [...lower].map((each) => LOOKALIKES[each] ?? each).join('');
  const runs = [lower, decoded].flatMap((text) => [...text.matchAll(/\p{L}+/gu)]);
  return runs.flatMap(({ 0: run, index }) => {
    const matches: MatchExtended[] = [];
    for (let from = 0; run.length - from >= LEAST_WORD; from += MOST_WORD) {
      const word = run.slice(from, from + MOST_WORD);
      if (word.length < LEAST_WORD || !looksLikeAWord(word)) continue;
      const [i, j] = [index + from, index + from + word.length - 1];
      matches.push({ pattern: 'unknownWord', i, j, token: password.slice(i, j + 1) });
    }
    return matches;
  });
}

const unknownWord: Matcher = {
  Matching: class {
    match({ password }: { password: string }): MatchExtended[] {
      return unknownWords(password);
    }
  } as unknown as Matcher['Matching'],
  scoring: () => GUESSES_OF_A_WORD,
  feedback: (_options, _match, isSole) => ({
    warning: isSole ? SENTENCES.warnings.wordByItself : null,
    suggestions: [SENTENCES.suggestions.anotherWord],
  }),
};

const options = {
  dictionary: Object.fromEntries(Object.entries(COMMON_WORDS).map(([name, list]) => [name, list.split(' ')])),
  graphs: JSON.parse(KEYBOARDS) as OptionsGraph,
  translations: SENTENCES,
};
const byLists = new ZxcvbnFactory(options);
const byLook = new ZxcvbnFactory(options, { unknownWord });

/**
 * Estimates a secret by short lists. What the large lists would find is never more than `most`; it is about `least` where
 * all that looks like a word stands in them.
 */
export function estimate(secret: string, userInputs: string[]): { least: ZxcvbnResult; most: ZxcvbnResult } {
  return { least: byLook.check(secret, userInputs), most: byLists.check(secret, userInputs) };
}
