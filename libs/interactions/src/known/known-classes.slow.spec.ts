import { join } from 'node:path';
import { compileFiles } from '../build/compile-knowledge';
import { readKnowledgeFiles } from '../build/knowledge-reader';
import { createEngine } from '../engine';

const { base } = compileFiles(readKnowledgeFiles(join(__dirname, '..', '..', 'knowledge')));
const engine = createEngine(base);
const MAX_BYTES = 60_000;
const SIZE_OF_A_TEST = 300;

/** One name for each set of ingredients: all ingredients, all combinations, and the brands of the registers. */
const names = [
  ...new Map([
    ...(base.brands ?? []).map(({ i, n }): [string, string] => [i.join(), n.split('|')[0]]),
    ...base.combinations.map(({ ingredients, name }): [string, string] => [ingredients.join(), name]),
    ...base.ingredients.map(({ inn }, at): [string, string] => [String(at), inn]),
  ]).values(),
  ...(base.meanings ?? []).map(({ n }) => n),
];
const parts = Array.from({ length: Math.ceil(names.length / SIZE_OF_A_TEST) }, (_, at) =>
  names.slice(at * SIZE_OF_A_TEST, (at + 1) * SIZE_OF_A_TEST),
);

describe('everything known about one medicine', () => {
  it('is measured for the whole base', () => expect(names.length).toBeGreaterThan(3000));

  // German is the longest of the languages.
  it.each(parts.map((part) => [part[0], part]))('takes less than 60 kB: from %s on', (_, part) => {
    const sizes = part.map((name) => {
      const results = engine.checkNew({ name, dosage: '', language: 'de' });
      return [name, Buffer.byteLength(JSON.stringify(results))] as const;
    });
    expect(sizes.filter(([, bytes]) => bytes >= MAX_BYTES)).toEqual([]);
  });

  it.each(['Paxlovid', 'Dalmacol'])('about %s takes less than 60 kB in every language', (name) => {
    for (const language of ['en', 'de', 'es']) {
      const results = engine.checkNew({ name, dosage: '', language });
      expect(results.length).toBeGreaterThan(5);
      expect(Buffer.byteLength(JSON.stringify(results))).toBeLessThan(MAX_BYTES);
    }
  });
});
