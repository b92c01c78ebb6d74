import { fold } from '../names/fold';
import type { DoseUnit } from '../types';
import { isUnreadable } from './unreadable';

/** The amount of one substance in a free-text dosage. A range counts with its upper end. */
export interface ParsedDosage {
  /** Average over a day, in `unit`. */
  perDay: number;
  /** Total per week, in `unit`. */
  perWeek: number;
  unit: DoseUnit;
  /** Doses per week; undefined when the text does not say (the parser then assumes one dose a day). */
  timesPerWeek?: number;
}

interface Piece {
  word: string;
  value?: number;
}

interface Amount {
  value: number;
  unit: DoseUnit;
}

/** The content of one clause ("500 mg in the morning"). */
interface Clause {
  amounts: Amount[];
  /** Amount in one millilitre. */
  concentration?: Amount;
  millilitres?: number;
  count?: number;
  timesPerWeek?: number;
  divided: boolean;
  capCount?: number;
  capAmount?: Amount;
}

const lexicon = <T>(entries: Record<string, T>): ReadonlyMap<string, T> =>
  new Map(
    Object.entries(entries).flatMap(([names, value]) =>
      names.split(' ').map((name) => [name, value] as const),
    ),
  );

const NUMBERS = lexicon<number>({
  half: 0.5, quarter: 0.25, one: 1, two: 2, three: 3, four: 4, five: 5, six: 6, seven: 7, eight: 8, nine: 9, ten: 10, twelve: 12,
}); // prettier-ignore

const MASS_UNITS = lexicon<Amount>({
  'mg mgs milligram milligrams milligramm milligramme milligrammes': { value: 1, unit: 'mg' },
  'g gm gms gr gram grams gramm gramme grammes': { value: 1000, unit: 'mg' },
  'mcg mcgs ug microgram micrograms mikrogramm mikrogramme microgramme microgrammes microgramo microgramos microgrammo microgrammi':
    { value: 0.001, unit: 'mg' },
  'iu ie ui unit units u einheit einheiten unidad unidades unite unites': { value: 1, unit: 'IU' },
  miu: { value: 1_000_000, unit: 'IU' },
});

const DAILY_ABBREVIATIONS = lexicon<number>({
  'od qd qhs hs qam qpm qn om nocte mane nightly': 1,
  'bid bd bds b.i.d': 2,
  'tid td tds': 3,
  'qid qds': 4,
  'qod eod': 0.5,
});

const set = (list: string): ReadonlySet<string> => new Set(list.split(' '));
const VOLUME_WORDS = set('ml mls millilitre millilitres milliliter milliliters cc');
const FORM_WORDS = set(
  'tablet tablets tab tabs capsule capsules cap caps caplet caplets pill pills puff puffs sachet sachets suppository suppositories ' +
    'lozenge lozenges patch patches softgel softgels gelcap gelcaps vial vials injection injections spray sprays actuation actuations squirt squirts drop drops spoon spoons spoonful tropfen gouttes gotas tablette tabletten kapsel kapseln comprime comprimes gelule gelules comprimido comprimidos',
);
const DAY_WORDS = set('day days daily d tag tage taglich jour jours dia dias giorno giorni 24h');
const WEEK_WORDS = set(
  'week weeks weekly wk wöchentlich wochentlich woche semaine semaines sem semana semanas semanal settimana sett hebdo hebdomadaire',
);
const MONTH_WORDS = set('month months monthly mois monat monate monatlich mes meses mensual mensuel');
const HOUR_WORDS = set('hour hours hourly hr hrs h hrly stunden heures horas ore');
const TIMES_WORDS = set('times time x mal fois veces vez volte');
const PART_OF_DAY = set(
  'morning mornings evening evenings night nights noon midday lunchtime lunch breakfast dinner supper bedtime morgens mittags abends matin midi soir',
);
const WEEKDAYS = set(
  'monday tuesday wednesday thursday friday saturday sunday mondays tuesdays wednesdays thursdays fridays saturdays sundays ' +
    'mon tue wed thu fri sat sun tues weds thur thurs',
);
/** Words before an interval: "every 8 hours", "cada 8 horas", "toutes les 8 heures", "ogni 8 ore". */
const EVERY = set('every q each alle cada ogni les');
const JOINERS = set('and then , ; + plus &');

const PIECES = /\d+(?:[.,]\d+)*|\p{L}+(?:\.\p{L})*|[^\s]/gu;
const EVERY_OTHER_DAY =
  /\b(?:un jour sur deux|jeden (?:zweiten|2\.?) tag|cada dos dias|dias? alternos?|a giorni alterni)\b/;
