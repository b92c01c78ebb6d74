/** What a unit measures. Only units of one quantity convert into each other. */
export type Quantity = 'mass' | 'length' | 'pressure' | 'temperature' | 'glucose' | 'rate' | 'fraction';

/** A unit, by its UCUM code. A value times `factor` plus `offset` is the value in the first unit of its quantity. */
export interface Unit {
  code: string;
  symbol: string;
  quantity: Quantity;
  factor: number;
  offset: number;
  /** Digits after the decimal point that a reading in this unit has. */
  decimals: number;
  /** Other spellings in files, in lower case. */
  spellings: readonly string[];
}

const unit = (
  code: string,
  symbol: string,
  quantity: Quantity,
  decimals: number,
  [factor, offset]: readonly [number, number],
  spellings: readonly string[] = [],
): Unit => ({ code, symbol, quantity, factor, offset, decimals, spellings });

const SAME = [1, 0] as const;

/**
 * All units that the page converts. Source: UCUM codes from ucum.org; the pound, the inch and the millimetre of
 * mercury by their definitions; glucose by its molar mass of 180.156 g/mol.
 */
export const UNITS: readonly Unit[] = [
  unit('kg', 'kg', 'mass', 1, SAME, ['kgs', 'kilo', 'kilos', 'kilogram', 'kilograms']),
  unit('g', 'g', 'mass', 0, [0.001, 0], ['gram', 'grams', 'gramm']),
  unit('[lb_av]', 'lb', 'mass', 1, [0.45359237, 0], ['lbs', 'pound', 'pounds']),
  unit('cm', 'cm', 'length', 1, SAME),
  unit('m', 'm', 'length', 2, [100, 0]),
  unit('[in_i]', 'in', 'length', 1, [2.54, 0], ['inch', 'inches', '"']),
  unit('mm[Hg]', 'mmHg', 'pressure', 0, SAME, ['mm hg']),
  unit('kPa', 'kPa', 'pressure', 1, [1 / 0.133322387415, 0]),
  unit('Cel', '°C', 'temperature', 1, SAME, ['c', 'celsius', '° c', '℃']),
  unit('[degF]', '°F', 'temperature', 1, [5 / 9, -160 / 9], ['f', 'fahrenheit', '° f', '℉']),
  unit('mmol/L', 'mmol/L', 'glucose', 1, SAME),
  unit('mg/dL', 'mg/dL', 'glucose', 0, [1 / 18.0156, 0]),
  unit('/min', '/min', 'rate', 0, SAME, ['bpm', '1/min', 'min-1', '{beats}/min', '{breaths}/min']),
  unit('%', '%', 'fraction', 0, SAME),
];

const byCode = new Map(UNITS.map((each) => [each.code, each]));
const bySpelling = new Map(
  UNITS.flatMap((each) =>
    [each.code, each.symbol, ...each.spellings].map((spelling) => [spelling.toLowerCase(), each] as const),
  ),
);

/** The unit of a UCUM code; `undefined` for a code that the page does not convert. */
export function unitOf(code: string): Unit | undefined {
  return byCode.get(code);
}

/** The unit that a person or a file means: a code, a symbol or another spelling. */
export function readUnit(text: string): Unit | undefined {
  const trimmed = text.trim();
  return byCode.get(trimmed) ?? bySpelling.get(trimmed.toLowerCase());
}

/** How a unit is shown: its symbol, or its code where the page does not know it. */
export function unitSymbol(code: string): string {
  return unitOf(code)?.symbol ?? code;
}

/** The value in another unit, not rounded; `undefined` where the units do not convert. */
export function convert(value: number, from: string, to: string): number | undefined {
  if (from === to) return value;
  const [source, target] = [unitOf(from), unitOf(to)];
  if (!source || !target || source.quantity !== target.quantity) return undefined;
  return (value * source.factor + source.offset - target.offset) / target.factor;
}

/** A value with the digits of its unit. Own units: as entered. */
export function roundFor(value: number, code: string): number {
  const decimals = unitOf(code)?.decimals;
  return decimals === undefined ? Number(value.toPrecision(12)) : Number(value.toFixed(decimals));
}

const DECIMAL = /^[+-]?(?:\d+(?:[.,]\d*)?|[.,]\d+)$/;

/**
 * A number as people type it: with a point or a comma, and nothing else. `undefined` for anything else: `1.234,5`
 * means different numbers in different countries.
 */
export function parseDecimal(text: string): number | undefined {
  const trimmed = text.trim().replace('−', '-');
  if (trimmed.length > 20 || !DECIMAL.test(trimmed)) return undefined;
  return Number(trimmed.replace(',', '.'));
}
