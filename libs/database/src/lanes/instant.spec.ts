import { instantOf } from './instant';

const FROM = Date.UTC(0, 0) - 1900 * 366 * 86_400_000;
const TO = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

function inBinary(ms: number, microseconds: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigInt64BE(BigInt(ms - Date.UTC(2000, 0)) * 1000n + BigInt(microseconds));
  return bytes;
}

describe('an instant in binary', () => {
  it.each([
    '0001-01-01T00:00:00.000Z',
    '1899-12-31T23:59:59.999Z',
    '1969-12-31T23:59:59.999Z',
    '1999-12-31T23:59:59.999Z',
    '2000-01-01T00:00:00.000Z',
    '2026-11-20T24:00:00.000Z',
    '4284-06-30T00:00:00.001Z',
    '7000-01-01T00:00:00.002Z',
    '9999-12-31T23:59:59.999Z',
  ])('%s is the text that Date has', (text) => {
    const ms = Date.parse(text);
    for (const microseconds of [0, 1, 500, 999])
      expect(instantOf(inBinary(ms, microseconds), 0)).toBe(new Date(ms).toISOString());
  });

  it('is exact to the millisecond in all years', () => {
    for (let count = 0; count < 100_000; count++) {
      const ms = Math.floor(FROM + Math.random() * (TO - FROM));
      const text = instantOf(inBinary(ms, count % 1000), 0);
      if (text !== new Date(ms).toISOString()) throw new Error(`${ms} became ${text}`);
    }
  });

  it.each([
    ['infinity', 2n ** 63n - 1n],
    ['-infinity', -(2n ** 63n)],
  ])('that is %s has no text', (_, microseconds) => {
    const bytes = Buffer.alloc(8);
    bytes.writeBigInt64BE(microseconds);
    expect(() => instantOf(bytes, 0)).toThrow(RangeError);
  });
});
