import { fold, squash } from '../names/fold';
import type { NameReading } from '../names/read-name';
import type { CompiledStrength } from '../compiled-base';
import type { Intake } from './dose-limit';
import { parseDosage, type ParsedDosage } from './parse-dosage';

/** The strengths of products on the market, by product name. */
export class Strengths {
  /** Made for the first dose. */
  private byName: Map<string, CompiledStrength['u']> | undefined;

  constructor(private readonly strengths: readonly CompiledStrength[]) {}

  /** The possible amounts of each ingredient in one piece. A strength in the name leaves only one. */
  of(reading: NameReading): readonly (readonly [number, number])[][] {
    const [target, ...others] = reading.targets;
    if (!target || others.length > 0) return [];
    // The whole name first: "Tylenol Extra Strength" is more exact than the brand it was read as.
    const names = [reading.input, target.display].map((name) => squash(fold(name)));
    const byName = (this.byName ??= new Map(
      this.strengths.flatMap(({ n, u }) => n.map((name) => [squash(fold(name)), u] as const)),
    ));
    const all = names.map((name) => byName.get(name)).find((found) => found !== undefined) ?? [];
    const numbers = new Set([...reading.input.matchAll(/\d+(?:\.\d+)?/g)].map(([text]) => Number(text)));
    const stated = all.filter((piece) => piece.every(([, amount]) => numbers.has(amount)));
    return stated.length > 0 ? stated : all;
  }
}

/**
 * The intake of each ingredient of a product. An ingredient without a readable amount is absent.
 * @param dosage may name amounts ("400 mg twice daily") or pieces ("2 tablets a day")
 */
export function readIntake(reading: NameReading, dosage: string, strengths: Strengths): Map<number, Intake> {
  const ids = reading.ingredients.map(({ ingredient }) => ingredient);
  const pieces = parseDosage(dosage, '1 mg');
  const whole = parseDosage(dosage, reading.input);
  const isMass = parseDosage(dosage) !== undefined;
  // "Twice daily" gives the frequency even when it gives no amount.
  const timesPerWeek = pieces?.timesPerWeek ?? whole?.timesPerWeek;
  const count = pieces?.count;
  if (ids.length === 1 && whole)
    return new Map([
      [
        ids[0],
        { least: whole, most: whole, timesPerWeek, count, ...(whole.unclear && { unclear: whole.unclear }) },
      ],
    ]);
  const sold = isMass || !pieces ? [] : strengths.of(reading);
  const intakes = new Map<number, Intake>();
  for (const id of ids) {
    const amounts = sold.map((piece) => piece.find(([ingredient]) => ingredient === id)?.[1] ?? 0);
    if (amounts.length > 0 && pieces) {
      const [least, most] = [Math.min(...amounts), Math.max(...amounts)].map((each) => times(pieces, each));
      intakes.set(id, { least, most, timesPerWeek, count, ...(pieces.unclear && { unclear: true }) });
    } else if (timesPerWeek !== undefined || count !== undefined) {
      const guess = ids.length === 1 ? withBareNumber(dosage, reading.input) : undefined;
      intakes.set(id, { timesPerWeek, count, ...(guess && { guess }) });
    }
  }
  return intakes;
}

/** "Actonel 35" and "tramadol 50": the number is nearly always milligrams, but some packs count micrograms. */
function withBareNumber(dosage: string, name: string): ParsedDosage | undefined {
  return /^\D*\s\d+(?:[.,]\d+)?\s*$/.test(name) ? parseDosage(dosage, `${name} mg`) : undefined;
}

/**
 * The total amount of one ingredient in several products; `undefined` when their units differ. The single dose is the
 * largest of one product.
 */
export function addIntakes(intakes: readonly Intake[]): Intake | undefined {
  const sum = (side: 'least' | 'most'): ParsedDosage | undefined => {
    const parts = intakes.map((intake) => intake[side]);
    const [first] = parts;
    if (!first || parts.some((part) => part?.unit !== first.unit)) return undefined;
    const singles = parts.map((part) => part?.single);
    return {
      ...(singles.every((single) => single !== undefined) && { single: Math.max(...singles) }),
      unit: first.unit,
      perDay: round(parts.reduce((total, part) => total + (part?.perDay ?? 0), 0)),
      perWeek: round(parts.reduce((total, part) => total + (part?.perWeek ?? 0), 0)),
      timesPerWeek: 7,
    };
  };
  const [least, most] = [sum('least'), sum('most')];
  const isKnown = intakes.every(({ timesPerWeek }) => timesPerWeek !== undefined);
  return least && most && { least, most, ...(isKnown && { timesPerWeek: 7 }) };
}

function times(pieces: ParsedDosage, each: number): ParsedDosage {
  return {
    ...pieces,
    unit: 'mg',
    perDay: round(pieces.perDay * each),
    perWeek: round(pieces.perWeek * each),
    ...(pieces.single !== undefined && { single: round(pieces.single * each) }),
  };
}

/** A sum of thousandths must not exceed a ceiling because of a rounding error. */
function round(value: number): number {
  return Math.round(value * 1e6) / 1e6;
}
