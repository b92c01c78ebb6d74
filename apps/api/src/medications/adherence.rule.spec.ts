import fc from 'fast-check';
import {
  adherenceOf,
  type AdherenceFacts,
  type DoseSchedule,
  PERIOD_DAYS,
  readDoseSchedule,
} from '@app/common/adherence';
import { isTimeZone } from '@app/common';
import { periodEndingAt } from './adherence.rule';

const NOW = new Date('2026-11-20T12:00:00Z');
const UTC = periodEndingAt(NOW, 'UTC');
const HOUR_MS = 3_600_000;

const scheduleOf = (times_per_day: number, days_of_week?: (number | string)[]) =>
  readDoseSchedule({ times_per_day, ...(days_of_week ? { days_of_week } : {}) }) as DoseSchedule;

/** A medication older than the period, without doses. Each test overrides the values that it needs. */
const adherence = (facts: Partial<AdherenceFacts>) => {
  const logged = facts.logged ?? { taken: 0, skipped: 0 };
  return adherenceOf({
    period: UTC,
    schedule: undefined,
    logged,
    startDay: 0,
    loggedSinceStart: logged,
    ...facts,
  });
};

describe('the period', () => {
  it('is the 30 dates that end with today, whatever the hour', () => {
    for (const time of ['00:00:00.000', '11:30:00.000', '23:59:59.999']) {
      const { dates } = periodEndingAt(new Date(`2026-11-20T${time}Z`), 'UTC');
      expect([dates.length, dates[0], dates[29]]).toEqual([30, '2026-10-22', '2026-11-20']);
    }
  });

  it('is another one from the next date on, and for an earlier date', () => {
    const lastDateAt = (time: string) => periodEndingAt(new Date(time), 'Asia/Tokyo').dates[29];
    expect(lastDateAt('2026-11-20T14:59:59.999Z')).toBe('2026-11-20');
    expect(lastDateAt('2026-11-20T15:00:00.000Z')).toBe('2026-11-21');
    expect(lastDateAt('2026-11-19T15:00:00.000Z')).toBe('2026-11-20');
    expect(lastDateAt('2026-11-19T14:59:59.999Z')).toBe('2026-11-19');
  });

  it('goes over the end of February in a leap year', () => {
    const { dates } = periodEndingAt(new Date('2028-03-01T00:00:00Z'), 'UTC');
    expect(dates.slice(-3)).toEqual(['2028-02-28', '2028-02-29', '2028-03-01']);
  });

  it.each([
    ['Pacific/Auckland', '2026-11-21'],
    ['Asia/Kathmandu', '2026-11-21'],
    ['Europe/Paris', '2026-11-21'],
    ['UTC', '2026-11-20'],
    ['America/Los_Angeles', '2026-11-20'],
  ])('ends in %s with the date that it is there', (timezone, today) => {
    const { dates } = periodEndingAt(new Date('2026-11-20T23:30:00Z'), timezone);
    expect(dates[PERIOD_DAYS - 1]).toBe(today);
  });

  it('knows the weekday of each date, as cron counts', () => {
    const { dates, weekdays } = UTC;
    expect(weekdays).toEqual(dates.map((date) => new Date(`${date}T12:00:00Z`).getUTCDay()));
  });

  it.each([
    ['Europe/Berlin', '2020-03-29', 23],
    ['Europe/Berlin', '2020-10-25', 25],
    ['America/New_York', '2020-11-01', 25],
    ['Australia/Lord_Howe', '2020-04-05', 24.5],
    // In this zone the clocks go from 24:00 to 01:00, so midnight does not exist.
    ['Asia/Beirut', '2020-03-29', 23],
    ['America/Sao_Paulo', '2018-11-04', 23],
    ['America/Havana', '2020-03-08', 23],
    // In this zone midnight happens twice.
    ['America/Havana', '2020-11-01', 25],
  ])('lets a date in %s last as long as it does: %s %f hours', (timezone, date, hours) => {
    const { dates, boundaries } = periodEndingAt(new Date(`${date}T12:00:00Z`), timezone);
    const day = dates.indexOf(date);
    expect((boundaries[day + 1].getTime() - boundaries[day].getTime()) / HOUR_MS).toBe(hours);
  });

  it('begins each date at its first instant, in every zone and season', () => {
    const zones = Intl.supportedValuesOf('timeZone');
    fc.assert(
      fc.property(
        fc.constantFrom(...zones),
        fc.date({ min: new Date('2015-01-01'), max: new Date('2037-01-01'), noInvalidDate: true }),
        (timezone, now) => {
          const format = new Intl.DateTimeFormat('en-CA', { timeZone: timezone, dateStyle: 'short' });
          const { dates, boundaries } = periodEndingAt(now, timezone);
          expect(dates[PERIOD_DAYS - 1]).toBe(format.format(now));
          expect(boundaries.slice(0, -1).map((boundary) => format.format(boundary))).toEqual(dates);
          const lastInstants = boundaries.slice(1).map((boundary) => format.format(boundary.getTime() - 1));
          expect(lastInstants).toEqual(dates);
        },
      ),
      { numRuns: 200 * Number(process.env.TEST_LONG ?? 1) },
    );
  });
});

describe('a time zone', () => {
  const ALIASES = [
    'UTC',
    'GMT',
    'Etc/UTC',
    'Etc/GMT+12',
    'US/Pacific',
    'Asia/Calcutta',
    'EST5EDT',
    'Zulu',
    'utc',
  ];

  it('is one wherever it is known by an IANA name, and has a period', () => {
    for (const name of [...Intl.supportedValuesOf('timeZone'), ...ALIASES]) {
      expect([name, isTimeZone(name)]).toEqual([name, true]);
      expect(periodEndingAt(NOW, name).dates).toHaveLength(PERIOD_DAYS);
    }
  });

  it.each([
    '',
    '+01:00',
    '-05',
    'Europe/Nowhere',
    'Mars',
    'UTC+1',
    '../etc/passwd',
    'a'.repeat(65),
    ' UTC',
    'PST',
    'cst',
    'Asia/Tokyo[u-ca=hebrew]',
    '2026-11-20T08:00:00[Europe/Paris]',
    'Z',
    5,
    null,
  ])('is not %p', (name) => expect(isTimeZone(name)).toBe(false));
});

