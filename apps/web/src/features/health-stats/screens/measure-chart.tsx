import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { language, t } from '../../../i18n/i18n';
import { componentName, metricName, numberText } from '../../../i18n/measure-words';
import { formatDay, dayOf, formatInstant } from '../../../platform/model/dates';
import { gapsOf, lineOf, type Series, trendOf } from '../model/series';
import { unitSymbol } from '@app/client/documents';
import { Button } from '../../../ui/button';
import { ChartLegend } from './chart-legend';
import { hasRoomForPoints, lonePoints } from './chart-points';
import { type ChartMarks, moved, type Stretch, timeMarks, zoomed } from './chart-time';

export interface MeasureChartProps {
  series: Series;
  targets: ({ low?: number; high?: number } | undefined)[];
  marks: ChartMarks;
  /** The stretch of time of the period. */
  whole: Stretch;
  /** The period. A zoom is kept while it is the same. */
  range: string;
  timeZone: string;
}

const HEIGHT = 300;
/** Of the strip for doses, in CSS pixels. */
const DOSE_STRIP = 14;

const colourOf = (name: string) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

/** The data of uPlot: times, one line a component, and the average of a single one. */
function dataOf(
  { components, points }: Series,
  timeZone: string,
): { data: uPlot.AlignedData; hasAverage: boolean } {
  const gaps = gapsOf(points);
  const lines = components.map((component) => lineOf(points, component, gaps));
  const x = lines[0]?.x ?? [];
  const hasAverage = components.length === 1 && points.length > 7;
  if (!hasAverage) return { data: [x, ...lines.map(({ y }) => y)], hasAverage };
  const days = new Map(
    trendOf(points, components[0], timeZone).days.map(({ date, movingAverage }) => [date, movingAverage]),
  );
  const average = lines[0].y.map((value, at) =>
    value === null ? null : (days.get(dayOf(new Date(x[at] * 1000))) ?? null),
  );
  return { data: [x, lines[0].y, average], hasAverage };
}

/** Draws the bands of the targets below the lines. */
function drawTargets(chart: uPlot, targets: MeasureChartProps['targets'], colours: string[]): void {
  const { ctx, bbox } = chart;
  targets.forEach((target, at) => {
    if (!target) return;
    const bottomOf = target.low ?? chart.scales.y.min!;
    const topOf = target.high ?? chart.scales.y.max!;
    const top = Math.max(chart.valToPos(topOf, 'y', true), bbox.top);
    const bottom = Math.min(chart.valToPos(bottomOf, 'y', true), bbox.top + bbox.height);
    if (bottom <= top) return;
    ctx.save();
    ctx.globalAlpha = 0.12;
    ctx.fillStyle = colours[at % colours.length];
    ctx.fillRect(bbox.left, top, bbox.width, bottom - top);
    ctx.restore();
  });
}

/** Draws visits as dashed lines and doses as a strip of ticks at the bottom: hollow where skipped. */
function drawMarks(chart: uPlot, marks: ChartMarks, ink: string): void {
  const { ctx, bbox } = chart;
  const ratio = devicePixelRatio;
  const placeOf = (at: number) => Math.round(chart.valToPos(at, 'x', true)) + 0.5;
  const isIn = (x: number) => x >= bbox.left && x <= bbox.left + bbox.width;
  ctx.save();
  ctx.strokeStyle = ink;
  ctx.fillStyle = ink;
  ctx.lineWidth = ratio;
  ctx.setLineDash([4 * ratio, 4 * ratio]);
  for (const { at } of marks.visits) {
    const x = placeOf(at);
    if (!isIn(x)) continue;
    ctx.beginPath();
    ctx.moveTo(x, bbox.top);
    ctx.lineTo(x, bbox.top + bbox.height);
    ctx.stroke();
    ctx.beginPath();
    ctx.moveTo(x - 5 * ratio, bbox.top);
    ctx.lineTo(x + 5 * ratio, bbox.top);
    ctx.lineTo(x, bbox.top + 8 * ratio);
    ctx.fill();
  }
  ctx.setLineDash([]);
  const bottom = bbox.top + bbox.height;
  for (const { at, taken } of marks.doses) {
    const x = placeOf(at);
    if (!isIn(x)) continue;
    ctx.beginPath();
    ctx.moveTo(x, bottom - DOSE_STRIP * ratio);
    ctx.lineTo(x, taken ? bottom : bottom - (DOSE_STRIP / 2) * ratio);
    ctx.globalAlpha = taken ? 0.7 : 0.35;
    ctx.stroke();
  }
  ctx.restore();
}

interface ChartInput extends MeasureChartProps {
  width: number;
  hasAverage: boolean;
  onStretch: (stretch: Stretch) => void;
  onPoint: (index: number | null) => void;
}

