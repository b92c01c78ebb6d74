import { moved, timeMarks, zoomed } from './chart-time';

const DAY = 86_400;
const whole = { min: 0, max: 100 * DAY };

describe('the stretch of a chart', () => {
  it('is zoomed around its middle and stays within the whole', () => {
    expect(zoomed(whole, 0.5, whole)).toEqual({ min: 25 * DAY, max: 75 * DAY });
    expect(zoomed({ min: 0, max: 10 * DAY }, 4, whole)).toEqual({ min: 0, max: 40 * DAY });
    expect(zoomed({ min: 25 * DAY, max: 75 * DAY }, 9, whole)).toEqual(whole);
    expect(zoomed({ min: DAY, max: DAY + 60 }, 0.1, whole)).toEqual({
      min: DAY + 30 - 1800,
      max: DAY + 30 + 1800,
    });
  });

  it('is moved by a part of its length, up to the end', () => {
    expect(moved({ min: 0, max: 10 * DAY }, 0.5, whole)).toEqual({ min: 5 * DAY, max: 15 * DAY });
    expect(moved({ min: 85 * DAY, max: 95 * DAY }, 0.8, whole)).toEqual({ min: 90 * DAY, max: 100 * DAY });
    expect(moved({ min: 3 * DAY, max: 13 * DAY }, -1, whole)).toEqual({ min: 0, max: 10 * DAY });
  });
});

it.each([
  [3600, /\d:\d\d/],
  [DAY, /1/],
  [31 * DAY, /26/],
  [366 * DAY, /^2026$/],
])('marks %d seconds apart have the words for it', (step, expected) => {
  expect(timeMarks([Date.UTC(2026, 5, 1, 12) / 1000], step, 'en')[0]).toMatch(expected);
});
