import type { LocalRoute, MatchMethod } from '../types';
import { fold, squash } from './fold';
import type { NameIndex } from './name-index';
import type { Target } from './target';
import { MAX_TOKENS, tokenize, type Token } from './tokens';
import { correctSpelling, isFirstWord } from './correct-spelling';
import { isDilution } from './homeopathic-dilution';
import type { Found, Reading } from './reading';
import { isNoise, isNoisePhrase, METAL_WORDS, NEGATIONS, routeOf, SALT_WORDS } from './vocabulary';

/** One ingredient that a name contains. */
export interface ReadIngredient {
  ingredient: number;
  method: MatchMethod;
  confidence: number;
  /** True when the name was a combination that did not list its parts. */
  fromCombination: boolean;
}

/** A part of a name that was not read literally. */
export interface Assumption {
  /** The folded text of the part. */
  written: string;
  target: Target;
  /** Other names that the part could mean. */
  others: readonly string[];
}

/** The complete reading of one name. */
export interface NameReading {
  input: string;
  /** True when the whole text is one known name. */
  isWhole: boolean;
  /** Its words, numbers and signs, folded. */
  words: ReadonlySet<string>;
  ingredients: ReadIngredient[];
  /** Where the product acts, when the name says so. */
  local?: LocalRoute;
  /** True when words of the name say that the product reaches the whole body. */
  systemic: boolean;
  /** Parts that were not understood. If there are any, the check of the name is incomplete. */
  unknown: string[];
  /** Parts whose spelling was corrected, or that have several meanings. */
  assumed: Assumption[];
  /** The known names, in the order of the input. */
  targets: Target[];
}

/** Properties of an ingredient that are needed to read names. */
export interface IngredientTraits {
  isDrug: (ingredient: number) => boolean;
}

/** The most words of one name in the base ("live attenuated influenza vaccine nasal spray"). */
const MAX_WORDS_OF_A_NAME = 8;
/** It is unknown which of the meanings the pack contains. */
const CONFIDENCE_OF_SEVERAL_MEANINGS = 0.5;
const OF = new Set(['de', 'di', 'da', 'do', 'del', 'd']);
/** When a name already has this many ingredients, further products in it are reported as unknown. */
const MAX_PARTS = 10;
/** The most approximate look-ups for one name, as a limit for hostile input. */
const MAX_SPELLING_ATTEMPTS = 12;

/**
 * Reads a product name as a person writes it. Never throws. The length of the name limits the work. Parts
 * that are not understood are in `unknown`: the caller must not treat such a name as checked.
 */
export function readName(input: string, index: NameIndex, traits: IngredientTraits): NameReading {
  const folded = fold(input);
  const whole = index.find(squash(folded));
  const tokens = tokenize(folded);
  const text = { input, isWhole: whole !== undefined, words: new Set(tokens.map((token) => token.text)) };
  // A highly diluted remedy has no effect of its substance. Its other content is unknown.
  if (!whole && isDilution(folded))
    return { ...text, ingredients: [], systemic: false, unknown: [folded], assumed: [], targets: [] };
  const hint = routeOf(tokens.filter((token) => token.type === 'word').map((token) => token.text));
  if (whole)
    return describe(
      text,
      [{ target: whole, confidence: 1, salt: false, written: folded, from: 0, to: 0 }],
      [],
      hint,
    );

  const { outer, inner } = splitBrackets(tokens);
  const budget = { attempts: MAX_SPELLING_ATTEMPTS };
  const main = readTokens(outer, index, traits);
  const aside = inner.map((part) => ({ part, reading: readTokens(part, index, traits) }));
  const named = aside.filter(({ reading }) => reading.found.length > 0);
  correctSpelling(main, outer, index, budget);
  let unknown = main.unknown.map((run) => textOf(outer, run.from, run.to));
  const found = [...main.found, ...named.flatMap(({ reading }) => reading.found)];
  // "Brand (ibuprofen)": the bracket explains the unknown word before it.
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
    // "Alcohol-free beer" is known and contains no ingredient.
    if (found.length === 0 && unknown.length === 0 && !main.emptied) unknown = [folded];
  }
  if (tokens.length === MAX_TOKENS) unknown.push(folded);
  return describe(text, found, unknown, hint);
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
  // A bracket in the middle of a name does not end it. An unclosed bracket is ignored.
  return depth > 0 ? { outer: [...outer, ...inner.flat()], inner: [] } : { outer, inner };
}

