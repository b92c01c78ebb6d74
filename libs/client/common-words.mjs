/**
 * Makes the lists of the small strength estimate from the large ones: node libs/client/common-words.mjs
 * What a person is likely to choose, and what the estimate could not take for a word by its look.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const require = createRequire(import.meta.url);
const common = require('@zxcvbn-ts/language-common');
const english = require('@zxcvbn-ts/language-en');

const file = join(dirname(fileURLToPath(import.meta.url)), 'src/account/common-words.ts');
/** So many of the most frequent ones. */
const MOST = { 'passwords-common': 3000, 'commonWords-en': 3500 };
/** As in small-estimator.ts. */
const LOOKALIKES = {
  0: 'o',
  1: 'i',
  2: 'z',
  3: 'e',
  4: 'a',
  5: 's',
  6: 'g',
  7: 't',
  8: 'b',
  9: 'g',
  '@': 'a',
  $: 's',
  '!': 'i',
  '|': 'l',
};
const looksLikeAWord = (text) =>
  [text, [...text].map((each) => LOOKALIKES[each] ?? each).join('')].some(
    (each) => /^\p{L}+$/u.test(each) && /[aeiouy]/.test(each.normalize('NFD')) && !/[^aeiouy]{7}/.test(each),
  );
const LEAST_ODD = 8;

function listOf(words, most) {
  return words
    .map(String)
    .filter((word, at) => at < most || (word.length >= LEAST_ODD && !looksLikeAWord(word.toLowerCase())));
}

const dictionary = { ...common.dictionary, ...english.dictionary };
const SMALL = 100;
const lists = Object.fromEntries(
  Object.entries(dictionary)
    .map(([name, words]) => [
      name,
      words.length <= SMALL ? words.map(String) : listOf(words, MOST[name] ?? 0),
    ])
    .map(([name, words]) => [name, words.join(' ')]),
);
const { qwerty, qwertz, azerty, keypad } = common.adjacencyGraphs;
const text = `/* Made by libs/client/common-words.mjs from the word lists of zxcvbn-ts (MIT). */
// prettier-ignore
export const COMMON_WORDS: Readonly<Record<string, string>> = ${JSON.stringify(lists)};
// prettier-ignore
export const KEYBOARDS = ${JSON.stringify(JSON.stringify({ qwerty, qwertz, azerty, keypad }))};
// prettier-ignore
export const SENTENCES = ${JSON.stringify(english.translations)};
`;
if (process.argv.includes('--check')) {
  if (readFileSync(file, 'utf8') !== text) throw new Error(`${file} is not what the word lists make.`);
} else writeFileSync(file, text);