describe('adherence without a schedule', () => {
  it('is taken divided by logged', () => {
    expect(adherence({ logged: { taken: 2, skipped: 1 } })).toEqual({
      taken_doses: 2,
      skipped_doses: 1,
      total_logged: 3,
      scheduled_doses: null,
      missed_doses: null,
      extra_doses: null,
      adherence_rate: 66.7,
      since_start: { start: '2026-10-22', scheduled_doses: null, taken_doses: 2, adherence_rate: 66.7 },
    });
  });

  it('is null where nothing was logged', () => {
    const { adherence_rate, since_start, total_logged } = adherence({});
    expect([adherence_rate, since_start.adherence_rate, total_logged]).toEqual([null, null, 0]);
  });

  it.each([
    [2, 1, 66.7],
    [1, 2, 33.3],
    [1, 0, 100],
    [0, 1, 0],
    [1, 15, 6.3], // 6.25
    [5, 11, 31.3], // 31.25
    [7, 1993, 0.4], // 0.35, which is less than 0.35 as a float
    [9, 1991, 0.5], // 0.45
    [1999, 1, 100], // 99.95
    [1998, 2, 99.9],
    [1, 2000, 0], // 0.04998
  ])('is rounded half up: %i taken and %i skipped give %f', (taken, skipped, rate) => {
    expect(adherence({ logged: { taken, skipped } }).adherence_rate).toBe(rate);
  });

  it('is rounded as exact fractions are, whatever the counts', () => {
    fc.assert(
      fc.property(fc.nat(5000), fc.nat(5000), (taken, skipped) => {
        fc.pre(taken + skipped > 0);
        const { adherence_rate: rate } = adherence({ logged: { taken, skipped } });
        // rate = n/10 with n - 1/2 <= 1000 * taken / total < n + 1/2
        const [n, total] = [Math.round(rate! * 10), taken + skipped];
        expect(rate).toBe(n / 10);
        expect((2 * n - 1) * total <= 2000 * taken && 2000 * taken < (2 * n + 1) * total).toBe(true);
      }),
    );
  });
});

describe('adherence to a schedule', () => {
  it('counts the doses of every date', () => {
    expect(adherence({ schedule: scheduleOf(2), logged: { taken: 30, skipped: 6 } })).toMatchObject({
      scheduled_doses: 60,
      missed_doses: 24,
      extra_doses: 0,
      adherence_rate: 50,
    });
  });

  it('counts only the weekdays of the schedule', () => {
    // The 30 dates from Thursday 22 October to Friday 20 November 2026 hold five Thursdays and Fridays, and four of the others.
    const countOf = (days: (number | string)[]) =>
      adherence({ schedule: scheduleOf(1, days) }).scheduled_doses;
    expect([0, 1, 2, 3, 4, 5, 6].map((day) => countOf([day]))).toEqual([4, 4, 4, 4, 5, 5, 4]);
    expect(countOf([7, 'thu'])).toBe(9);
    expect(countOf(['mo', 'We', 'FRIDAY'])).toBe(13);
  });

  it('is never over 100, and names what was extra', () => {
    expect(adherence({ schedule: scheduleOf(1), logged: { taken: 31, skipped: 2 } })).toMatchObject({
      scheduled_doses: 30,
      missed_doses: 0,
      extra_doses: 1,
      adherence_rate: 100,
    });
  });

  it('counts a skipped dose as neither taken nor missed', () => {
    expect(adherence({ schedule: scheduleOf(1), logged: { taken: 10, skipped: 20 } })).toMatchObject({
      missed_doses: 0,
      adherence_rate: 33.3,
    });
  });

  it('is 0 where doses were due and none was logged', () => {
    expect(adherence({ schedule: scheduleOf(1) })).toMatchObject({ missed_doses: 30, adherence_rate: 0 });
  });

  it('is null since a start after which no dose was due', () => {
    // The medication starts today, a Friday, and its schedule names Mondays.
    const { adherence_rate, since_start } = adherence({ schedule: scheduleOf(1, ['mon']), startDay: 29 });
    expect(adherence_rate).toBe(0);
    expect(since_start).toEqual({
      start: '2026-11-20',
      scheduled_doses: 0,
      taken_doses: 0,
      adherence_rate: null,
    });
  });
});

describe('adherence since the start', () => {
  const facts = {
    startDay: 27,
    logged: { taken: 20, skipped: 5 },
    loggedSinceStart: { taken: 2, skipped: 1 },
  };

  it('counts what was due and taken from its date on', () => {
    expect(adherence({ ...facts, schedule: scheduleOf(1) }).since_start).toEqual({
      start: '2026-11-18',
      scheduled_doses: 3,
      taken_doses: 2,
      adherence_rate: 66.7,
    });
  });

  it('counts only the weekdays of the schedule', () => {
    // From Wednesday 18 to Friday 20 November 2026.
    const { since_start } = adherence({ ...facts, schedule: scheduleOf(2, ['mon', 'thu', 'fri']) });
    expect(since_start).toMatchObject({ scheduled_doses: 4, adherence_rate: 50 });
  });

  it('is taken divided by logged without a schedule', () => {
    expect(adherence(facts).since_start).toMatchObject({ scheduled_doses: null, adherence_rate: 66.7 });
  });
});
