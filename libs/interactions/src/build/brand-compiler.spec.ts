import { compileSmallBase } from '../__fixtures__/small-base';
import { createEngine } from '../engine';

const table = (country: string, ...lines: string[]): string =>
  [`# country: ${country}`, '# source: a register', ...lines, ''].join('\n');

function engineOf(files: Record<string, string>) {
  const { base, problems } = compileSmallBase(files);
  expect(problems).toEqual([]);
  const engine = createEngine(base);
  return (name: string) => engine.resolve({ medications: [name] })[0];
}

describe('brand files', () => {
  it('add brands, combinations, and where they act', () => {
    const resolve = engineOf({
      'brands/fr.tsv': table(
        'FR',
        'ibuprofen\t\tFrancoprofene|Petitprofene',
        'ibuprofen + oxycodone\t\tDuoforte',
      ),
    });
    expect(resolve('Petitprofene 200 mg')).toMatchObject({
      ingredients: ['ibuprofen'],
      method: 'brand',
      confidence: 1,
    });
    expect(resolve('Duoforte').ingredients.sort()).toEqual(['ibuprofen', 'oxycodone']);
  });

  it('say of a brand with an unknown part that it was not checked completely', () => {
    const resolve = engineOf({ 'brands/fr.tsv': table('FR', 'ibuprofen + ?\t\tMelanforte') });
    expect(resolve('Melanforte')).toMatchObject({ ingredients: ['ibuprofen'], confidence: 0.5 });
  });

  it('give a brand of different content in two countries both meanings', () => {
    const resolve = engineOf({
      'brands/fr.tsv': table('FR', 'ibuprofen\t\tDoloran'),
      'brands/pl.tsv': table('PL', 'simvastatin\t\tDoloran'),
    });
    expect(resolve('Doloran').meanings).toEqual([
      { ingredients: ['ibuprofen'], countries: ['FR'] },
      { ingredients: ['simvastatin'], countries: ['PL'] },
    ]);
  });

  it('keep a reviewed brand, and show what else it is abroad', () => {
    const resolve = engineOf({
      'brands/fr.tsv': table('FR', 'simvastatin\t\tAdvil', 'ibuprofen + oxycodone\t\tTylenol'),
    });
    expect(resolve('Advil').meanings).toEqual([
      { ingredients: ['ibuprofen'], countries: [] },
      { ingredients: ['simvastatin'], countries: ['FR'] },
    ]);
  });

  it('never give a generic name another meaning', () => {
    const resolve = engineOf({ 'brands/fr.tsv': table('FR', 'simvastatin\t\tIbuprofen') });
    expect(resolve('ibuprofen')).toMatchObject({ ingredients: ['ibuprofen'], confidence: 1 });
  });

  it('show the generic name that a brand is one letter away from', () => {
    const resolve = engineOf({ 'brands/fr.tsv': table('FR', 'simvastatin\t\tIbuprofan') });
    expect(resolve('Ibuprofan').ingredients.sort()).toEqual(['ibuprofen', 'simvastatin']);
    expect(resolve('Ibuprofan').confidence).toBe(0.5);
  });

  it('leave out words that stand behind many names', () => {
    const resolve = engineOf({
      'brands/fr.tsv': table('FR', 'ibuprofen\t\tAaa Relax|Bbb Relax|Ccc Relax', 'simvastatin\t\tRelax'),
    });
    expect(resolve('Relax').ingredients).toEqual([]);
  });

  it('count only at the beginning of a name', () => {
    const resolve = engineOf({ 'brands/fr.tsv': table('FR', 'simvastatin\t\tLunara') });
    expect(resolve('Advil Lunara')).toMatchObject({ ingredients: ['ibuprofen'], confidence: 0.5 });
    expect(resolve('Advil + Lunara').ingredients.sort()).toEqual(['ibuprofen', 'simvastatin']);
  });

  it('never take away what the words of a name say', () => {
    const resolve = engineOf({
      'brands/us.tsv': table(
        'US',
        'ibuprofen\t\tIbuprofen and Simvastatin',
        'ibuprofen + simvastatin\t\tIbuprofen Extra|Advil Extra',
      ),
    });
    expect(resolve('ibuprofen and simvastatin').ingredients.sort()).toEqual(['ibuprofen', 'simvastatin']);
    expect(resolve('Ibuprofen Extra').ingredients.sort()).toEqual(['ibuprofen', 'simvastatin']);
    expect(resolve('Advil Extra').ingredients.sort()).toEqual(['ibuprofen', 'simvastatin']);
  });

  it('ask about a reviewed brand with a strength that is another medicine abroad', () => {
    const resolve = engineOf({ 'brands/my.tsv': table('MY', 'simvastatin\t\tAdvil 20') });
    expect(resolve('Advil 20').meanings).toEqual([
      { ingredients: ['ibuprofen'], countries: [] },
      { ingredients: ['simvastatin'], countries: ['MY'] },
    ]);
  });

  it('ask about a food that is a medicine abroad, and about a generic name in another spelling', () => {
    const resolve = engineOf({
      'brands/jp.tsv': table('JP', 'simvastatin\t\tGrapefruit|Lithiume'),
    });
    expect(resolve('Grapefruit').meanings).toHaveLength(2);
    expect(resolve('Lithiume').ingredients.sort()).toEqual(['lithium', 'simvastatin']);
  });

  it('ask where two contents share a part and each has another one', () => {
    const resolve = engineOf({
      'brands/fr.tsv': table('FR', 'paracetamol + ibuprofen\t\tPercocet|Tylenol'),
    });
    expect(resolve('Percocet').meanings).toHaveLength(2);
    expect(resolve('Tylenol').ingredients).toEqual(['paracetamol']);
  });

  it('say of a short name that only one country is known to use it', () => {
    const { base } = compileSmallBase({
      'brands/br.tsv': table('BR', 'simvastatin\t\tLunar|Lunarasa|Marena'),
      'brands/fr.tsv': table('FR', 'simvastatin\t\tMarena'),
      'brands/eu.tsv': table('EU', 'simvastatin\t\tEuron'),
    });
    const engine = createEngine(base);
    const said = (name: string) =>
      engine.check({ medications: [name] }).map(({ kind, rule_id }) => [kind, rule_id]);
    expect(said('Lunar 20 mg')).toEqual([['name_assumed', 'name-assumed-one-country']]);
    for (const name of ['Lunarasa', 'Marena', 'Euron']) expect(said(name)).toEqual([]);
  });

  it('say so, too, where another country uses the name for something unknown', () => {
    const { base, problems } = compileSmallBase({
      'brands/br.tsv': table('BR', '?\t\tLunarasa|Nothingelse'),
      'brands/de.tsv': table('DE', 'simvastatin\t\tLunarasa'),
    });
    expect(problems).toEqual([]);
    const engine = createEngine(base);
    expect(engine.check({ medications: ['Lunarasa'] })).toMatchObject([
      { kind: 'name_assumed', rule_id: 'name-assumed-one-country' },
    ]);
    expect(engine.check({ medications: ['Nothingelse'] })).toMatchObject([{ kind: 'unrecognized' }]);
  });

  it('are not sure before the generic name of another medicine: they may be makers', () => {
    const { base } = compileSmallBase({
      'brands/my.tsv': table('MY', 'simvastatin\t\tRoycemaker', 'ibuprofen\t\tIbumaker'),
    });
    const engine = createEngine(base);
    const kinds = (name: string) => engine.check({ medications: [name] }).map(({ kind }) => kind);
    expect(kinds('Roycemaker ibuprofen')).toEqual(['unrecognized']);
    expect(kinds('Roycemaker + lithium')).toEqual([]);
    expect(kinds('Ibumaker ibuprofen')).toEqual([]);
  });

  it.each([
    [
      'an unknown ingredient',
      'ibuprofene\t\tX',
      /brands\/fr\.tsv:3: brands: unknown ingredient 'ibuprofene' \(did you mean 'ibuprofen'\?\)/,
    ],
    ['a route that is not local', 'ibuprofen\toral\tX', /'oral' is no local route/],
    ['a line without brands', 'ibuprofen', /a line has ingredients, a route and brands/],
  ])('are refused with %s', (_, line, message) => {
    const { problems } = compileSmallBase({ 'brands/fr.tsv': table('FR', line) });
    expect(problems.join('\n')).toMatch(message);
  });
});

describe('names with several meanings', () => {
  it('are written by hand where no register has them', () => {
    const resolve = engineOf({
      'meanings.yaml': `
meanings:
  - name: Doloran
    meanings:
      - { ingredients: [ibuprofen], countries: [IT] }
      - { ingredients: [simvastatin], countries: [DE, AT] }
`,
    });
    expect(resolve('Doloran').meanings).toHaveLength(2);
  });

  it('are refused with one meaning, an unknown ingredient or a wrong country', () => {
    const { problems } = compileSmallBase({
      'meanings.yaml': `
meanings:
  - name: Doloran
    meanings:
      - { ingredients: [ibuprofene], countries: [Italy] }
`,
    });
    expect(problems.join('\n')).toMatch(/needs two meanings or more/);
    expect(problems.join('\n')).toMatch(/unknown ingredient 'ibuprofene'/);
    expect(problems.join('\n')).toMatch(/codes of two capitals/);
  });
});
