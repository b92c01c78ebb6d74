import type { HealthStatDetails } from '@app/client';
import Papa from 'papaparse';
import { instantOf } from '../../../platform/model/dates';
import {
  MEASURES,
  measureOf,
  ownMetric,
  valueProblem,
  type ValueProblem,
  parseDecimal,
  readUnit,
} from '@app/client/documents';
import { columnsOf, metricOfWord, type Column } from './csv-columns';

/** Which number of `3/4/2026` is the day. */
export type DateOrder = 'day-first' | 'month-first';

/** What is wrong with a row. Each has a sentence in the catalogues. */
export type RowProblem =
  ValueProblem | 'date_missing' | 'date_unreadable' | 'measure_unknown' | 'value_missing' | 'in_future';

/** One reading of a file, or what is wrong with its row. A row may have several. */
export interface CsvRow {
  /** The line in the file; the first is 1. */
  line: number;
  /** The text of the row as it is in the file, for the preview. */
  source: string;
  reading?: { recordedAt: string; details: HealthStatDetails };
  problem?: RowProblem;
}

/** What a file holds, before anything is stored. */
export interface CsvContent {
  rows: CsvRow[];
  /** The columns that were understood, in the order of the file. */
  columns: { header: string; column: Column | undefined }[];
  /** Whether the dates could be read in both orders; then the person chooses. */
  isOrderUnclear: boolean;
  order: DateOrder;
}

/** The file cannot be read as a table of measurements. */
export class CsvFileError extends Error {
  constructor(readonly code: 'empty' | 'no_columns' | 'no_date_column' | 'too_long') {
    super(code);
    this.name = 'CsvFileError';
  }
}

export const MOST_ROWS = 50_000;
const MOST_NOTE = 2_000;

/** How a file is read. */
export interface CsvOptions {
  /** Default: as the dates of the file show; day first where they show nothing. */
  order?: DateOrder;
  /** The unit of numbers without one, by metric. Default: the first unit of the measure. */
  units?: { [metric: string]: string };
  now: Date;
}

/**
 * Reads measurements from a table with a header row. Either one measure a row (`date, measure, value, unit`), or one column
 * a measure (`date, weight, systolic, diastolic`). Headers may be English, German or Spanish. Stores nothing.
 * @throws CsvFileError
 */
export function readCsv(text: string, options: CsvOptions): CsvContent {
  const { data } = Papa.parse<string[]>(text.replace(/^\uFEFF/, ''), { skipEmptyLines: false });
  const isBlank = (cells: string[]) => cells.every((cell) => cell.trim() === '');
  const headerAt = data.findIndex((cells) => !isBlank(cells));
  if (headerAt < 0) throw new CsvFileError('empty');
  const columns = columnsOf(data[headerAt]);
  const numbered = data.map((cells, at) => ({ cells, line: at + 1 })).slice(headerAt + 1);
  const body = numbered.filter(({ cells }) => !isBlank(cells));
  if (body.length > MOST_ROWS) throw new CsvFileError('too_long');
  if (!columns.some(({ column }) => typeof column === 'object') && !hasLongForm(columns)) {
    throw new CsvFileError('no_columns');
  }
  const dateAt = columns.findIndex(({ column }) => column === 'date');
  if (dateAt < 0) throw new CsvFileError('no_date_column');
  const shown = orderOf(body.map(({ cells }) => cells[dateAt] ?? ''));
  const order = options.order ?? shown ?? 'day-first';
  const rows = body.flatMap(({ cells, line }) => rowsOf({ cells, line, columns, order, options }));
  return {
    rows,
    columns,
    isOrderUnclear: shown === undefined && hasSlashes(body.map(({ cells }) => cells[dateAt] ?? '')),
    order,
  };
}

function hasLongForm(columns: CsvContent['columns']): boolean {
  const kinds = columns.map(({ column }) => column);
  return kinds.includes('measure') && kinds.includes('value');
}

const SLASHED = /^\s*(\d{1,2})\/(\d{1,2})\/(\d{4})\b/;
const hasSlashes = (dates: readonly string[]) => dates.some((date) => SLASHED.test(date));

/** The order that the dates show; `undefined` where every date can be read in both. */
function orderOf(dates: readonly string[]): DateOrder | undefined {
  const found = dates.map((date) => SLASHED.exec(date)).filter((match) => match !== null);
  if (found.some(([, first]) => Number(first) > 12)) return 'day-first';
  if (found.some(([, , second]) => Number(second) > 12)) return 'month-first';
  return undefined;
}

const CLOCK = String.raw`(?:[T ,]+(\d{1,2}):(\d{2})(?::\d{2}(?:\.\d+)?)?\s*([ap]\.?m\.?)?)?`;
const WITH_OFFSET = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})$/;
const FORMS: [RegExp, (order: DateOrder) => [year: number, month: number, day: number]][] = [
  [new RegExp(`^(\\d{4})[-/.](\\d{1,2})[-/.](\\d{1,2})${CLOCK}$`, 'i'), () => [1, 2, 3]],
  [new RegExp(`^(\\d{1,2})[.-](\\d{1,2})[.-](\\d{4})${CLOCK}$`, 'i'), () => [3, 2, 1]],
  [
    new RegExp(`^(\\d{1,2})/(\\d{1,2})/(\\d{4})${CLOCK}$`, 'i'),
    (order) => (order === 'day-first' ? [3, 2, 1] : [3, 1, 2]),
  ],
];

