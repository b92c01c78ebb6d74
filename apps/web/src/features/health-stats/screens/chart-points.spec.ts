import { lonePoints } from './chart-points';

describe('the points of a chart with many readings', () => {
  it('are those that no line shows', () => {
    expect(lonePoints([1, null, 2, 3, null, 4, undefined, 5])).toEqual([0, 5, 7]);
    expect(lonePoints([1, 2, 3])).toEqual([]);
    expect(lonePoints([])).toEqual([]);
  });
});
