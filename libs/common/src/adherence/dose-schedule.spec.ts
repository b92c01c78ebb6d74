import { readDoseSchedule } from './dose-schedule';

const NAMES = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];

const daysOf = (days: unknown[]) => {
  const schedule = readDoseSchedule({ times_per_day: 1, days_of_week: days });
  return typeof schedule === 'string' ? schedule : [...schedule.days];
};

describe('the days of a schedule', () => {
  it.each(NAMES.map((name, day): [string, number] => [name, day]))('know %s as %i', (name, day) => {
    const spellings = [name, name.slice(0, 3), name.slice(0, 2)];
    for (const spelling of spellings) {
      for (const form of [spelling, spelling.toLowerCase(), spelling.toUpperCase()]) {
        expect(daysOf([form])).toEqual([day]);
      }
    }
    expect(daysOf([day])).toEqual([day]);
  });

  it('know 7 as Sunday, and nothing beyond', () => {
    expect(daysOf([7])).toEqual([0]);
    for (const day of [
      -1,
      8,
      0.5,
      Number.NaN,
      Infinity,
      '1',
      '',
      's',
      'sund',
      'sundays',
      ' sun',
      null,
      {},
      [],
    ]) {
      expect(daysOf([day])).toMatch(/^must name days_of_week/);
    }
  });

  it.each([[[0, 7]], [[7, 'su']], [[1, 1]], [['mon', 'Monday']], [['Sa', 6]]])(
    'are named once: not %j',
    (days) => {
      expect(daysOf(days)).toMatch(/once/);
    },
  );

  it('are all seven where none is named', () => {
    for (const schedule of [{ times_per_day: 3 }, { times_per_day: 3, days_of_week: [] }]) {
      expect(readDoseSchedule(schedule)).toEqual({ timesPerDay: 3, days: new Set([0, 1, 2, 3, 4, 5, 6]) });
    }
  });
});

describe('a schedule', () => {
  it.each([1, 24])('takes %i times a day', (times) => {
    expect(readDoseSchedule({ times_per_day: times })).toMatchObject({ timesPerDay: times });
  });

  it.each([0, 25, -1, 1.5, Number.NaN, Infinity, '1', null, undefined, true, [1]])(
    'refuses %p times a day',
    (times) => {
      expect(readDoseSchedule({ times_per_day: times })).toMatch(/times_per_day/);
    },
  );

  it.each([null, [], 'daily', 3, true])('is no %p', (value) => {
    expect(readDoseSchedule(value)).toMatch(/object/);
  });

  it('holds nothing else', () => {
    expect(readDoseSchedule({ times_per_day: 1, timesPerDay: 1 })).toMatch(/nothing but/);
  });
});
