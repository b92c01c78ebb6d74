import { gapsOf, lineOf, metricsOf, seriesOf, trendOf, type ReadingRecord } from './series';

const DAY = 86_400_000;
const START = Date.UTC(2026, 0, 1, 8);

function reading(day: number, values: Record<string, number>, unit = 'kg', metric = 'weight'): ReadingRecord {
  const recordedAt = new Date(START + day * DAY).toISOString();
  return { id: `${metric}-${day}`, recordedAt, details: { metric, values, unit } };
}

const pressures = (day: number, systolic: number, diastolic: number) =>
  reading(day, { systolic, diastolic }, 'mm[Hg]', 'blood_pressure');

describe('a series', () => {
  it('is sorted by time, in the unit of the latest reading, of one metric only', () => {
    const series = seriesOf(
      [reading(2, { value: 154.324 }, '[lb_av]'), reading(0, { value: 71 }), pressures(1, 120, 80)],
      'weight',
    );
    expect(series).toMatchObject({ metric: 'weight', unit: '[lb_av]', components: ['value'], leftOut: 0 });
    expect(series.points.map(({ id }) => id)).toEqual(['weight-0', 'weight-2']);
    expect(series.points[0].values.value).toBeCloseTo(156.53, 2);
  });

  it('counts what it cannot show', () => {
    const series = seriesOf([reading(0, { value: 71 }), reading(1, { value: 11 }, 'stone')], 'weight', 'kg');
    expect([series.points.length, series.leftOut]).toEqual([1, 1]);
  });

  it('has both blood pressures', () => {
    const { components, points } = seriesOf([pressures(0, 120, 80)], 'blood_pressure');
    expect(components).toEqual(['systolic', 'diastolic']);
    expect(points[0].values).toEqual({ systolic: 120, diastolic: 80 });
  });

  it('counts readings by metric', () => {
    expect([
      ...metricsOf([reading(0, { value: 1 }), pressures(0, 120, 80), reading(1, { value: 2 })]),
    ]).toEqual([
      ['weight', 2],
      ['blood_pressure', 1],
    ]);
  });
});

describe('gaps', () => {
  const at = (...days: number[]) => days.map((day) => ({ at: START + day * DAY }));

  it('are stretches of over three usual distances and over two days', () => {
    expect(gapsOf(at(0, 1, 2, 9, 10))).toEqual([{ from: START + 2 * DAY, to: START + 9 * DAY }]);
    expect(gapsOf(at(0, 7, 14, 21, 35))).toEqual([]);
    expect(gapsOf(at(0, 0.1, 0.2, 1.9))).toEqual([]);
    expect(gapsOf(at(0, 300))).toEqual([]);
  });

  it('break the line of a chart', () => {
    const { points } = seriesOf(
      [0, 1, 2, 9].map((day) => reading(day, { value: 70 + day })),
      'weight',
    );
    const { x, y } = lineOf(points, 'value', gapsOf(points));
    expect(y).toEqual([70, 71, 72, null, 79]);
    expect(x).toEqual([...x].sort((a, b) => a - b));
  });
});

describe('the direction of a series', () => {
  const series = (values: number[], step = 2) =>
    seriesOf(
      values.map((value, at) => reading(at * step, { value })),
      'weight',
    ).points;

  it('is unknown from few dates or a short stretch', () => {
    expect(trendOf(series([70, 71, 72, 73]), 'value', 'UTC').direction).toBe('unknown');
    expect(trendOf(series([70, 71, 72, 73, 74], 1), 'value', 'UTC').direction).toBe('unknown');
    expect(trendOf([], 'value', 'UTC')).toMatchObject({ direction: 'unknown', perWeek: null, spanDays: 0 });
  });

  it('tells the change in a week', () => {
    const down = trendOf(series([80, 79, 78, 77, 76, 75]), 'value', 'UTC');
    expect(down).toMatchObject({ direction: 'down', spanDays: 11 });
    expect(down.perWeek).toBeCloseTo(-3.5, 9);
    expect(trendOf(series([70, 71, 72, 73, 74, 75]), 'value', 'UTC').direction).toBe('up');
  });

  it('is steady where it changes by less than one percent', () => {
    expect(trendOf(series([80, 80.1, 80, 79.9, 80, 80.1]), 'value', 'UTC').direction).toBe('steady');
  });

  it('takes ten thousand readings', () => {
    const many = series(Array.from({ length: 10_000 }, (_, at) => 70 + Math.sin(at)));
    expect(lineOf(many, 'value', gapsOf(many)).x.length).toBe(10_000);
    expect(trendOf(many, 'value', 'UTC').count).toBe(10_000);
  });
});
