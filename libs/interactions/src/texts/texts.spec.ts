import { compileSmallBase, smallBase } from '../__fixtures__/small-base';
import { createEngine } from '../engine';
import { RESULT_KINDS, type InteractionResult } from '../types';
import { fillIn } from './fill-in';
import { LANGUAGES, languageOf } from './language';
import { TEXT_IDS } from './text-ids';

const base = smallBase();
const engine = createEngine(base);
const medications = ['Coumadin', 'Advil', 'qqqq', 'warfrin', 'Tylenol'];
const inLanguage = (language?: string): InteractionResult[] => engine.check({ medications, language });

describe('the texts of a finding', () => {
  it('are in English without a language, and for a language that there is not', () => {
    expect(inLanguage('fr')).toEqual(inLanguage());
    for (const { lang, in_short } of inLanguage()) expect([lang, in_short.lang]).toEqual(['en', 'en']);
  });

  it.each([
    ['de', 'Wechselwirkung', 'Coumadin (warfarin) und Advil (ibuprofen)'],
    ['es', 'interacción', 'Coumadin (warfarin) y Advil (ibuprofen)'],
  ])('are in %s as far as they are translated, and say so', (language, kind, names) => {
    const results = inLanguage(language);
    const pair = results.find(({ rule_id }) => rule_id === 'anticoagulant-nsaid')!;
    expect(pair).toMatchObject({ lang: 'en', summary: 'Taking warfarin with ibuprofen can harm.' });
    expect(pair.in_short).toMatchObject({ lang: language, kind });
    expect(pair.in_short.what_to_do).toContain(names);
    const unknown = results.find(({ kind: own }) => own === 'unrecognized')!;
    expect(unknown).toMatchObject({ lang: language, in_short: { lang: language } });
    expect(unknown.summary).not.toBe(
      inLanguage('en').find(({ kind: own }) => own === 'unrecognized')!.summary,
    );
  });

  it('are in English where the sentence on what to do is not translated', () => {
    const german = { ...base.phrases?.de };
    delete german['do.interaction.major.avoid'];
    const incomplete = createEngine({ ...base, phrases: { ...base.phrases, de: german } });
    const [pair] = incomplete.check({ medications: ['warfarin', 'ibuprofen'], language: 'de' });
    expect(pair.in_short).toEqual(engine.check({ medications: ['warfarin', 'ibuprofen'] })[0].in_short);
  });

  it('change nothing but the words', () => {
    const bare = (results: InteractionResult[]): object[] =>
      results.map(({ lang: _l, in_short: _i, summary: _s, mechanism: _m, management: _g, ...rest }) => rest);
    for (const language of LANGUAGES) expect(bare(inLanguage(language))).toEqual(bare(inLanguage()));
  });

  it('of a rule can be translated, all three or none', () => {
    const translated = (parts: string[]): InteractionResult => {
      const entries = parts.map((part) => `  - { id: anticoagulant-nsaid.${part}, de: "Satz mit {a}." }`);
      const { base: changed, problems } = compileSmallBase({
        'texts/more.yaml': `texts:\n${entries.join('\n')}\n`,
      });
      expect(problems).toEqual([]);
      return createEngine(changed).check({ medications: ['warfarin', 'ibuprofen'], language: 'de' })[0];
    };
    expect(translated(['summary', 'mechanism', 'management'])).toMatchObject({
      lang: 'de',
      summary: 'Satz mit Warfarin.',
    });
    expect(translated(['summary', 'mechanism'])).toMatchObject({
      lang: 'en',
      summary: 'Taking warfarin with ibuprofen can harm.',
    });
  });

  it('of one rule can say what to do', () => {
    const { base: changed } = compileSmallBase({
      'texts/more.yaml': `texts:\n  - { id: do.anticoagulant-nsaid, en: "Stop {b}.", de: "Ohne {b}.", es: "Sin {b}." }\n`,
    });
    const [result] = createEngine(changed).check({ medications: ['warfarin', 'ibuprofen'], language: 'es' });
    expect(result.in_short.what_to_do).toBe('Sin ibuprofen.');
  });

  it('show both common names, and the name as typed', () => {
    const cat = engine.check({ medications: ['Tylenol 500 mg'], species: 'cat' });
    expect(cat[0].summary).toBe('Never give paracetamol (acetaminophen) to a cat.');
    expect(cat[0].in_short.what_to_do).toMatch(/^Do not give Tylenol 500 mg \(paracetamol, acetaminophen\);/);
    const long = engine.check({ medications: [`acetaminophen${' '.repeat(60)}(x)`], species: 'cat' });
    expect(long.map(({ in_short }) => in_short.what_to_do).join(' ')).toContain(
      'paracetamol (acetaminophen)',
    );
  });
});

describe('the table of texts', () => {
  it.each(LANGUAGES)('holds every text in %s', (language) => {
    expect(Object.keys(base.phrases?.[language] ?? {}).filter((id) => !TEXT_IDS.includes(id))).toEqual(
      expect.arrayContaining(['do.interaction.contraindicated']),
    );
    for (const id of TEXT_IDS) expect([id, base.phrases?.[language]?.[id]]).toEqual([id, expect.any(String)]);
  });

  it('has one sentence on what to do for every kind', () => {
    for (const kind of RESULT_KINDS) expect(base.phrases?.en?.[`do.${kind}`]).toMatch(/^[A-Z{][^.?!]*[.]$/);
  });

  it.each([
    ['  - { id: do.no-such-thing, en: A., de: B., es: C. }', 'no text of the engine'],
    ['  - { id: do.food.moderate, en: A., de: B. }', `'es' is missing`],
    ['  - { id: do.food.minor, en: A. B., de: B., es: C. }', 'must have 1'],
    ['  - { id: anticoagulant-nsaid.summary, en: A., de: B. }', `'en' is in the statement`],
    ['  - { id: kind.food, en: A, de: B, es: C }', 'this id exists already'],
    ['  - { id: do.food.minor, en: A., de: B., es: C., fr: D. }', `unknown field 'fr'`],
  ])('refuses %s', (entry, complaint) => {
    const { problems } = compileSmallBase({ 'texts/more.yaml': `texts:\n${entry}\n` });
    expect(problems.join('\n')).toContain(complaint);
  });

  it('is needed by the engine', () => {
    expect(() => createEngine({ ...base, phrases: undefined })).toThrow(/no text 'kind\.interaction'/);
  });
});

it.each([
  [undefined, 'en'],
  ['de', 'de'],
  ['de-AT', 'de'],
  ['ES', 'es'],
  ['fr', 'en'],
  ['den', 'en'],
  ['', 'en'],
])('languageOf %j is %s', (code, language) => expect(languageOf(code)).toBe(language));

it.each([
  ['{a} is. {b} is, {a} is.', 'Aspirin is. Lithium is, aspirin is.'],
  ['With {b}! {a}', 'With lithium! Aspirin'],
])('fillIn begins a sentence with a capital: %j', (text, filled) =>
  expect(fillIn(text, 'aspirin', 'lithium')).toBe(filled),
);
