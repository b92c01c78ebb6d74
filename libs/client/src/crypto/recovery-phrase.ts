import { RecoveryPhraseError } from '../errors';
import { randomBytes } from './web-crypto';

/** Words of a phrase: 128 random bits and 4 bits of checksum. Source: BIP-39. */
export const PHRASE_WORDS = 12;
const ENTROPY_BYTES = 16;

/** The word list is loaded at the first use, as a file of its own: most visits need no phrase. */
const words = () => import('./phrase-words.js');

/**
 * A new phrase: twelve lower-case English words with single spaces. Show it once; it cannot be shown again.
 */
export async function generateRecoveryPhrase(): Promise<string> {
  const { phraseOf } = await words();
  return phraseOf(randomBytes(ENTROPY_BYTES));
}

/**
 * The canonical form of a typed phrase: twelve lower-case words of the English list with single spaces.
 * Word list and checksum are verified on the device. Source: BIP-39.
 * @throws RecoveryPhraseError, which lists mistyped words with suggestions.
 */
export async function normalizeRecoveryPhrase(typed: string): Promise<string> {
  const { readPhrase } = await words();
  const read = readPhrase(typed);
  if (typeof read === 'string') return read;
  throw new RecoveryPhraseError(read.code, read.message, read.unknownWords);
}
