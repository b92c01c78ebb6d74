import { dayNumber, localDate } from './local-date';
import { computeTrend } from './trend';

const utc = { timeZone: 'UTC' };

describe('localDate', () => {
  it.each([
    ['2025-03-09T04:59:59Z', 'America/New_York', '2025-03-08'],
    ['2025-03-09T05:00:00Z', 'America/New_York', '2025-03-09'],
    ['2025-03-10T03:59:59Z', 'America/New_York', '2025-03-09'],
    ['2025-03-10T04:00:00Z', 'America/New_York', '2025-03-10'],
    ['2025-12-31T10:00:00Z', 'Pacific/Kiritimati', '2026-01-01'],
    ['2025-06-15T18:14:59Z', 'Asia/Kathmandu', '2025-06-15'],
    ['2025-06-15T18:15:00Z', 'Asia/Kathmandu', '2025-06-16'],
  ])('puts %s in %s on %s', (at, timeZone, date) => {
    expect(localDate(new Date(at), timeZone)).toBe(date);
  });

  it('numbers consecutive dates consecutively across a change of clocks', () => {
    expect(dayNumber('2025-03-10') - dayNumber('2025-03-08')).toBe(2);
    expect(dayNumber('1970-01-02')).toBe(1);
  });
});

describe('computeTrend', () => {
  it('groups by local date, in any order of input', () => {
    const readings = [
      { at: '2025-01-02T23:30:00Z', value: 90 },
      { at: '2025-01-01T10:00:00Z', value: 70 },
      { at: new Date('2025-01-01T20:00:00Z'), value: 80 },
    ];
    expect(computeTrend(readings, utc).days.map(({ date, count, mean }) => [date, count, mean])).toEqual([
      ['2025-01-01', 2, 75],
      ['2025-01-02', 1, 90],
    ]);
    expect(computeTrend(readings, { timeZone: 'Europe/Berlin' }).days.map((day) => day.date)).toEqual([
      '2025-01-01',
      '2025-01-03',
    ]);
  });

  it('gives mean, minimum and maximum a day and of all readings', () => {
    const trend = computeTrend(
      [3, -1, 10].map((value, at) => ({ at: `2025-01-0${at < 2 ? 1 : 2}T08:00:00Z`, value })),
      utc,
    );
    expect(trend.days[0]).toMatchObject({ mean: 1, minimum: -1, maximum: 3 });
    expect(trend).toMatchObject({ count: 3, mean: 4, minimum: -1, maximum: 10 });
  });

  it('averages over calendar dates, not over the last entries', () => {
    const at = (day: number) => `2025-01-${String(day).padStart(2, '0')}T12:00:00Z`;
    const trend = computeTrend(
      [
        { at: at(1), value: 10 },
        { at: at(2), value: 20 },
        { at: at(3), value: 60 },
        { at: at(5), value: 100 },
        { at: at(20), value: 7 },
      ],
      { ...utc, window: 3 },
    );
    expect(trend.days.map((day) => day.movingAverage)).toEqual([10, 15, 30, 80, 7]);
  });

  it('finds the slope by least squares per day, with gaps, each date once', () => {
    const line = [0, 1, 4, 9].map((day) => ({
      at: new Date(Date.UTC(2025, 0, 1 + day, 8)),
      value: 80 - 0.25 * day,
    }));
    expect(computeTrend(line, utc).slopePerDay).toBeCloseTo(-0.25, 12);
    // Reference by hand: x 0, 1, 2; y 1, 2, 6: slope 5 / 2; the first date has three readings of mean 1.
    const uneven = [
      [1, 0],
      [1, 1],
      [1, 2],
      [2, 2],
      [3, 6],
    ].map(([day, value]) => ({ at: `2025-01-0${day}T12:00:00Z`, value: value }));
    expect(computeTrend(uneven, utc).slopePerDay).toBeCloseTo(2.5, 12);
  });

  it('has nothing to say about nothing, and no slope for one date', () => {
    expect(computeTrend([], utc)).toEqual({
      timeZone: 'UTC',
      window: 7,
      days: [],
      count: 0,
      mean: null,
      minimum: null,
      maximum: null,
      slopePerDay: null,
    });
    expect(computeTrend([{ at: '2025-01-01T00:00:00Z', value: 1 }], utc).slopePerDay).toBeNull();
  });

  it('takes a hundred thousand readings', () => {
    const many = Array.from({ length: 100_000 }, (_, at) => ({ at: new Date(at * 600_000), value: at % 7 }));
    expect(computeTrend(many, utc).count).toBe(100_000);
  });

  it.each([
    [{ at: 'yesterday', value: 1 }, {}],
    [{ at: '2025-01-01', value: Number.NaN }, {}],
    [{ at: '2025-01-01', value: 1 }, { timeZone: 'Mars/Olympus' }],
    [{ at: '2025-01-01', value: 1 }, { window: 0 }],
  ])('refuses %p with %p', (reading, options) => {
    expect(() => computeTrend([reading], { ...utc, ...options })).toThrow(
      expect.objectContaining({ code: 'invalid_argument' }),
    );
  });
});
