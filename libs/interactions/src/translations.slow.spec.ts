import { compileWholeBase } from './__fixtures__/whole-base';
import { editionOf } from './edition';
import { createEngine } from './engine';
import { TRANSLATED } from './build/translations';
import { LANGUAGES } from './texts/language';

const { base } = compileWholeBase();
const statements = [
  ...base.rules.filter(({ severity }) => severity !== 'none'),
  ...base.duplicates,
  ...base.doses,
  ...base.species.filter(({ severity }) => severity !== 'none'),
  ...(base.burdens ?? []),
  ...(base.sums ?? []),
  ...(base.cautions ?? []),
];

/** Words that a German or a Spanish sentence does not hold. */
const ENGLISH: Record<string, RegExp> = {
  de: /(?<!\p{L})(?:the|and|with|of|or|is|are|ask|doctor|both|raises|lowers|blocks|from)(?!\p{L})/iu,
  es: /(?<!\p{L})(?:the|and|with|of|or|is|are|ask|both|raises|lowers|blocks|from)(?!\p{L})/iu,
};

const LIST = [
  'Coumadin',
  'Advil',
  'warfrin',
  'qqqq',
  'simvastatin',
  'grapefruit juice',
  'co-codamol 9 a day',
];
const PERSON = { age: 7, pregnant: true, conditions: ['asthma', 'nosuch'], allergies: ['penicillin'] };
const whole = createEngine(base);

it('says why others are named in the language of the sentence before', () => {
  const untranslated = createEngine({ ...base, translated: undefined });
  const request = { medications: ['sertraline', 'mirtazapine'], person: { age: 70 }, language: 'de' };
  const caution = (engine: typeof whole) =>
    engine.check(request).find(({ rule_id }) => rule_id === 'person-old-sodium');
  expect(caution(whole)).toMatchObject({ lang: 'de', summary: expect.stringContaining('Aus demselben') as string });
  expect(caution(untranslated)).toMatchObject({ lang: 'en', summary: expect.stringContaining('For the same') as string });
}); // prettier-ignore

describe.each(LANGUAGES)('the edition in %s', (language) => {
  const edition = editionOf(base, language);
  const engine = createEngine(edition);

  it('finds and says the same as the whole base', () => {
    const request = { medications: LIST, language, person: PERSON };
    expect(engine.check(request)).toEqual(whole.check(request));
    const added = { name: 'Coumadin', dosage: '90 mg a day', language };
    expect(engine.checkNew(added)).toEqual(whole.checkNew(added));
    expect(
      engine.check(request).filter(({ lang, in_short }) => lang !== language || in_short.lang !== lang),
    ).toEqual([]);
  });

  it('holds no other language, and says so where another one is asked for', () => {
    expect(edition).toMatchObject({ language });
    expect(Object.keys(edition.phrases ?? {})).toEqual([language]);
    expect(edition.translated).toBeUndefined();
    for (const other of LANGUAGES)
      expect(engine.check({ medications: LIST, language: other }).map(({ lang }) => lang)).toEqual(
        engine.check({ medications: LIST }).map(() => language),
      );
  });
});

describe.each(TRANSLATED)('what a family reads in %s', (language) => {
  const inLanguage = (position: number): string | undefined =>
    base.translated?.[language]?.[position] || undefined;

  it('is whole: summary, mechanism and advice of every statement', () => {
    const missing = statements.filter(({ summary = 0, mechanism = 0, management = 0 }) =>
      [summary, mechanism, management].some((position) => inLanguage(position) === undefined),
    );
    expect(missing.map(({ id }) => id)).toEqual([]);
  });

  it('holds no English words', () => {
    const texts = [...(base.translated?.[language] ?? []), ...Object.values(base.phrases?.[language] ?? {})];
    const mixed = texts.filter((text) => ENGLISH[language].test(text.replace(/\{[ab]\}/g, '')));
    expect(mixed).toEqual([]);
  });

  it('has a name for every illness and allergy', () => {
    expect((base.facts ?? []).filter(({ n }) => !n[language]?.length).map(({ id }) => id)).toEqual([]);
  });

  it('has every text of the engine', () => {
    const ids = (of: (typeof LANGUAGES)[number]): string[] =>
      Object.keys(base.phrases?.[of] ?? {}).filter((id) => !/\.(?:summary|mechanism|management)$/.test(id));
    expect(ids('en').filter((id) => !ids(language).includes(id))).toEqual([]);
  });
});
