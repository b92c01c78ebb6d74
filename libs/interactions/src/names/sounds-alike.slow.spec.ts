import { compileWholeBase } from '../__fixtures__/whole-base';
import { createEngine } from '../engine';
import { fold, squash } from './fold';
import { stemOf } from './national-spelling';

const { base } = compileWholeBase();
const engine = createEngine(base);
const read = (name: string): string[] => engine.resolve({ medications: [name] })[0].ingredients;

describe('a brand that is written as it sounds', () => {
  it.each([
    ['flagil', ['metronidazole']],
    ['Advaire', ['fluticasone', 'salmeterol']],
    ['zirtec', ['cetirizine']],
  ])('%s is read as that brand', (name, ingredients) => {
    expect(read(name).sort()).toEqual(ingredients);
  });

  it('says that it was corrected', () => {
    const kinds = engine.check({ medications: ['flagil'] }).map(({ kind }) => kind);
    expect(kinds).toContain('name_assumed');
  });

  it.each(['adderal', 'inderal'])('%s is not read as its look-alike', (name) => {
    expect(read(name).includes('propranolol')).toBe(name === 'inderal');
  });
});

it.each(['Mediator', 'Tryptyr', 'Jascayd', 'Modeyso', 'Acomplia', 'Aqneursa', 'Brinsupri'])(
  'knows %s, which is new or withdrawn',
  (name) => expect(read(name)).toHaveLength(1),
);

it('completes names of the whole base, and every one that it offers is read as it says', () => {
  const offered = ['metf', 'Gluc', 'ibu', 'lev', 'ÉFF', 'asp', 'dolo', 'co'].flatMap((text) =>
    engine.namesBeginning({ text }),
  );
  expect(offered.length).toBeGreaterThan(30);
  for (const { name, ingredients } of offered)
    if (ingredients.length > 0) expect([name, read(name).sort()]).toEqual([name, [...ingredients].sort()]);
});

describe('a brand that countries use for different things', () => {
  it.each([
    ['Tulip', 'atorvastatin'],
    ['Buscopan Compositum', 'paracetamol'],
    ['Nepresol', 'hydralazine'],
    ['Colchimax 1 mg', 'dicycloverine'],
    ['Tradol', 'paracetamol'],
    ['Candid-B cream', 'beclometasone'],
    ['Mu-Se', 'selenium'],
    ['Retacrit', 'epoetin zeta'],
  ])('asks which one %s is, and checks %s too', (name, ingredient) => {
    expect(read(name)).toContain(ingredient);
    const kinds = engine.check({ medications: [name] }).map(({ kind }) => kind);
    expect(kinds).toContain('name_assumed');
  });
});

describe('a name in the spelling of another language', () => {
  // A part of the base, since each name takes some milliseconds.
  const names = base.ingredients.map(({ inn }) => inn).filter((inn) => /^[a-z]{7,}$/.test(inn));
  const some = names.filter((_, index) => index % 3 === 0);
  const sounds: [RegExp, string][] = [
    [/th/g, 't'],
    [/ph/g, 'f'],
  ];
  /** Usual endings. Source: WHO, lists of INNs in Latin, English, French and Spanish. */
  const languages: Record<string, [RegExp, string][]> = {
    German: [[/(in|id|at|on|ol|it|an)e$/, '$1']],
    Spanish: [
      [/(in|id|on)e$/, '$1a'],
      [/ate$/, 'ato'],
      [/ole$/, 'ol'],
      [/(en|am|il)$/, '$1o'],
      [/y/g, 'i'],
      ...sounds,
    ],
    Italian: [[/(in|id)e$/, '$1a'], [/ate$/, 'ato'], [/(ol|am|en)e?$/, '$1o'], [/y/g, 'i'], ...sounds],
    Polish: [[/ine$/, 'ina'], [/(id|at|on|ol)e$/, '$1'], [/c(?=[aou])/g, 'k'], ...sounds],
  };

  it.each(Object.entries(languages))('counts as no misspelling, and as no other name: %s', (_, rules) => {
    const inLanguage = (inn: string) =>
      rules.reduce((text, [sound, national]) => text.replace(sound, national), inn);
    const forms = some.map((inn) => [inn, inLanguage(inn)]).filter(([inn, form]) => form !== inn);
    expect(forms.length).toBeGreaterThan(300);
    const read = engine.resolve({ medications: forms.slice(0, 100).map(([, form]) => form) });
    for (let from = 100; from < forms.length; from += 100)
      read.push(...engine.resolve({ medications: forms.slice(from, from + 100).map(([, form]) => form) }));
    const wrong = read.filter(
      ({ ingredients, confidence }, index) => confidence === 1 && !ingredients.includes(forms[index][0]),
    );
    expect(wrong).toEqual([]);
    // Some names differ in their middle, too.
    const corrected = read.filter(({ method }) => method === 'spelling');
    expect(corrected.length).toBeLessThan(forms.length / 100);
  });
});

describe('a spelling that two medicines could have', () => {
  const endings = ['', 'a', 'e', 'o', 'um'];
  const namesOf = (aliases: readonly (string | { name: string })[] = []): string[] =>
    aliases.map((alias) => (typeof alias === 'string' ? alias : alias.name));
  const named: [string[], readonly number[]][] = [
    ...base.ingredients.map(({ inn, usan, synonyms, brands }, at): [string[], number[]] => [
      [inn, ...(usan ? [usan] : []), ...namesOf(synonyms), ...namesOf(brands)],
      [at],
    ]),
    ...base.combinations.map(({ name, synonyms, brands, ingredients }): [string[], readonly number[]] => [
      [name, ...namesOf(synonyms), ...namesOf(brands)],
      ingredients,
    ]),
    ...(base.brands ?? []).map(({ n, i }): [string[], readonly number[]] => [n.split('|'), i]),
  ];
  const owners = new Map<string, Set<string>>();
  const known = new Set<string>();
  for (const [names, ingredients] of named) {
    for (const key of names.map((name) => squash(fold(name)))) {
      known.add(key);
      owners.set(stemOf(key), (owners.get(stemOf(key)) ?? new Set()).add(ingredients.join()));
    }
  }

  it('is never read without a remark, over all names of the base', () => {
    const written = base.ingredients
      .map(({ inn }) => squash(fold(inn)))
      .filter((key) => (owners.get(stemOf(key))?.size ?? 0) > 1)
      .flatMap((key) => endings.map((ending) => stemOf(key) + ending))
      .filter((name) => !known.has(name) && /^[a-z]{5,}$/.test(name));
    const inSilence = written.filter((name) => {
      const [{ ingredients, method }] = engine.resolve({ medications: [name] });
      return ingredients.length > 0 && method !== 'spelling';
    });
    expect(written).toEqual(expect.arrayContaining(['lantan', 'holia']));
    expect(inSilence).toEqual([]);
  });
});
