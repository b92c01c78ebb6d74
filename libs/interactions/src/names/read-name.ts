import type { LocalRoute, MatchMethod } from '../types';
import { fold, squash } from './fold';
import type { NameIndex, Target } from './name-index';
import { MAX_TOKENS, tokenize, type Token } from './tokens';
import { isNoise, isNoisePhrase, METAL_WORDS, NEGATIONS, routeOf, SALT_WORDS } from './vocabulary';

/** One ingredient read out of a name. */
export interface ReadIngredient {
  ingredient: number;
  method: MatchMethod;
  confidence: number;
  /** True when the name was a combination whose parts were not named one by one. */
  fromCombination: boolean;
}

/** Everything read out of one name. */
export interface NameReading {
  input: string;
  ingredients: ReadIngredient[];
  /** Where the product acts, when words of the name or the name itself say so. */
  local?: LocalRoute;
  /** True when words of the name say that the product reaches the whole body. */
  systemic: boolean;
  /** Pieces that were not understood; with any, the name was not checked completely. */
  unknown: string[];
}

/** What the base knows about an ingredient that matters for reading names. */
export interface IngredientTraits {
  isDrug: (ingredient: number) => boolean;
}

/** The most words one name in the base has ("live attenuated influenza vaccine nasal spray"). */
const MAX_WORDS_OF_A_NAME = 8;
/** Once a written name has come to so many ingredients, further products in it are reported as unknown. */
const MAX_PARTS = 10;
/** Approximate look-ups spent on one name; hostile input must not buy more. */
const MAX_SPELLING_ATTEMPTS = 12;

interface Found {
  target: Target;
  confidence: number;
  salt: boolean;
  /** First and last token, inclusive. */
  from: number;
  to: number;
}

interface Reading {
  found: Found[];
  /** Runs of tokens that mean nothing known: first and last token. */
  unknown: { from: number; to: number }[];
}

/**
 * Reads a product name as a person writes it. Never throws; work is bounded by the length of the name.
 * What is not understood is in `unknown`: the caller must not take such a name as checked.
 */
export function readName(input: string, index: NameIndex, traits: IngredientTraits): NameReading {
  const folded = fold(input);
  const whole = index.find(squash(folded));
  const tokens = tokenize(folded);
  const hint = routeOf(tokens.filter((token) => token.type === 'word').map((token) => token.text));
  if (whole)
    return describe(input, [{ target: whole, confidence: 1, salt: false, from: 0, to: 0 }], [], hint);

  const { outer, inner } = splitBrackets(tokens);
  const budget = { attempts: MAX_SPELLING_ATTEMPTS };
  const main = readTokens(outer, index, traits);
  const aside = inner.map((part) => ({ part, reading: readTokens(part, index, traits) }));
  const named = aside.filter(({ reading }) => reading.found.length > 0);
  correctSpelling(main, outer, index, budget);
  let unknown = main.unknown.map((run) => textOf(outer, run.from, run.to));
  const found = [...main.found, ...named.flatMap(({ reading }) => reading.found)];
  // "Brand (ibuprofen)": the bracket says what the unknown word in front of it is.
  if (main.found.length === 0 && named.length > 0) unknown = [];
  unknown.push(
    ...named.flatMap(({ part, reading }) => reading.unknown.map((run) => textOf(part, run.from, run.to))),
  );
  if (found.length === 0 && unknown.length === 0) {
    for (const { part, reading } of aside) {
      correctSpelling(reading, part, index, budget);
      found.push(...reading.found);
      unknown.push(...reading.unknown.map((run) => textOf(part, run.from, run.to)));
    }
    if (found.length === 0 && unknown.length === 0) unknown = [folded];
  }
  if (tokens.length === MAX_TOKENS) unknown.push(folded);
  return describe(input, found, unknown, hint);
}

function splitBrackets(tokens: readonly Token[]): { outer: Token[]; inner: Token[][] } {
  const outer: Token[] = [];
  const inner: Token[][] = [];
  let depth = 0;
  for (const token of tokens) {
    if (token.type === 'open') {
      if (depth++ === 0) inner.push([]);
    } else if (token.type === 'close') {
      depth = Math.max(0, depth - 1);
    } else {
      (depth > 0 ? inner[inner.length - 1] : outer).push(token);
    }
  }
  // A bracket in the middle of a name ends nothing; one that was never closed is no bracket.
  return depth > 0 ? { outer: [...outer, ...inner.flat()], inner: [] } : { outer, inner };
}

