import { squash } from './fold';
import { findByMaker } from './maker-name';
import type { NameIndex } from './name-index';
import { isOtherScript } from './romanize';
import type { Target } from './target';
import type { Found, Reading } from './reading';
import type { Token } from './tokens';
import { isEverydayWord, isNoise, SALT_WORDS } from './vocabulary';

/** The most tokens by which a chunk grows on each side. */
const MAX_WORDS_OF_A_NAME = 8;

/** Tries to read each unknown run as a misspelled name: with its neighbours, alone, then word by word. */
export function correctSpelling(
  reading: Reading,
  tokens: readonly Token[],
  index: NameIndex,
  budget: { attempts: number },
): void {
  const attempt = (from: number, to: number): Found | undefined => {
    const key = keyOf(tokens, from, to);
    if ((key.length < 5 && !isOtherScript(key)) || budget.attempts-- <= 0) return undefined;
    const words = tokens.slice(from, to + 1).filter(({ type }) => type !== 'soft');
    // "Sleeping pill" is not a drug name and not a misspelling of one.
    if (words.every(({ text }) => isEverydayWord(text))) return undefined;
    const match = index.findBySpelling(key) ?? (from === to ? findByMaker(key, index) : undefined);
    if (match && isBrand(match.target) && !isFirstWord(tokens, from)) return undefined;
    if (!match) return undefined;
    const found = { ...match, salt: false, written: words.map(({ text }) => text).join(' '), from, to };
    // Nothing is assumed about the name of another language.
    return index.isOnlyNational(found.written, found.target)
      ? { ...found, target: { ...found.target, method: 'synonym' }, confidence: 1 }
      : found;
  };
  const left: Reading['unknown'] = [];
  for (const run of reading.unknown) {
    const chunk = chunkAround(tokens, run);
    const widened = chunk.from !== run.from || chunk.to !== run.to;
    // A short remainder ("Claritin D") means a different product, not a typing error in the longer name.
    const corrected =
      widened && keyOf(tokens, run.from, run.to).length >= 4 ? attempt(chunk.from, chunk.to) : undefined;
    if (corrected) {
      reading.found = reading.found.filter((found) => found.to < chunk.from || found.from > chunk.to);
      reading.found.push(corrected);
      continue;
    }
    for (let i = run.from; i <= run.to; i++) {
      if (tokens[i].type === 'soft') continue;
      let found: Found | undefined;
      for (let to = Math.min(run.to, i + 4); to >= i && !found; to--) {
        if (tokens[to].type !== 'soft') found = attempt(i, to);
      }
      if (found) {
        reading.found.push(found);
        i = found.to;
      } else if (isMisspelledSalt(tokens[i].text, i, reading.found)) {
        continue;
      } else {
        const last = left.at(-1);
        if (last && last.to >= run.from && onlySoft(tokens, last.to + 1, i)) last.to = i;
        else left.push({ from: i, to: i });
      }
    }
  }
  reading.found.sort((a, b) => a.from - b.from);
  // A salt before a name that had to be corrected: "fosfato de codeína".
  reading.unknown = left.filter(
    ({ from, to }) =>
      !(from === to && SALT_WORDS.has(tokens[from].text) && reading.found.some((found) => found.from > to)),
  );
}

/** The words around a run, up to the next separator or word without meaning. */
function chunkAround(
  tokens: readonly Token[],
  run: { from: number; to: number },
): { from: number; to: number } {
  const belongs = (at: number): boolean =>
    at >= 0 &&
    at < tokens.length &&
    (tokens[at].type === 'soft' || (tokens[at].type === 'word' && !isNoise(tokens[at].text)));
  let { from, to } = run;
  while (run.from - from < MAX_WORDS_OF_A_NAME && belongs(from - 1)) from--;
  while (to - run.to < MAX_WORDS_OF_A_NAME && belongs(to + 1)) to++;
  return { from, to };
}

function isMisspelledSalt(word: string, at: number, found: readonly Found[]): boolean {
  if (word.length < 6 || !found.some((match) => match.to < at)) return false;
  for (const salt of SALT_WORDS) {
    if (salt[0] === word[0] && Math.abs(salt.length - word.length) <= 1 && oneEdit(word, salt)) return true;
  }
  return false;
}

function oneEdit(a: string, b: string): boolean {
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start++;
  let endA = a.length - 1;
  let endB = b.length - 1;
  while (endA >= start && endB >= start && a[endA] === b[endB]) {
    endA--;
    endB--;
  }
  return endA - start < 1 && endB - start < 1;
}

function keyOf(tokens: readonly Token[], from: number, to: number): string {
  let key = '';
  for (let i = from; i <= to; i++) if (tokens[i].type !== 'soft') key += squash(tokens[i].text);
  return key;
}

/** True when there are only soft tokens between two places. */
function onlySoft(tokens: readonly Token[], from: number, to: number): boolean {
  for (let i = from; i < to; i++) if (tokens[i].type !== 'soft') return false;
  return true;
}

/** After another word, a similar brand is more likely a word of that product: "Tylenol Balance". */
function isBrand({ method }: Target): boolean {
  return method === 'brand' || method === 'combination';
}

/** True when no meaningful word precedes this one in its part of the name. */
export function isFirstWord(tokens: readonly Token[], at: number): boolean {
  for (let i = at - 1; i >= 0; i--) {
    if (tokens[i].type === 'hard') return true;
    if (tokens[i].type === 'word' && !isNoise(tokens[i].text)) return false;
  }
  return true;
}
