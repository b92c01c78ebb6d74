import type uPlot from 'uplot';

/** CSS pixels between two readings, at least, to draw each as a point. */
const POINT_SPACE = 4;

/** Many points hide the line, and take long to draw. */
export function hasRoomForPoints(chart: uPlot, _line: number, first: number, last: number): boolean {
  return (last - first) * POINT_SPACE * devicePixelRatio <= chart.bbox.width;
}

/** The indices of the readings between two gaps: no line shows them. */
export function lonePoints(values: ArrayLike<number | null | undefined>): number[] {
  const isGap = (at: number) => values[at] === null || values[at] === undefined;
  const lone: number[] = [];
  for (let at = 0; at < values.length; at += 1)
    if (!isGap(at) && isGap(at - 1) && isGap(at + 1)) lone.push(at);
  return lone;
}
