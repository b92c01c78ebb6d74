import fc from 'fast-check';
import { frame, MIN_FRAME_BYTES, paddedLength, unframe } from './padding';

it('returns every content, from a frame that hides its length', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 5000 }), (content) => {
      const framed = frame(content);
      expect(Array.from(unframe(framed)!.content)).toEqual(Array.from(content));
      expect(framed.length).toBe(paddedLength(content.length + 5));
    }),
    { numRuns: 200 },
  );
});

it('grows with the content, by 12 % at most beyond the least', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 2 ** 30 }), (length) => {
      const padded = paddedLength(length);
      expect(padded).toBeGreaterThanOrEqual(Math.max(length, MIN_FRAME_BYTES));
      expect(padded).toBeLessThanOrEqual(Math.max(length * 1.12, MIN_FRAME_BYTES));
      expect(paddedLength(padded)).toBe(padded);
      expect(paddedLength(length + 1)).toBeGreaterThanOrEqual(padded);
    }),
  );
});

it('refuses whatever is not exactly a frame', () => {
  const good = frame(Uint8Array.of(1, 2, 3));
  const change = (at: number, value: number) => {
    const copy = Uint8Array.from(good);
    copy[at] = value;
    return copy;
  };
  const longer = new Uint8Array(512);
  longer.set(good);
  for (const bad of [
    new Uint8Array(0),
    good.subarray(0, 255),
    longer,
    change(0, 0),
    change(0, 2),
    change(1, 255),
    change(4, 252),
    change(4, 2),
    change(255, 1),
  ]) {
    expect(unframe(bad)).toBeUndefined();
  }
});

it('reads a frame that lies inside of a larger buffer', () => {
  const buffer = new Uint8Array(300);
  buffer.set(frame(Uint8Array.of(7)), 40);
  expect(Array.from(unframe(buffer.subarray(40, 296))!.content)).toEqual([7]);
});
