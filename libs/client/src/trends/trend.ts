import { InvalidArgumentError } from '../errors';
import { dayNumber, localDate } from './local-date';

/** One reading. */
export interface Reading {
  at: Date | string;
  value: number;
}

/** One calendar date that has readings. */
export interface TrendDay {
  /** `YYYY-MM-DD` in the time zone of the trend. */
  date: string;
  count: number;
  mean: number;
  minimum: number;
  maximum: number;
  /**
   * Mean of the daily means of the last `window` calendar dates up to this one; dates without readings do not
   * count.
   */
  movingAverage: number;
}

/** Statistics of a series. They have the unit of the readings. */
export interface Trend {
  timeZone: string;
  /** The number of calendar dates in the moving average. */
  window: number;
  /** Oldest first; only dates with readings. Empty when there are none. */
  days: TrendDay[];
  count: number;
  /** Mean of all readings; `null` when there are none. */
  mean: number | null;
  minimum: number | null;
  maximum: number | null;
  /** Change of the daily mean per day, by least squares over the dates; `null` for fewer than two dates. */
  slopePerDay: number | null;
}

/** The mean, without the overflow and rounding errors of a plain sum. */
function meanOf(values: readonly number[]): number {
  let mean = 0;
  values.forEach((value, at) => {
    mean += (value - mean) / (at + 1);
  });
  return mean;
}

/** Least squares on centred values, so that day numbers near 20,000 do not reduce the precision. */
function slopeOf(points: readonly { x: number; y: number }[]): number | null {
  if (points.length < 2) return null;
  const meanX = meanOf(points.map((point) => point.x));
  const meanY = meanOf(points.map((point) => point.y));
  let covariance = 0;
  let variance = 0;
  for (const { x, y } of points) {
    covariance += (x - meanX) * (y - meanY);
    variance += (x - meanX) ** 2;
  }
  return covariance / variance;
}

/**
 * Statistics per day and for the whole series. The device computes them because the service cannot read the
 * values. The slope weighs each date once, so that ten readings on one bad day do not outweigh a quiet week.
 * @param readings in any order.
 * @param options.timeZone IANA name; it decides the date of a reading.
 * @param options.window number of calendar dates in the moving average, 1 to 366; default 7.
 * @throws InvalidArgumentError for a value that is not finite, an invalid date, time zone or window.
 */
export function computeTrend(
  readings: Iterable<Reading>,
  options: { timeZone: string; window?: number },
): Trend {
  const { timeZone, window = 7 } = options;
  if (!Number.isInteger(window) || window < 1 || window > 366) {
    throw new InvalidArgumentError('The window must be 1 to 366 dates.');
  }
  const byDate = new Map<string, number[]>();
  localDate(new Date(0), timeZone);
  for (const { at, value } of readings) {
    const instant = at instanceof Date ? at : new Date(at);
    if (Number.isNaN(instant.getTime())) throw new InvalidArgumentError('A reading has no valid time.');
    if (!Number.isFinite(value)) throw new InvalidArgumentError('A reading has no finite value.');
    const date = localDate(instant, timeZone);
    const values = byDate.get(date);
    if (values) values.push(value);
    else byDate.set(date, [value]);
  }
  const dates = [...byDate.keys()].sort();
  const points = dates.map((date) => ({ x: dayNumber(date), y: meanOf(byDate.get(date)!) }));
  let from = 0;
  const days = points.map(({ x, y }, at): TrendDay => {
    while (points[from].x <= x - window) from += 1;
    const values = byDate.get(dates[at])!;
    return {
      date: dates[at],
      count: values.length,
      mean: y,
      minimum: values.reduce((least, value) => Math.min(least, value)),
      maximum: values.reduce((most, value) => Math.max(most, value)),
      movingAverage: meanOf(points.slice(from, at + 1).map((point) => point.y)),
    };
  });
  const all = [...byDate.values()].flat();
  return {
    timeZone,
    window,
    days,
    count: all.length,
    mean: all.length > 0 ? meanOf(all) : null,
    minimum: days.length > 0 ? days.reduce((least, day) => Math.min(least, day.minimum), Infinity) : null,
    maximum: days.length > 0 ? days.reduce((most, day) => Math.max(most, day.maximum), -Infinity) : null,
    slopePerDay: slopeOf(points),
  };
}