/** Left to right, the longest known name first; numbers, units, forms, salts and instructions are passed over. */
function readTokens(tokens: readonly Token[], index: NameIndex, traits: IngredientTraits): Reading {
  const reading: Reading = { found: [], unknown: [] };
  let pendingSalt = -1;
  let previous: Found | undefined;
  let i = 0;
  const leave = (at: number): void => {
    const run = reading.unknown.at(-1);
    if (run && run.to >= 0 && onlySoft(tokens, run.to + 1, at)) run.to = at;
    else reading.unknown.push({ from: at, to: at });
  };
  while (i < tokens.length) {
    const token = tokens[i];
    if (token.type === 'hard') {
      previous = undefined;
      // "Micardis Plus", "Nurofen +": a further ingredient that is not named.
      if ((token.text === 'plus' || token.text === '+') && !hasWordAfter(tokens, i)) leave(i);
    } else if (token.type === 'word' || token.type === 'number') {
      const match = longestMatch(tokens, i, index);
      const passed = match ? i : phraseEnd(tokens, i);
      if (passed > i) {
        i = passed;
      } else if (match && nextWord(tokens, match.to) === 'free') {
        i = wordAfter(tokens, match.to); // "aspirin-free"
      } else if (match && isSaltHere(tokens, match, previous, index, traits)) {
        if (previous) previous.salt = true;
        i = match.to;
      } else if (match) {
        if (pendingSalt >= 0) match.salt = true;
        pendingSalt = -1;
        reading.found.push(match);
        previous = match;
        i = match.to;
      } else if (NEGATIONS.has(token.text) && nextWord(tokens, i) !== undefined) {
        const left = tokens.findIndex((other, at) => at > i && other.type === 'word');
        i = longestMatch(tokens, left, index)?.to ?? left; // "without codeine", "non-drowsy"
      } else if (token.type === 'word' && nextWord(tokens, i) === 'free') {
        i = wordAfter(tokens, i);
      } else if (token.type === 'word') {
        const isSalt = SALT_WORDS.has(token.text) || METAL_WORDS.has(token.text);
        if (isSalt && previous) previous.salt = true;
        else if (isSalt && hasWordAfter(tokens, i)) pendingSalt = i;
        else if (isSalt || !isNoise(token.text)) leave(i);
      }
    }
    i++;
  }
  if (pendingSalt >= 0 && reading.found.length === 0)
    reading.unknown.unshift({ from: pendingSalt, to: pendingSalt });
  return reading;
}

function longestMatch(tokens: readonly Token[], from: number, index: NameIndex): Found | undefined {
  let key = '';
  let words = 0;
  let best: Found | undefined;
  for (let to = from; to < tokens.length && words < MAX_WORDS_OF_A_NAME; to++) {
    const { type, text } = tokens[to];
    if (type === 'soft') continue;
    // "and" inside a name counts ("cod liver oil and malt"), a slash or comma does not.
    if (type === 'hard' && !/^\p{L}/u.test(text)) continue;
    key += squash(text);
    words++;
    const target = index.find(key);
    if (target) best = { target, confidence: 1, salt: false, from, to };
  }
  return best;
}

/** "losartan potassium" and "potassium clavulanate" hold no potassium to speak of; "losartan + potassium" does. */
function isSaltHere(
  tokens: readonly Token[],
  match: Found,
  previous: Found | undefined,
  index: NameIndex,
  traits: IngredientTraits,
): boolean {
  if (match.from !== match.to || match.target.ingredients.length !== 1) return false;
  const word = tokens[match.from].text;
  if (!METAL_WORDS.has(word) && !SALT_WORDS.has(word)) return false;
  if (previous) return previous.target.ingredients.some((id) => traits.isDrug(id)) || SALT_WORDS.has(word);
  const next = tokens.findIndex(
    (token, at) => at > match.to && (token.type === 'word' || token.type === 'hard'),
  );
  if (next < 0 || tokens[next].type === 'hard') return false;
  const following = longestMatch(tokens, next, index);
  if (!following || !/(?:ate|at|ato)$/.test(tokens[following.to].text)) return false;
  return following.target.ingredients.some((id) => traits.isDrug(id));
}