/** The instant of a date and a time as files write them; local where there is no offset, noon without a time. */
export function readMoment(text: string, order: DateOrder): Date | undefined {
  const trimmed = text.trim();
  if (WITH_OFFSET.test(trimmed)) {
    const at = new Date(trimmed.replace(' ', 'T'));
    return Number.isNaN(at.getTime()) ? undefined : at;
  }
  for (const [form, places] of FORMS) {
    const match = form.exec(trimmed);
    if (!match) continue;
    const [year, month, day] = places(order).map((place) => Number(match[place]));
    const half = match[6]?.toLowerCase().replaceAll('.', '');
    let hour = match[4] === undefined ? 12 : Number(match[4]);
    if (half) hour = (hour % 12) + (half === 'pm' ? 12 : 0);
    const minute = Number(match[5] ?? 0);
    const lastDay = new Date(Date.UTC(year, month, 0)).getUTCDate();
    if (month < 1 || month > 12 || day < 1 || day > lastDay || hour > 23 || minute > 59) return undefined;
    const two = (part: number) => String(part).padStart(2, '0');
    return instantOf(`${year}-${two(month)}-${two(day)}`, `${two(hour)}:${two(minute)}`);
  }
  return undefined;
}

interface RowInput {
  cells: string[];
  line: number;
  columns: CsvContent['columns'];
  order: DateOrder;
  options: CsvOptions;
}

function rowsOf({ cells, line, columns, order, options }: RowInput): CsvRow[] {
  const cell = (wanted: Column) => (cells[columns.findIndex(({ column }) => column === wanted)] ?? '').trim();
  const row = {
    line,
    source: cells
      .map((each) => each.trim())
      .join(' · ')
      .slice(0, 200),
  };
  const refuse = (problem: RowProblem): CsvRow[] => [{ ...row, problem }];
  const [date, time] = [cell('date'), cell('time')];
  if (date === '') return refuse('date_missing');
  const at = readMoment(time === '' ? date : `${date} ${time}`, order);
  if (!at) return refuse('date_unreadable');
  if (at.getTime() > options.now.getTime() + 86_400_000) return refuse('in_future');
  const found = readings(cells, columns, cell);
  if (found.length === 0) return refuse('value_missing');
  return found.map(({ metric, values, unit: unitText, problem }): CsvRow => {
    if (problem) return { ...row, problem };
    const known = measureOf(metric);
    const unit =
      unitText === ''
        ? (options.units?.[metric] ?? known?.units[0] ?? '')
        : (readUnit(unitText)?.code ?? unitText);
    const wrong = valueProblem(metric, values, unit);
    if (wrong) return { ...row, problem: wrong.problem };
    const note = cell('note').slice(0, MOST_NOTE);
    const details = { metric, values: values as Record<string, number>, unit, ...(note && { note }) };
    return { ...row, reading: { recordedAt: at.toISOString(), details } };
  });
}

interface FoundReading {
  metric: string;
  values: { [component: string]: number | undefined };
  unit: string;
  problem?: RowProblem;
}

function readings(
  cells: string[],
  columns: CsvContent['columns'],
  cell: (wanted: Column) => string,
): FoundReading[] {
  const found: FoundReading[] = [];
  const [word, value] = [cell('measure'), cell('value')];
  if (word !== '' || value !== '') found.push(longReading(word, value, cell('unit')));
  for (const { metric, components, units } of MEASURES) {
    const values: FoundReading['values'] = {};
    let unit = cell('unit');
    let isEmpty = true;
    for (const { name } of components) {
      const at = columns.findIndex(
        ({ column }) => typeof column === 'object' && column.metric === metric && column.component === name,
      );
      const text = (cells[at] ?? '').trim();
      if (at < 0 || text === '') continue;
      isEmpty = false;
      values[name] = parseDecimal(text);
      const column = columns[at].column as Exclude<Column, string>;
      const own = readUnit(unit)?.code;
      unit = column.unit ?? (own !== undefined && units.includes(own) ? own : '');
    }
    if (!isEmpty) found.push({ metric, values, unit });
  }
  return found;
}

/** `120/80` is both blood pressures. */
const PRESSURES = /^(\d{2,3})\s*\/\s*(\d{2,3})$/;

function longReading(word: string, value: string, unit: string): FoundReading {
  if (word === '') return { metric: '', values: {}, unit, problem: 'measure_unknown' };
  if (value === '') return { metric: '', values: {}, unit, problem: 'value_missing' };
  const metric = metricOfWord(word) ?? ownMetric(word);
  const pressures = metric === 'blood_pressure' ? PRESSURES.exec(value) : null;
  if (pressures)
    return { metric, values: { systolic: Number(pressures[1]), diastolic: Number(pressures[2]) }, unit };
  return { metric, values: { value: parseDecimal(value) }, unit };
}
