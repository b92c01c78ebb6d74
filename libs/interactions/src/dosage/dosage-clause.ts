import type { Piece } from './dosage-pieces';
import {
  DAILY_ABBREVIATIONS,
  DAY_WORDS,
  DURATION_WORDS,
  EVERY,
  FORM_WORDS,
  HOUR_WORDS,
  JOINERS,
  MASS_UNITS,
  MONTH_WORDS,
  PART_OF_DAY,
  TIMES_WORDS,
  VOLUME_WORDS,
  WEEKDAYS,
  WEEK_WORDS,
  YEAR_WORDS,
  type Amount,
} from './dosage-words';

/** The content of one clause ("500 mg in the morning"). */
export interface Clause {
  amounts: Amount[];
  /** Amount in one millilitre. */
  concentration?: Amount;
  millilitres?: number;
  /** "5 ml of 200 mg": an amount in nobody knows how many millilitres. */
  inUnknownVolume?: true;
  count?: number;
  timesPerWeek?: number;
  divided: boolean;
  capCount?: number;
  capAmount?: Amount;
}

const MEALS = 'eachmeal';
const MEALS_A_DAY = 3;
const DAYS_PER_MONTH = 30;
const DAYS_PER_YEAR = 365;
/** Words between a number and its period: "2 times a day", "zweimal am Tag". */
const FILLERS = new Set(
  'a an per / each every in the par pro al por am im la le el die der alla il'.split(' '),
);

/** A joiner starts a new clause when both sides name an amount and the left side is complete. */
export function splitClauses(pieces: readonly Piece[]): Clause[] {
  const groups: Piece[][] = [];
  let group: Piece[] = [];
  for (const piece of pieces) {
    if (JOINERS.has(piece.word)) {
      groups.push(group);
      group = [];
    } else {
      group.push(piece);
    }
  }
  groups.push(group);
  const merged: Piece[][] = [];
  for (const part of groups) {
    const previous = merged.at(-1);
    const before = previous && readClause(previous);
    const here = readClause(part);
    const complete =
      before &&
      before.timesPerWeek !== undefined &&
      (before.amounts.length > 0 || before.count !== undefined);
    const independent =
      here.capAmount === undefined &&
      here.capCount === undefined &&
      (here.amounts.length > 0 || (here.count !== undefined && before?.amounts.length === 0));
    if (previous && !(complete && independent)) previous.push({ word: '|' }, ...part);
    else merged.push([...part]);
  }
  return merged.map(readClause);
}