function nextWord(tokens: readonly Token[], at: number): string | undefined {
  const next = tokens[wordAfter(tokens, at)];
  return next?.type === 'word' ? next.text : undefined;
}

/** The last token of a phrase of two words that means nothing only as a whole, or `at`. */
function phraseEnd(tokens: readonly Token[], at: number): number {
  const next = nextWord(tokens, at);
  if (next === undefined || !isNoisePhrase(tokens[at].text, next)) return at;
  return wordAfter(tokens, at);
}

/** The first token after `at` that is not soft. */
function wordAfter(tokens: readonly Token[], at: number): number {
  let next = at + 1;
  while (next < tokens.length && tokens[next].type === 'soft') next++;
  return next;
}

function onlySoft(tokens: readonly Token[], from: number, to: number): boolean {
  for (let i = from; i < to; i++) if (tokens[i].type !== 'soft') return false;
  return true;
}

function hasWordAfter(tokens: readonly Token[], at: number): boolean {
  for (let i = at + 1; i < tokens.length; i++) {
    if (tokens[i].type === 'word' && !isNoise(tokens[i].text)) return true;
  }
  return false;
}

/** Tries to read each unknown run as a misspelled name: with its known neighbours, whole, then word by word. */
function correctSpelling(
  reading: Reading,
  tokens: readonly Token[],
  index: NameIndex,
  budget: { attempts: number },
): void {
  const attempt = (from: number, to: number): Found | undefined => {
    const key = keyOf(tokens, from, to);
    if (key.length < 5 || budget.attempts-- <= 0) return undefined;
    const match = index.findBySpelling(key);
    return match && { target: match.target, confidence: match.confidence, salt: false, from, to };
  };
  const left: Reading['unknown'] = [];
  for (const run of reading.unknown) {
    const chunk = chunkAround(tokens, run);
    const widened = chunk.from !== run.from || chunk.to !== run.to;
    // A short rest ("Claritin D") is a different product, not a typing error of the longer name.
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
  reading.unknown = left;
}

/** The words around a run up to the next separator or word without meaning. */
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

function textOf(tokens: readonly Token[], from: number, to: number): string {
  return tokens
    .slice(from, to + 1)
    .map((token) => token.text)
    .join(' ');
}

function describe(
  input: string,
  found: readonly Found[],
  unknown: string[],
  hint: { local?: LocalRoute; systemic: boolean },
): NameReading {
  const ingredients = new Map<number, ReadIngredient>();
  for (const { target, confidence, salt } of found) {
    if (
      ingredients.size >= MAX_PARTS &&
      !target.ingredients.every((ingredient) => ingredients.has(ingredient))
    ) {
      unknown.push(target.display);
      continue;
    }
    const method: MatchMethod =
      confidence < 1 ? 'spelling' : salt && target.method === 'exact' ? 'salt' : target.method;
    for (const ingredient of target.ingredients) {
      const known = ingredients.get(ingredient);
      if (known && known.confidence >= confidence) continue;
      ingredients.set(ingredient, {
        ingredient,
        method,
        confidence,
        fromCombination: target.ingredients.length > 1,
      });
    }
  }
  return {
    input,
    ingredients: [...ingredients.values()],
    local:
      hint.local ?? (hint.systemic ? undefined : found.find((match) => match.target.route)?.target.route),
    systemic: hint.systemic,
    unknown,
  };
}

/** At most five known names near the parts of a name that were not understood. */
export function suggestionsFor(reading: NameReading, index: NameIndex): string[] {
  const suggestions = new Set<string>();
  for (const part of reading.unknown.slice(0, 3)) {
    for (const name of index.suggest(squash(part))) suggestions.add(name);
    if (suggestions.size > 0) continue;
    for (const word of part.split(' ').slice(0, 4))
      index.suggest(squash(word)).forEach((name) => suggestions.add(name));
  }
  return [...suggestions].slice(0, 5);
}
