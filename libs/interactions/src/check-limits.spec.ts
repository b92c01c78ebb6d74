import { compileSmallBase } from './__fixtures__/small-base';
import { createEngine } from './engine';

const letters = 'bcdfghjklm';
const inns = Array.from(
  { length: 300 },
  (_, i) => `drug${letters[Math.floor(i / 100)]}${letters[Math.floor(i / 10) % 10]}${letters[i % 10]}`,
);
const { base } = compileSmallBase({
  'ingredients/many.yaml': `ingredients:\n${inns.map((inn) => `  - { inn: ${inn}, tags: { sedating: [s1] } }`).join('\n')}\n`,
});
const engine = createEngine(base);
/** Thirty names of ten ingredients each. */
const LONG = Array.from({ length: 30 }, (_, i) => inns.slice(i * 10, i * 10 + 10).join('/'));

describe('a list with more ingredients than one check compares', () => {
  const results = engine.check({ medications: [...LONG, 'warfarin', 'Advil'] });
  const left = results.filter(({ rule_id }) => rule_id === 'too-many-ingredients');

  it('names each product that was left out, in the words of the contract', () => {
    expect(left).toHaveLength(11);
    const [first] = left;
    expect(LONG).toContain(first.medications[0]);
    expect(first).toEqual({
      kind: 'unrecognized',
      severity: 'unknown',
      action: 'be_aware',
      medications: [expect.any(String)],
      ingredients: [],
      summary: expect.stringContaining('not checked'),
      mechanism: expect.stringContaining('not checked'),
      management: expect.any(String),
      evidence: 'theoretical',
      sources: [],
      rule_id: 'too-many-ingredients',
      related_rules: [],
      matches: [],
      knowledge_version: base.version,
      lang: 'en',
      in_short: expect.objectContaining({
        lang: 'en',
        kind: expect.any(String),
        what_to_do: expect.any(String),
      }),
    });
    expect(new Set(results.flatMap(({ medications }) => medications)).size).toBe(LONG.length + 2);
  });

  it('checks ordinary names first', () => {
    expect(
      results.some(
        ({ rule_id, medications }) => rule_id === 'anticoagulant-nsaid' && medications.includes('Advil'),
      ),
    ).toBe(true);
    expect(left.flatMap(({ medications }) => medications)).not.toContain('warfarin');
  });

  it('gets the same answer in any order', () => {
    expect(engine.check({ medications: ['Advil', ...[...LONG].reverse(), 'warfarin'] })).toEqual(results);
  });

  it('is limited in the same way beside a new medicine, which is always checked', () => {
    const found = engine.checkNew({ name: LONG[0], medications: LONG.slice(1) });
    const outside = found.filter(({ rule_id }) => rule_id === 'too-many-ingredients');
    expect(outside).toHaveLength(9);
    expect(outside.flatMap(({ medications }) => medications)).not.toContain(LONG[0]);
  });
});

it('two hundred ingredients are within one check', () => {
  const medications = Array.from({ length: 100 }, (_, i) => inns.slice(i * 2, i * 2 + 2).join('/'));
  const ids = engine.check({ medications }).map(({ rule_id }) => rule_id);
  expect(ids).not.toContain('too-many-ingredients');
});
