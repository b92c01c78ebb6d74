import fc from 'fast-check';
import { editDistance, letterMask, tooFar } from './edit-distance';

/** The textbook algorithm with the complete table, as a reference. */
function slowDistance(a: string, b: string): number {
  const d = Array.from({ length: a.length + 1 }, (_, i) =>
    Array.from({ length: b.length + 1 }, (_, j) => (i === 0 ? j : j === 0 ? i : 0)),
  );
  for (let i = 1; i <= a.length; i++) {
    for (let j = 1; j <= b.length; j++) {
      d[i][j] = Math.min(d[i - 1][j] + 1, d[i][j - 1] + 1, d[i - 1][j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        d[i][j] = Math.min(d[i][j], d[i - 2][j - 2] + 1);
    }
  }
  return d[a.length][b.length];
}

const words = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 10 });

describe('editDistance', () => {
  it.each([
    ['ibuprofen', 'ibuprofin', 1],
    ['ibuprofen', 'ibuporfen', 1],
    ['ibuprofen', 'ibuprfen', 1],
    ['prednisone', 'prednisolone', 2],
    ['', 'ab', 2],
  ])('of %j and %j is %i', (a, b, expected) => {
    expect(editDistance(a, b, 3)).toBe(expected);
  });

  it('agrees with the plain algorithm up to the limit', () => {
    fc.assert(
      fc.property(words, words, fc.integer({ min: 0, max: 4 }), (a, b, limit) => {
        expect(editDistance(a, b, limit)).toBe(Math.min(slowDistance(a, b), limit + 1));
      }),
      { numRuns: 200 * Number(process.env.TEST_LONG ?? 1) },
    );
  });

  it('takes very long text as far', () => {
    expect(editDistance('a'.repeat(300), 'a'.repeat(301), 2)).toBe(3);
  });
});

describe('tooFar', () => {
  it('never rules out a pair that is near', () => {
    fc.assert(
      fc.property(words, words, (a, b) => {
        expect(tooFar(letterMask(a), letterMask(b), slowDistance(a, b))).toBe(false);
      }),
      { numRuns: 200 * Number(process.env.TEST_LONG ?? 1) },
    );
  });

  it('rules out strangers', () => {
    expect(tooFar(letterMask('warfarin'), letterMask('lithium'), 2)).toBe(true);
  });
});