/** Reads the amounts, the count and the frequency of one clause. */
export function readClause(pieces: readonly Piece[]): Clause {
  const clause: Clause = { amounts: [], divided: false };
  let times: number | undefined;
  const partsOfDay = new Set<string>();
  let hasMeals = false;
  let weekdays = 0;
  let capped = false;
  let excepted = false;
  const wordAt = (at: number): string => pieces[at]?.word ?? '';
  const setTimes = (perWeek: number): void => {
    times = times === undefined ? perWeek : Math.max(times, perWeek);
  };
  /** The word after fillers such as "a", "per", "/", "each". */
  const periodAfter = (at: number): string => {
    let next = at;
    while (FILLERS.has(wordAt(next)) && next < at + 3) next++;
    return wordAt(next);
  };
  const perWeekOf = (count: number, period: string): number | undefined => {
    if (DAY_WORDS.has(period)) return count * 7;
    if (WEEK_WORDS.has(period)) return count;
    if (MONTH_WORDS.has(period)) return (count * 7) / DAYS_PER_MONTH;
    if (YEAR_WORDS.has(period)) return (count * 7) / DAYS_PER_YEAR;
    return undefined;
  };
  for (let i = 0; i < pieces.length; i++) {
    const { word, value } = pieces[i];
    const next = wordAt(i + 1);
    if (value !== undefined) {
      const unit = MASS_UNITS.get(next);
      if (unit) {
        i = readAmount(pieces, i, { value: value * unit.value, unit: unit.unit }, clause, capped);
        continue;
      }
      if (VOLUME_WORDS.has(next)) {
        clause.millilitres = Math.max(clause.millilitres ?? 0, value);
        i++;
        if (wordAt(i + 1) === 'of' && isAmount(pieces, i + 2)) clause.inUnknownVolume = true;
        continue;
      }
      if (wordAt(i - 1).startsWith('schedule:')) {
        const largest = Number(wordAt(i - 1).slice('schedule:'.length));
        if (largest > 0) {
          clause.count = largest;
          setTimes((value / largest) * 7);
        }
        continue;
      }
      // "for 7 days", "x 5 days"
      if (DURATION_WORDS.has(next) && !EVERY.has(wordAt(i - 1)) && wordAt(i - 1) !== 'in') {
        i++;
        continue;
      }
      const article = next === 'a' || next === 'of' ? wordAt(i + 2) : next;
      if (FORM_WORDS.has(article)) {
        if (capped) clause.capCount = value;
        else if (wordAt(i - 1) === 'x') clause.count = (clause.count ?? 1) * value;
        else clause.count = Math.max(clause.count ?? 0, value);
        continue;
      }
      if (TIMES_WORDS.has(next)) {
        const period = perWeekOf(value, periodAfter(i + 2));
        const multiplied = pieces[i + 2]?.value !== undefined;
        if (period !== undefined) setTimes(period);
        // "3 x 2 x 500 mg"
        else if (multiplied && !capped)
          clause.count = wordAt(i - 1) === 'x' ? (clause.count ?? 1) * value : value;
        else if (next !== 'x') setTimes(value * 7);
        else if (!multiplied) setTimes(value * 7);
        i++;
        continue;
      }
      if (HOUR_WORDS.has(next)) {
        // "every 4 to 6 hours": the shorter interval gives the higher dose.
        const hours = word.startsWith('range:') ? Number(word.slice(6)) : value;
        const isInterval = next === 'hourly' || EVERY.has(wordAt(i - 1));
        if (hours > 0 && isInterval) setTimes((24 / hours) * 7);
        i++;
        continue;
      }
      if (EVERY.has(wordAt(i - 1)) && value > 0) {
        const days = word.startsWith('range:') ? Number(word.slice(6)) : value;
        if (DAY_WORDS.has(next)) setTimes(7 / days);
        else if (WEEK_WORDS.has(next)) setTimes(1 / days);
        else if (MONTH_WORDS.has(next)) setTimes(7 / (days * DAYS_PER_MONTH));
        else if (YEAR_WORDS.has(next)) setTimes(7 / (days * DAYS_PER_YEAR));
        else continue;
        i++;
        continue;
      }
      const period = perWeekOf(value, periodAfter(i + 1));
      if (wordAt(i - 1) === 'x') setTimes(period ?? value * 7);
      else if (capped && period !== undefined) clause.capCount = value;
      // "2 500 mg tablets", "take 2"
      else if (pieces[i + 1]?.value !== undefined && MASS_UNITS.has(wordAt(i + 2))) clause.count = value;
      else if (period !== undefined && next === '/') setTimes(period);
      else if (wordAt(i - 1) === 'take' || i === 0) clause.count = value;
      continue;
    }
    if (word === 'not' || word === 'never' || word === 'nicht') {
      if (wordAt(i + 1) !== 'more') i++;
    } else if (
      ['max', 'maximum', 'maximal', 'exceed', 'exceeding', 'limit'].includes(word) ||
      (word === 'more' && next === 'than')
    ) {
      capped = true;
    } else if (word === 'except') {
      excepted = true;
    } else if (word === 'divided') {
      clause.divided = true;
    } else if (word === 'once' || word === 'twice' || word === 'thrice') {
      const count = word === 'once' ? 1 : word === 'twice' ? 2 : 3;
      setTimes(perWeekOf(count, periodAfter(i + 1)) ?? count * 7);
      while (i + 1 < pieces.length && ['a', 'per', 'each', 'every', '/'].includes(wordAt(i + 1))) i++;
      if (perWeekOf(1, wordAt(i + 1)) !== undefined) i++;
    } else if (DAILY_ABBREVIATIONS.has(word)) {
      setTimes((DAILY_ABBREVIATIONS.get(word) ?? 1) * 7);
    } else if (word === 'alternate' || (word === 'other' && DAY_WORDS.has(next))) {
      setTimes(3.5);
      i++;
    } else if (FORM_WORDS.has(word) && ['a', 'an'].includes(wordAt(i - 1)) && clause.count === undefined) {
      clause.count = 1;
    } else if (word === 'hourly') {
      setTimes(24 * 7);
    } else if (HOUR_WORDS.has(word) && wordAt(i - 1) === 'every') {
      setTimes(24 * 7);
    } else if (perWeekOf(1, word) !== undefined && word !== 'd' && !DURATION_WORDS.has(word)) {
      if (!capped) setTimes(perWeekOf(1, word) ?? 7);
    } else if (word === MEALS) {
      hasMeals = true;
    } else if (PART_OF_DAY.has(word)) {
      partsOfDay.add(PART_OF_DAY.get(word) ?? '');
    } else if (WEEKDAYS.has(word)) {
      const last = ['to', '-', 'till', 'until', 'through'].includes(next) ? wordAt(i + 2) : undefined;
      weekdays += last !== undefined && WEEKDAYS.has(last) ? daysAfter(word, last) : 1;
    }
  }
  if (excepted) times = times === 7 || times === undefined ? 7 - weekdays : times;
  else if (times === undefined && weekdays > 0) times = weekdays;
  // "Twice daily with meals" is twice; "with each meal and at bedtime" is four times.
  else if (times === undefined && hasMeals) times = (MEALS_A_DAY + (partsOfDay.has('night') ? 1 : 0)) * 7;
  else if (times === undefined && partsOfDay.size > 0) times = partsOfDay.size * 7;
  clause.timesPerWeek = times;
  return clause;
}

