import { fold } from '../names/fold';
import type { DoseUnit } from '../types';
import { hasUnreadWords, readClause, splitClauses, type Clause } from './dosage-clause';
import { toEnglish } from './dosage-languages';
import { cut } from './dosage-pieces';
import type { Amount } from './dosage-words';
import { isUnreadable } from './unreadable';

/** The amount of one substance in a free-text dosage. A range counts with its upper end. */
export interface ParsedDosage {
  /** Average over a day, in `unit`. */
  perDay: number;
  /** Total per week, in `unit`. */
  perWeek: number;
  unit: DoseUnit;
  /** The largest single dose, in `unit`; undefined when the text gives only the amount of a day. */
  single?: number;
  /** Doses per week; undefined when the text does not say (the parser then assumes one dose a day). */
  timesPerWeek?: number;
  /** No frequency was found, but words that no one read: they may hold it. */
  unclear?: true;
  /** Pieces at a time, where the text says so: tablets, puffs, patches. */
  count?: number;
}

const AS_NEEDED =
  /\b(?:(?:as|when|if|whenever) (?:needed|required|necessary)|p\.?r\.?n|sos|bei bedarf|b\.? ?bed|au besoin|si besoin|si (?:es )?necesario|si precisa|al bisogno|se necessario)\b/;

/**
 * Reads a dosage such as "2 tablets of 500 mg every 6 hours". Never throws.
 * @param strengthInName a text that may hold the strength of one piece; used when the dosage gives only a
 * count
 * @returns `undefined` when no amount can be read, or when it depends on an unknown value (body weight)
 */
export function parseDosage(dosage: string, strengthInName = ''): ParsedDosage | undefined {
  const folded = joinThousands(fold(dosage));
  const text = toEnglish(folded);
  if (isUnreadable(folded) || isUnreadable(text)) return undefined;
  const name = fold(strengthInName);
  const strength = readClause(isUnreadable(name) ? [] : cut(name));
  const pieces = cut(text);
  const clauses = splitClauses(pieces);
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
          ...larger(total.single, part.single),
          ...(part.count !== undefined && { count: Math.max(part.count, total.count ?? 0) }),
          timesPerWeek: (total.timesPerWeek ?? 7) + (part.timesPerWeek ?? 7),
        }
      : part;
  }
  return total && total.timesPerWeek === undefined && hasUnreadWords(pieces)
    ? { ...total, unclear: true }
    : total;
}

/** "20.000 I.E.": nobody writes thousandths of a unit. */
function joinThousands(text: string): string {
  return text.replace(
    /(?<![\d.,])(\d{1,3})((?:\.\d{3})+)(?=\s*(?:i\.?\s?[eu]|ui|u|units?|einheiten|unidades|unites)\b)/g,
    (_, first: string, rest: string) => first + rest.replaceAll('.', ''),
  );
}

/** True for a dose that is taken when it is needed. */
export function isAsNeeded(text: string): boolean {
  return AS_NEEDED.test(fold(text));
}

/** The larger of two single doses; none when one is not known. */
export function larger(x: number | undefined, y: number | undefined): Pick<ParsedDosage, 'single'> {
  return x === undefined || y === undefined ? {} : { single: Math.max(x, y) };
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
    ...(!clause.divided && { single: round(amount.value) }),
    ...(clause.timesPerWeek !== undefined && { timesPerWeek: clause.timesPerWeek }),
    ...(clause.count !== undefined && { count: clause.count }),
  };
}

function amountOfOneDose(clause: Clause, strength: Clause): Amount | undefined {
  const concentration = clause.concentration ?? strength.concentration;
  if (concentration && clause.millilitres) {
    return { value: concentration.value * clause.millilitres, unit: concentration.unit };
  }
  // A strength "200 mg" does not say in how many millilitres.
  if (clause.millilitres && (clause.inUnknownVolume || clause.amounts.length === 0)) return undefined;
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