function optionsOf({
  series,
  targets,
  marks,
  width,
  whole,
  hasAverage,
  onStretch,
  onPoint,
}: ChartInput): uPlot.Options {
  const colours = ['--chart-1', '--chart-2', '--chart-3'].map(colourOf);
  const [ink, soft, grid, paper] = ['--ink', '--ink-soft', '--line-colour', '--paper'].map(colourOf);
  const font = `13px ${colourOf('--font')}`;
  const axis = {
    stroke: soft,
    font,
    ticks: { stroke: grid, width: 1, size: 5 },
    grid: { stroke: grid, width: 1 },
  };
  const spoken = language.value;
  return {
    width,
    height: HEIGHT,
    padding: [12, 12, 0, 0],
    legend: { show: false },
    cursor: { drag: { x: true, y: false, dist: 8 }, focus: { prox: 40 }, points: { size: 9 } },
    scales: {
      x: { time: true, min: whole.min, max: whole.max },
      y: {
        range: (_chart, low, high) => {
          const ends = targets
            .flatMap((target) => [target?.low, target?.high])
            .filter((end) => end !== undefined);
          const [least, most] = [Math.min(low ?? 0, ...ends), Math.max(high ?? 1, ...ends)];
          const edge = Math.max((most - least) * 0.12, Math.abs(most) * 0.01, 0.1);
          return [least - edge - (marks.doses.length > 0 ? edge : 0), most + edge];
        },
      },
    },
    axes: [
      {
        ...axis,
        space: 64,
        values: (_chart, splits, _axis, _space, step) => timeMarks(splits, step, spoken),
      },
      {
        ...axis,
        size: 56,
        values: (_chart, splits) => splits.map((value) => numberText(value, 'own', spoken)),
      },
    ],
    series: [
      {},
      ...series.components.map((_component, at) => ({
        stroke: colours[at % colours.length],
        width: 2,
        dash: at === 1 ? [8, 4] : [],
        spanGaps: false,
        points: {
          show: hasRoomForPoints,
          filter: (drawn: uPlot, line: number, isShown: boolean) =>
            isShown ? null : lonePoints(drawn.data[line]),
          size: 7,
          fill: at === 1 ? paper : colours[at % colours.length],
          width: 2,
        },
      })),
      ...(hasAverage
        ? [{ stroke: colours[2], width: 2, dash: [2, 4], points: { show: false }, spanGaps: false }]
        : []),
    ],
    hooks: {
      drawAxes: [(chart) => drawTargets(chart, targets, colours)],
      draw: [(chart) => drawMarks(chart, marks, ink)],
      setScale: [
        (chart, key) => {
          const { min, max } = chart.scales.x;
          if (key === 'x' && typeof min === 'number' && typeof max === 'number') onStretch({ min, max });
        },
      ],
      setCursor: [(chart) => onPoint(chart.cursor.idx ?? null)],
    },
  };
}

/** A chart of one measure. The same numbers are in the table beside it. */
export function MeasureChart(props: MeasureChartProps) {
  const { series, whole, timeZone } = props;
  const place = useRef<HTMLDivElement>(null);
  const chart = useRef<uPlot>();
  const [stretch, setStretch] = useState<Stretch>(whole);
  const [point, setPoint] = useState<number | null>(null);
  const kept = useRef<{ stretch: Stretch; range: string }>();
  const [look, setLook] = useState(0);
  const { data, hasAverage } = useMemo(() => dataOf(series, timeZone), [series, timeZone]);

  // The canvas has the colours of the theme, and no style sheet reaches it.
  useEffect(() => {
    const observer = new MutationObserver(() => setLook((before) => before + 1));
    observer.observe(document.documentElement, {
      attributes: true,
      attributeFilter: ['data-theme', 'style'],
    });
    return () => observer.disconnect();
  }, []);

  useEffect(() => {
    const parent = place.current!;
    const before = kept.current;
    const made = new uPlot(
      optionsOf({
        ...props,
        width: parent.clientWidth,
        hasAverage,
        onStretch: (shown) => {
          const isZoomed = shown.min !== whole.min || shown.max !== whole.max;
          kept.current = isZoomed ? { stretch: shown, range: props.range } : undefined;
          setStretch(shown);
        },
        onPoint: setPoint,
      }),
      data,
      parent,
    );
    chart.current = made;
    // What arrives from another device must not undo the zoom of the person.
    if (before?.range === props.range) made.setScale('x', before.stretch);
    const observer = new ResizeObserver(() => {
      if (parent.clientWidth !== made.width) made.setSize({ width: parent.clientWidth, height: HEIGHT });
    });
    observer.observe(parent);
    return () => {
      observer.disconnect();
      made.destroy();
    };
  }, [series, props.marks, props.targets, whole.min, whole.max, look, language.value]);

  const show = (next: Stretch) => chart.current?.setScale('x', next);
  const dayText = (at: number) => formatDay(dayOf(new Date(at * 1000)), language.value);
  const name = metricName(series.metric, t);
  return (
    <figure class="chart">
      <div
        ref={place}
        class="chart-place"
        role="img"
        aria-label={t('measures.chart.label', { name, from: dayText(stretch.min), to: dayText(stretch.max) })}
      />
      <p class="chart-readout small" aria-hidden="true">
        {point === null || data[0][point] === undefined
          ? t('measures.zoom.hint')
          : readout(series, data, point)}
      </p>
      <ChartLegend
        series={series}
        hasAverage={hasAverage}
        hasTarget={props.targets.some(Boolean)}
        marks={props.marks}
      />
      <div class="row chart-buttons" role="group" aria-label={t('measures.zoom.label')}>
        <Button onClick={() => show(zoomed(stretch, 0.5, whole))}>{t('measures.zoom.in')}</Button>
        <Button onClick={() => show(zoomed(stretch, 2, whole))}>{t('measures.zoom.out')}</Button>
        <Button onClick={() => show(moved(stretch, -0.5, whole))}>{t('measures.zoom.earlier')}</Button>
        <Button onClick={() => show(moved(stretch, 0.5, whole))}>{t('measures.zoom.later')}</Button>
      </div>
    </figure>
  );
}

/** The reading under the pointer. */
function readout({ components, metric, unit }: Series, data: uPlot.AlignedData, point: number): string {
  const values = components.flatMap((component, at) => {
    const value = data[at + 1][point];
    const label = components.length > 1 ? `${componentName(metric, component, t)} ` : '';
    return typeof value !== 'number'
      ? []
      : [`${label}${numberText(value, unit, language.value)} ${unitSymbol(unit)}`];
  });
  const when = formatInstant(new Date(data[0][point] * 1000), language.value);
  return values.length === 0 ? t('measures.zoom.hint') : `${when}: ${values.join(', ')}`;
}