const MAX_PIECES = 150;
const DAYS_PER_MONTH = 30;

/**
 * Reads a dosage such as "2 tablets of 500 mg every 6 hours". Never throws.
 * @param strengthInName a text that may hold the strength of one piece; used when the dosage gives only a
 * count
 * @returns `undefined` when no amount can be read, or when it depends on an unknown value (body weight)
 */
export function parseDosage(dosage: string, strengthInName = ''): ParsedDosage | undefined {
  const text = fold(dosage).replace(EVERY_OTHER_DAY, 'every other day');
  if (isUnreadable(text)) return undefined;
  const name = fold(strengthInName);
  const strength = readClause(isUnreadable(name) ? [] : cut(name));
  const clauses = splitClauses(cut(text));
  let total: ParsedDosage | undefined;
  for (const clause of clauses) {
    const part = evaluate(clause, strength);
    if (!part) continue;
    if (total && total.unit !== part.unit) return undefined;
    total = total
      ? {
          unit: total.unit,
          perDay: total.perDay + part.perDay,
          perWeek: total.perWeek + part.perWeek,
          timesPerWeek: (total.timesPerWeek ?? 7) + (part.timesPerWeek ?? 7),
        }
      : part;
  }
  return total;
}

/** @param text folded. */
function cut(text: string): Piece[] {
  const pieces: Piece[] = [];
  for (const [word] of text.replace(/⁄/g, '/').replace(/[×*]/g, ' x ').matchAll(PIECES)) {
    if (pieces.length === MAX_PIECES) break;
    const value = /^\d/.test(word) ? numberOf(word) : NUMBERS.get(word);
    pieces.push(value === undefined ? { word: word.replaceAll('.', '') } : { word, value });
  }
  return joinNumbers(pieces);
}

/** "1,000" and "1,000.5" have thousands separators; "1,5" and "0,125" have decimal commas. */
function numberOf(word: string): number | undefined {
  const value = /^[1-9]\d{0,2}(?:,\d{3})+(?:\.\d+)?$/.test(word)
    ? Number(word.replaceAll(',', ''))
    : Number(word.replace(',', '.'));
  return Number.isFinite(value) ? value : undefined;
}

/**
 * Joins fractions ("1/2", "1 1/2"), ranges ("1-2", "4 to 6"), separated thousands ("1 000") and schedules
 * ("1-0-1").
 */
function joinNumbers(pieces: readonly Piece[]): Piece[] {
  const joined: Piece[] = [];
  for (let i = 0; i < pieces.length; i++) {
    const piece = pieces[i];
    const last = joined.at(-1);
    const next = pieces[i + 1];
    const afterNext = pieces[i + 2];
    if (piece.value === undefined) {
      joined.push(piece);
    } else if (
      piece.value > 0 &&
      next?.word === '/' &&
      afterNext?.value !== undefined &&
      afterNext.value > piece.value &&
      afterNext.value <= 4
    ) {
      const fraction = piece.value / afterNext.value;
      if (last?.value !== undefined && Number.isInteger(last.value) && last.value < 10)
        last.value += fraction;
      else joined.push({ word: '#', value: fraction });
      i += 2;
    } else if (last?.value !== undefined && /^0\d\d$/.test(piece.word) && last.word.length <= 3) {
      last.value = last.value * 1000 + piece.value;
    } else {
      joined.push({ ...piece });
    }
  }
  return joinRanges(joined);
}

function joinRanges(pieces: readonly Piece[]): Piece[] {
  const joined: Piece[] = [];
  for (let i = 0; i < pieces.length; i++) {
    const run: number[] = [];
    let end = i;
    if (pieces[i].value !== undefined) {
      run.push(pieces[i].value as number);
      while (
        ['-', 'to', 'or', 'bis', '~'].includes(pieces[end + 1]?.word) &&
        pieces[end + 2]?.value !== undefined
      ) {
        run.push(pieces[end + 2].value as number);
        end += 2;
      }
    }
    if (run.length >= 3) {
      joined.push(
        { word: 'schedule', value: undefined },
        { word: '#', value: run.reduce((sum, count) => sum + count, 0) },
      );
      i = end;
    } else if (run.length === 2) {
      joined.push({ word: `range:${Math.min(...run)}`, value: Math.max(...run) });
      i = end;
    } else {
      joined.push(pieces[i]);
    }
  }
  return joined;
}

