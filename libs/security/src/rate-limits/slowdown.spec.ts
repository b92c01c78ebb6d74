import { delayMsAfter } from './slowdown';

it.each([
  [0, 0],
  [999, 0],
  [1_000, 500],
  [1_999, 500],
  [2_000, 1_000],
  [4_000, 2_000],
  [16_000, 8_000],
  [10_000_000, 8_000],
])('after %i wrong tries with a budget of 1,000 a try waits %i ms', (failures, expected) => {
  expect(delayMsAfter(failures, 1_000)).toBe(expected);
});
