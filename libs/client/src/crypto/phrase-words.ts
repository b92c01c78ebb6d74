import { entropyToMnemonic, mnemonicToEntropy } from '@scure/bip39';
import { wordlist } from '@scure/bip39/wordlists/english.js';
import type { UnknownPhraseWord } from '../errors';

/** Words of a phrase: 128 random bits and 4 bits of checksum. Source: BIP-39. */
const PHRASE_WORDS = 12;
const MAX_SUGGESTIONS = 3;
/** A longer text is not a phrase. Edit distances for it would only cost time. */
const MAX_TYPED_LENGTH = 2000;
const known = new Set(wordlist);

/** What `recovery-phrase.ts` throws, with its own class of error: this part shares no code with the core. */
export interface RefusedPhrase {
  code: 'phrase_word_count' | 'phrase_unknown_word' | 'phrase_checksum';
  message: string;
  unknownWords: UnknownPhraseWord[];
}

export function phraseOf(entropy: Uint8Array): string {
  return entropyToMnemonic(entropy, wordlist);
}

/**
 * The words that a person meant. Ignores case, white space (line breaks, no-break and zero-width spaces),
 * Unicode form (NFKD: full-width letters, accents), and numbers and punctuation around a word, as in a
 * numbered list.
 */
function wordsOf(typed: string): string[] {
  return typed
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\u200b/g, ' ')
    .replace(/[\p{M}\p{Cf}]/gu, '')
    .split(/[\s\p{Z}\p{Cc}]+/u)
    .map((word) => word.replace(/^[^\p{L}]+|[^\p{L}]+$/gu, ''))
    .filter((word) => word !== '');
}

/** Damerau-Levenshtein distance. A swap of two adjacent letters counts as one edit. */
function editDistance(a: string, b: string): number {
  let before: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const change = row[j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1);
      next[j] = Math.min(change, row[j] + 1, next[j - 1] + 1);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        next[j] = Math.min(next[j], before[j - 2] + 1);
      }
    }
    before = row;
    row = next;
  }
  return row[b.length];
}

/** Words of the list with at most two typing errors, or with the same first four letters. */
function suggestionsFor(word: string): string[] {
  return wordlist
    .filter((candidate) => Math.abs(candidate.length - word.length) <= 2 || candidate.startsWith(word))
    .map((candidate) => ({
      candidate,
      distance:
        word.length >= 3 && candidate.startsWith(word.slice(0, 4)) ? 0.5 : editDistance(word, candidate),
    }))
    .filter(({ distance }) => distance <= 2)
    .sort((a, b) => a.distance - b.distance || (a.candidate < b.candidate ? -1 : 1))
    .slice(0, MAX_SUGGESTIONS)
    .map(({ candidate }) => candidate);
}

/** @returns the canonical form, or why there is none. */
export function readPhrase(typed: string): string | RefusedPhrase {
  const words = wordsOf(typed.slice(0, MAX_TYPED_LENGTH));
  const unknownWords: UnknownPhraseWord[] = words.flatMap((word, at) =>
    known.has(word) ? [] : [{ position: at + 1, word, suggestions: [] }],
  );
  if (words.length !== PHRASE_WORDS) {
    const message = `A recovery phrase has ${PHRASE_WORDS} words; these are ${words.length}.`;
    return { code: 'phrase_word_count', message, unknownWords };
  }
  if (unknownWords.length > 0) {
    for (const unknown of unknownWords) unknown.suggestions = suggestionsFor(unknown.word);
    const named = unknownWords.map(({ position, word, suggestions }) =>
      suggestions.length > 0
        ? `word ${position}, "${word}" (perhaps ${suggestions.map((each) => `"${each}"`).join(' or ')})`
        : `word ${position}, "${word}"`,
    );
    const message = `Not on the word list: ${named.join('; ')}.`;
    return { code: 'phrase_unknown_word', message, unknownWords };
  }
  const phrase = words.join(' ');
  try {
    mnemonicToEntropy(phrase, wordlist);
  } catch {
    const message = 'Each word exists, but one was replaced, or two are exchanged.';
    return { code: 'phrase_checksum', message, unknownWords };
  }
  return phrase;
}
