import { computeTrend, type HealthStatDetails, type Trend } from '@app/client';
import { componentsOf, measureOf, convert } from '@app/client/documents';

const MS_PER_DAY = 86_400_000;

/** What a series needs of a stored or an exported reading. */
export interface ReadingRecord {
  id: string;
  recordedAt: string;
  details: HealthStatDetails;
}

/** One reading in the unit of its series. */
export interface Point {
  id: string;
  /** Milliseconds since 1970. */
  at: number;
  values: { [component: string]: number };
  note?: string;
}

/** The readings of one measure, oldest first, all in one unit. */
export interface Series {
  metric: string;
  unit: string;
  components: string[];
  points: Point[];
  /** Readings that are left out: no number, or a unit that does not convert. */
  leftOut: number;
}

/** A stretch without readings, from one reading to the next. In milliseconds since 1970. */
export interface Gap {
  from: number;
  to: number;
}

/**
 * The series of one metric.
 * @param unit a UCUM code; default the unit of the latest reading.
 */
export function seriesOf(records: Iterable<ReadingRecord>, metric: string, unit?: string): Series {
  const own = [...records].filter(({ details }) => details.metric === metric);
  own.sort((a, b) => Date.parse(a.recordedAt) - Date.parse(b.recordedAt) || (a.id < b.id ? -1 : 1));
  const last = own.at(-1);
  const shown = unit ?? last?.details.unit ?? measureOf(metric)?.units[0] ?? '';
  const components = componentsOf(metric, last?.details.values);
  const points: Point[] = [];
  for (const { id, recordedAt, details } of own) {
    const values: Point['values'] = {};
    for (const component of components) {
      const value = details.values?.[component];
      const converted = Number.isFinite(value) ? convert(value, details.unit, shown) : undefined;
      if (converted !== undefined) values[component] = converted;
    }
    if (Object.keys(values).length === 0) continue;
    points.push({ id, at: Date.parse(recordedAt), values, ...(details.note && { note: details.note }) });
  }
  return { metric, unit: shown, components, points, leftOut: own.length - points.length };
}

/** The metrics that have readings, each with the number of them. */
export function metricsOf(records: Iterable<ReadingRecord>): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { details } of records) counts.set(details.metric, (counts.get(details.metric) ?? 0) + 1);
  return counts;
}

/**
 * The gaps of a series: stretches that are over three times as long as the usual distance of its readings, and longer
 * than two days. A line across them would claim what nobody measured.
 */
export function gapsOf(points: readonly { at: number }[]): Gap[] {
  const distances = points.slice(1).map(({ at }, before) => at - points[before].at);
  if (distances.length < 2) return [];
  const usual = [...distances].sort((a, b) => a - b)[Math.floor((distances.length - 1) / 2)];
  const most = Math.max(3 * usual, 2 * MS_PER_DAY);
  return distances.flatMap((distance, before) =>
    distance > most ? [{ from: points[before].at, to: points[before + 1].at }] : [],
  );
}

/** A line of a chart: times in seconds and values, `null` inside each gap. */
export function lineOf(
  points: readonly Point[],
  component: string,
  gaps: readonly Gap[],
): { x: number[]; y: (number | null)[] } {
  const x: number[] = [];
  const y: (number | null)[] = [];
  const starts = new Map(gaps.map(({ from, to }) => [from, (from + to) / 2]));
  points.forEach((point, at) => {
    x.push(point.at / 1000);
    y.push(point.values[component] ?? null);
    const middle = starts.get(point.at);
    if (middle === undefined || points[at + 1]?.at === point.at) return;
    x.push(middle / 1000);
    y.push(null);
  });
  return { x, y };
}

/** What can be said about where a series goes. */
export interface Direction {
  direction: 'up' | 'down' | 'steady' | 'unknown';
  /** In the unit of the series; `null` where it is unknown. */
  perWeek: number | null;
  /** Calendar dates from the first reading to the last, both counted. */
  spanDays: number;
}

/** Fewer dates, or a shorter stretch, say nothing about a direction. */
const LEAST_DATES = 5;
const LEAST_DAYS = 10;
/** A change of less than one percent of the mean over the whole stretch is called steady. */
const STEADY = 0.01;

/** The trend of one component. It uses the calendar dates of the time zone. */
export function trendOf(points: readonly Point[], component: string, timeZone: string): Trend & Direction {
  const readings = points.flatMap(({ at, values }) =>
    values[component] === undefined ? [] : [{ at: new Date(at), value: values[component] }],
  );
  const trend = computeTrend(readings, { timeZone });
  const [first, last] = [trend.days[0], trend.days.at(-1)];
  const spanDays = first && last ? (Date.parse(last.date) - Date.parse(first.date)) / MS_PER_DAY + 1 : 0;
  if (trend.slopePerDay === null || trend.days.length < LEAST_DATES || spanDays < LEAST_DAYS) {
    return { ...trend, direction: 'unknown', perWeek: null, spanDays };
  }
  const change = trend.slopePerDay * (spanDays - 1);
  const direction = Math.abs(change) < STEADY * Math.abs(trend.mean!) ? 'steady' : change > 0 ? 'up' : 'down';
  return { ...trend, direction, perWeek: trend.slopePerDay * 7, spanDays };
}