/** A joiner starts a new clause when both sides name an amount and the left side is complete. */
function splitClauses(pieces: readonly Piece[]): Clause[] {
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

function readClause(pieces: readonly Piece[]): Clause {
  const clause: Clause = { amounts: [], divided: false };
  let times: number | undefined;
  let partsOfDay = 0;
  let weekdays = 0;
  let capped = false;
  const wordAt = (at: number): string => pieces[at]?.word ?? '';
  const setTimes = (perWeek: number): void => {
    times = times === undefined ? perWeek : Math.max(times, perWeek);
  };
  /** The word after fillers such as "a", "per", "/", "each". */
  const periodAfter = (at: number): string => {
    let next = at;
    while (
      ['a', 'an', 'per', '/', 'each', 'every', 'in', 'the', 'par', 'pro', 'al', 'por', 'am'].includes(
        wordAt(next),
      ) &&
      next < at + 3
    )
      next++;
    return wordAt(next);
  };
  const perWeekOf = (count: number, period: string): number | undefined => {
    if (DAY_WORDS.has(period)) return count * 7;
    if (WEEK_WORDS.has(period)) return count;
    if (MONTH_WORDS.has(period)) return (count * 7) / DAYS_PER_MONTH;
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
        else continue;
        i++;
        continue;
      }
      const period = perWeekOf(value, periodAfter(i + 1));
      if (wordAt(i - 1) === 'schedule') setTimes(value * 7);
      else if (wordAt(i - 1) === 'x') setTimes(period ?? value * 7);
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
    } else if (
      perWeekOf(1, word) !== undefined &&
      word !== 'd' &&
      word !== 'days' &&
      word !== 'weeks' &&
      word !== 'months'
    ) {
      if (!capped) setTimes(perWeekOf(1, word) ?? 7);
    } else if (PART_OF_DAY.has(word)) {
      partsOfDay++;
    } else if (WEEKDAYS.has(word)) {
      const last = ['to', '-', 'till', 'until', 'through'].includes(next) ? wordAt(i + 2) : undefined;
      weekdays += last !== undefined && WEEKDAYS.has(last) ? daysAfter(word, last) : 1;
    }
  }
  if (times === undefined && weekdays > 0) times = weekdays;
  else if (times === undefined && partsOfDay > 0) times = partsOfDay * 7;
  clause.timesPerWeek = times;
  return clause;
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

function evaluate(clause: Clause, strength: Clause): ParsedDosage | undefined {
  const amount = amountOfOneDose(clause, strength);
  if (!amount || !(amount.value > 0)) {
    const cap = clause.capAmount;
    if (!cap || !(cap.value > 0)) return undefined;
    return {
      unit: cap.unit,
      perDay: cap.value,
      perWeek: cap.value * 7,
      timesPerWeek: clause.timesPerWeek,
    };
  }
  const timesPerWeek = clause.divided ? 7 : (clause.timesPerWeek ?? 7);
  let perWeek = amount.value * timesPerWeek;
  if (clause.capCount !== undefined && clause.count)
    perWeek = Math.min(perWeek, (amount.value / clause.count) * clause.capCount * 7);
  if (clause.capAmount?.unit === amount.unit) perWeek = Math.min(perWeek, clause.capAmount.value * 7);
  if (!(perWeek > 0) || !Number.isFinite(perWeek)) return undefined;
  return {
    unit: amount.unit,
    perDay: round(perWeek / 7),
    perWeek: round(perWeek),
    ...(clause.timesPerWeek !== undefined && { timesPerWeek: clause.timesPerWeek }),
  };
}

function amountOfOneDose(clause: Clause, strength: Clause): Amount | undefined {
  const concentration = clause.concentration ?? strength.concentration;
  if (concentration && clause.millilitres) {
    return { value: concentration.value * clause.millilitres, unit: concentration.unit };
  }
  const amounts =
    clause.amounts.length > 0
      ? clause.amounts
      : // "Daily" means one piece of the strength in the name.
        clause.count === undefined && clause.timesPerWeek === undefined
        ? []
        : strength.amounts;
  if (amounts.length === 0 || amounts.some(({ unit }) => unit !== amounts[0].unit)) return undefined;
  // Two different strengths in a name mean a combination. The strength of this ingredient is then unknown.
  if (clause.amounts.length === 0 && amounts.length > 1) return undefined;
  const values = amounts.map(({ value }) => value);
  const count = clause.count ?? 1;
  // "1 g (2 tablets of 500 mg)" names both the dose and the strength of a piece.
  const value = values.length === 1 ? values[0] * count : Math.max(...values, Math.min(...values) * count);
  return { value, unit: amounts[0].unit };
}

/** A sum of thousandths must not exceed a ceiling because of a rounding error. */
function round(value: number): number {
  return Math.round(value * 1e6) / 1e6;
}
