import { withSpaces } from './script-words';
import { SEPARATOR_WORDS } from './vocabulary';

/**
 * A piece of a folded name. `word`: letters; `number`: digits; `soft`: a joiner or a sign without meaning (a
 * hyphen, a dot); `hard`: a separator between the parts of a combination (a slash, a comma, "and"); `open`
 * and `close`: brackets.
 */
export interface Token {
  text: string;
  type: 'word' | 'number' | 'soft' | 'hard' | 'open' | 'close';
}

/** No product name has more pieces. The rest counts as unknown, so that the work stays bounded. */
export const MAX_TOKENS = 120;

/**
 * Letters separated by dots ("q.i.d."), numbers with decimal or thousands separators, words, any other sign.
 */
const PIECES = /(?<!\p{L})\p{L}(?:\.\p{L})+(?!\p{L})|\d+(?:[.,]\d+)*|\p{L}[\p{L}\p{M}]*|\p{N}|[^\s]/gu;

/** Short forms that people write for the first word of a name. */
const ABBREVIATIONS: ReadonlyMap<string, string> = new Map([
  ['vit', 'vitamin'],
  ['vits', 'vitamin'],
  ['mag', 'magnesium'],
]);

/** Cuts a folded name into at most `MAX_TOKENS` tokens. */
export function tokenize(folded: string): Token[] {
  const tokens: Token[] = [];
  for (const [text] of withSpaces(folded).matchAll(PIECES)) {
    if (tokens.length === MAX_TOKENS) break;
    tokens.push(tokenOf(text));
  }
  return tokens;
}

function tokenOf(text: string): Token {
  if (/^\p{L}/u.test(text)) {
    const plain = text.replaceAll('.', '');
    const word = ABBREVIATIONS.get(plain) ?? plain;
    return { text: word, type: SEPARATOR_WORDS.has(word) ? 'hard' : 'word' };
  }
  if (/^\p{N}/u.test(text)) return { text, type: 'number' };
  if (/^[/+&,;|\\]/.test(text)) return { text, type: 'hard' };
  if (/^[([{]/.test(text)) return { text, type: 'open' };
  if (/^[)\]}]/.test(text)) return { text, type: 'close' };
  return { text, type: 'soft' };
}