/** Left to right, the longest known name first. Skips numbers, units, forms, salts and instructions. */
function readTokens(tokens: readonly Token[], index: NameIndex, traits: IngredientTraits): Reading {
  const reading: Reading = { found: [], unknown: [], emptied: false };
  const absent = new Set<number>();
  const takeOut = (match: Found): void => match.target.ingredients.forEach((id) => absent.add(id));
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
      // "Micardis Plus", "Nurofen +": the name does not say which further ingredient it means.
      // "6+" is an age.
      const isAge = token.text === '+' && tokens[i - 1]?.type === 'number';
      if ((token.text === 'plus' || token.text === '+') && !isAge && !hasWordAfter(tokens, i)) leave(i);
    } else if (token.type === 'word' || token.type === 'number') {
      const match = longestMatch(tokens, i, index);
      const passed = match ? i : phraseEnd(tokens, i);
      if (passed > i) {
        i = passed;
      } else if (match && nextWord(tokens, match.to) === 'free') {
        takeOut(match);
        i = wordAfter(tokens, match.to); // "aspirin-free"
      } else if (match && isSaltHere(tokens, match, previous, index, traits)) {
        if (previous) previous.salt = true;
        i = match.to;
      } else if (match) {
        if (pendingSalt >= 0) match.salt = true;
        pendingSalt = -1;
        reading.found.push(match);
        if (previous && contradicts(previous.target, match.target, traits)) previous.doubtful = true;
        previous = match;
        i = match.to;
      } else if (NEGATIONS.has(token.text) && nextWord(tokens, i) !== undefined) {
        const left = tokens.findIndex((other, at) => at > i && other.type === 'word');
        const match = longestMatch(tokens, left, index); // "without codeine", "non-drowsy"
        if (match) takeOut(match);
        i = match?.to ?? left;
      } else if (token.type === 'word' && nextWord(tokens, i) === 'free') {
        i = wordAfter(tokens, i);
      } else if (token.type === 'word') {
        const isSalt = SALT_WORDS.has(token.text) || METAL_WORDS.has(token.text);
        if (isSalt && previous) previous.salt = true;
        else if (isSalt && hasWordAfter(tokens, i)) pendingSalt = i;
        // "Fosfato de codeina": the second word belongs to the salt.
        else if (isSalt || !(isNoise(token.text) || (pendingSalt >= 0 && OF.has(token.text)))) leave(i);
      }
    }
    i++;
  }
  const kept = reading.found.filter(({ target }) => !target.ingredients.every((id) => absent.has(id)));
  reading.emptied = kept.length < reading.found.length;
  reading.found = kept;
  if (pendingSalt >= 0 && reading.found.length === 0)
    reading.unknown.unshift({ from: pendingSalt, to: pendingSalt });
  return reading;
}

/** True for a brand of a register before the generic name of another medicine. */
function contradicts(brand: Target, next: Target, { isDrug }: IngredientTraits): boolean {
  const isGeneric = next.method === 'exact' || next.method === 'synonym';
  return (
    brand.registered === true &&
    isGeneric &&
    next.ingredients.some(isDrug) &&
    !next.ingredients.some((id) => brand.ingredients.includes(id))
  );
}

function longestMatch(tokens: readonly Token[], from: number, index: NameIndex): Found | undefined {
  let key = '';
  let words = 0;
  let best: Found | undefined;
  const leads = isFirstWord(tokens, from);
  for (let to = from; to < tokens.length && words < MAX_WORDS_OF_A_NAME; to++) {
    const { type, text } = tokens[to];
    if (type === 'soft') continue;
    // "and" inside a name counts ("cod liver oil and malt"); a slash or comma does not.
    if (type === 'hard' && !/^\p{L}/u.test(text)) continue;
    key += squash(text);
    words++;
    const target = index.find(key);
    if (target && (leads || !target.registered))
      best = { target, confidence: 1, salt: false, written: textOf(tokens, from, to), from, to };
  }
  return best;
}

/**
 * "Losartan potassium" and "potassium clavulanate" contain no relevant potassium; "losartan + potassium"
 * does.
 */
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

/** The last token of a two-word phrase that has no meaning as a whole, or `at`. */
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

/** The text of a run of tokens. */
function textOf(tokens: readonly Token[], from: number, to: number): string {
  return tokens
    .slice(from, to + 1)
    .map((token) => token.text)
    .join(' ');
}

function describe(
  text: Pick<NameReading, 'input' | 'isWhole' | 'words'>,
  found: readonly Found[],
  unknown: string[],
  hint: { local?: LocalRoute; systemic: boolean },
): NameReading {
  const ingredients = new Map<number, ReadIngredient>();
  const assumed: Assumption[] = [];
  for (const { target, confidence, salt, written, others = [], doubtful } of found) {
    if (
      ingredients.size >= MAX_PARTS &&
      !target.ingredients.every((ingredient) => ingredients.has(ingredient))
    ) {
      unknown.push(target.display);
      continue;
    }
    if (confidence < 1 || target.meanings || target.onlyIn) assumed.push({ written, target, others });
    if (target.partial || doubtful) unknown.push(written);
    const method: MatchMethod =
      confidence < 1 ? 'spelling' : salt && target.method === 'exact' ? 'salt' : target.method;
    for (const ingredient of target.ingredients) {
      const known = ingredients.get(ingredient);
      const sure = target.meanings ? Math.min(confidence, CONFIDENCE_OF_SEVERAL_MEANINGS) : confidence;
      if (known && known.confidence >= sure) continue;
      ingredients.set(ingredient, {
        ingredient,
        method,
        confidence: sure,
        fromCombination: target.ingredients.length > 1,
      });
    }
  }
  return {
    ...text,
    ingredients: [...ingredients.values()],
    local:
      hint.local ?? (hint.systemic ? undefined : found.find((match) => match.target.route)?.target.route),
    systemic: hint.systemic,
    unknown,
    assumed,
    targets: found.map(({ target }) => target),
  };
}

/** At most five names that the unrecognised or assumed parts could mean. */
export function suggestionsFor(reading: NameReading, index: NameIndex): string[] {
  const suggestions = new Set(reading.assumed.flatMap(({ others }) => others));
  for (const part of reading.unknown.slice(0, 3)) {
    for (const name of index.suggest(squash(part))) suggestions.add(name);
    if (suggestions.size > 0) continue;
    for (const word of part.split(' ').slice(0, 4))
      index.suggest(squash(word)).forEach((name) => suggestions.add(name));
  }
  return [...suggestions].slice(0, 5);
}