/** An amount comes next: "of 200 mg". */
function isAmount(pieces: readonly Piece[], at: number): boolean {
  return pieces[at]?.value !== undefined && MASS_UNITS.has(pieces[at + 1]?.word ?? '');
}

/** Days from one weekday to the next, without the last one. */
function daysAfter(first: string, last: string): number {
  const order = [...WEEKDAYS].slice(0, 7).map((day) => day.slice(0, 3));
  return (order.indexOf(last.slice(0, 3)) - order.indexOf(first.slice(0, 3)) + 7) % 7;
}

/**
 * Reads an amount and the text after it: a concentration, a dose by body weight, or a cap. Returns the last
 * piece used.
 */
function readAmount(
  pieces: readonly Piece[],
  at: number,
  amount: Amount,
  clause: Clause,
  capped: boolean,
): number {
  const after = pieces[at + 2]?.word;
  if (after === '/' || after === 'per') {
    const volumeAt = pieces[at + 3]?.value !== undefined ? at + 4 : at + 3;
    const volume = pieces[volumeAt]?.word ?? '';
    if (VOLUME_WORDS.has(volume)) {
      const millilitres = volumeAt === at + 4 ? (pieces[at + 3].value ?? 1) : 1;
      if (millilitres > 0) clause.concentration = { value: amount.value / millilitres, unit: amount.unit };
      return volumeAt;
    }
    // By weight, area or hour: the text does not give the value that the total depends on.
    if (['kg', 'm', 'h', 'hr', 'hour', 'min'].includes(volume)) return volumeAt;
  }
  if (capped) clause.capAmount = amount;
  else clause.amounts.push(amount);
  return at + 1;
}

/** Words that say what is taken, when it is taken relative to food, or what for, but not how often. */
const NOT_ABOUT_FREQUENCY = new Set(
  (
    'dem den des das ein eine el los las il lo le les un une una l d du ' +
    'take takes taking with without water food milk juice glass of full empty stomach before after during by mouth oral orally po swallow ' +
    'swallowed whole dissolve dissolved tongue under chew sublingual dose doses strength as for the to in on at my from or pain fever ' +
    'headache cough if needed when required necessary directed prescribed label told use only about ca approx up ' +
    'nehmen einnehmen einnahme mit ohne wasser essen vor nach zum zur zu bei bedarf nuchtern unzerkaut gegen fur schmerzen fieber dosis ' +
    'stuck a je tomar toma con sin agua antes despues via para dolor fiebre si necesario precisa segun prendre avec sans eau avant apres ' +
    'voie orale pour douleur fievre besoin au prendere senza acqua prima dopo bocca dolore febbre bisogno al se necessario'
  ).split(' '),
);
const UNDERSTOOD: readonly { has: (word: string) => boolean }[] = [
  NOT_ABOUT_FREQUENCY, MASS_UNITS, DAILY_ABBREVIATIONS, VOLUME_WORDS, FORM_WORDS, DAY_WORDS, WEEK_WORDS, MONTH_WORDS, YEAR_WORDS,
  HOUR_WORDS, TIMES_WORDS, DURATION_WORDS, PART_OF_DAY, WEEKDAYS, EVERY, JOINERS, FILLERS,
]; // prettier-ignore

/** True when a dosage has words that no one read: they may say how often. */
export function hasUnreadWords(pieces: readonly Piece[]): boolean {
  return pieces.some(
    ({ word, value }) =>
      value === undefined &&
      /\p{L}/u.test(word) &&
      !/^(?:range|schedule):/.test(word) &&
      !UNDERSTOOD.some((set) => set.has(word)),
  );
}
