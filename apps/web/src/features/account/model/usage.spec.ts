import { fullnessOf } from './usage';

const used = (records: number, bytes: number) =>
  fullnessOf({ records, maxRecords: 1000, bytes, maxBytes: 10_000 });

it('is as full as the fuller of records and bytes', () => {
  expect(used(100, 2_000)).toEqual({ share: 0.2, state: 'fine' });
  expect(used(500, 2_000).share).toBe(0.5);
});

it.each([
  [799, 0, 'fine'],
  [800, 0, 'near'],
  [0, 8_000, 'near'],
  [999, 9_999, 'near'],
  [1000, 0, 'full'],
  [0, 12_000, 'full'],
])('tells the person from four fifths on: %i records, %i bytes are %s', (records, bytes, state) => {
  expect(used(records, bytes).state).toBe(state);
});
