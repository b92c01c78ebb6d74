const HOUR = 3600;
const DAY = 24 * HOUR;

/** The words of the time axis: as much of a date as the distance of its marks needs. Times in seconds. */
export function timeMarks(marks: readonly number[], step: number, language: string): string[] {
  const style: Intl.DateTimeFormatOptions =
    step < DAY
      ? { hour: 'numeric', minute: '2-digit' }
      : step < 28 * DAY
        ? { day: 'numeric', month: 'short' }
        : step < 360 * DAY
          ? { month: 'short', year: '2-digit' }
          : { year: 'numeric' };
  const format = new Intl.DateTimeFormat(language, style);
  return marks.map((mark) => format.format(mark * 1000));
}

/** The stretch of time that a chart shows, in seconds. */
export interface Stretch {
  min: number;
  max: number;
}

/** The shortest period that a chart shows. */
const LEAST = HOUR;

/** A stretch by a factor shorter or longer around its middle, within the whole. */
export function zoomed({ min, max }: Stretch, factor: number, whole: Stretch): Stretch {
  const half = Math.max(((max - min) * factor) / 2, LEAST / 2);
  const middle = (min + max) / 2;
  return within({ min: middle - half, max: middle + half }, whole);
}

/** A stretch moved by a part of its length, within the whole. */
export function moved({ min, max }: Stretch, part: number, whole: Stretch): Stretch {
  const by = (max - min) * part;
  return within({ min: min + by, max: max + by }, whole);
}

function within({ min, max }: Stretch, whole: Stretch): Stretch {
  const length = Math.min(max - min, whole.max - whole.min);
  const start = Math.min(Math.max(min, whole.min), whole.max - length);
  return { min: start, max: start + length };
}

/** What else happened on the time axis. Times in seconds. */
export interface ChartMarks {
  visits: { at: number; title: string }[];
  doses: { at: number; taken: boolean }[];
}
