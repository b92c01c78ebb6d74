import { compileWholeBase } from '../__fixtures__/whole-base';
import { createEngine } from '../engine';

const { base } = compileWholeBase();
const engine = createEngine(base);
const MAX_BYTES = 64_000;
const SIZE_OF_A_TEST = 100;

/** So many different ingredients, at least: their answers are the longest. */
const LEAST_INGREDIENTS = 4;

/** One name for each large set of ingredients, of combinations and of brands of the registers. */
const names = [
  ...new Map(
    [
      ...(base.brands ?? []).map(({ i, n }): [number[], string] => [i, n.split('|')[0]]),
      ...base.combinations.map(({ ingredients, name }): [number[], string] => [ingredients, name]),
    ]
      .filter(([ingredients]) => ingredients.length >= LEAST_INGREDIENTS)
      .map(([ingredients, name]): [string, string] => [ingredients.join(), name]),
  ).values(),
];
const parts = Array.from({ length: Math.ceil(names.length / SIZE_OF_A_TEST) }, (_, at) =>
  names.slice(at * SIZE_OF_A_TEST, (at + 1) * SIZE_OF_A_TEST),
);

describe('everything known about one medicine', () => {
  it('is measured for all large combinations', () => expect(names.length).toBeGreaterThan(200));

  // German is the longest of the languages.
  it.each(parts.map((part) => [part[0], part]))('takes less than 64 kB: from %s on', (_, part) => {
    const sizes = part.map((name) => {
      const results = engine.checkNew({ name, dosage: '', language: 'de' });
      return [name, Buffer.byteLength(JSON.stringify(results))] as const;
    });
    expect(sizes.filter(([, bytes]) => bytes >= MAX_BYTES)).toEqual([]);
  });

  it.each(['Paxlovid', 'Dalmacol', 'Coristina D', 'Coumadin', 'carbamazepine', 'ciclosporin'])(
    'about %s takes less than 64 kB in every language',
    (name) => {
      for (const language of ['en', 'de', 'es']) {
        const results = engine.checkNew({ name, dosage: '', language });
        expect(results.length).toBeGreaterThan(5);
        expect(Buffer.byteLength(JSON.stringify(results))).toBeLessThan(MAX_BYTES);
      }
    },
  );
});
