import { compileSmallBase } from '../__fixtures__/small-base';
import { createEngine } from '../engine';

const { base, problems } = compileSmallBase({
  'strengths/all.yaml': `
strengths:
  - names: [Percocet]
    pieces: [{ oxycodone: 5, paracetamol: 325 }, { oxycodone: 10, paracetamol: 650 }]
    sources: [s1]
`,
  'doses/patches.yaml': `
doses:
  - id: patch-oxycodone
    ingredient: oxycodone
    patch: { at_a_time: 1, per_week: 3.5 }
    severity: major
    action: adjust_dose
    evidence: established
    summary: Too many patches of {a}.
    mechanism: One thing happens. Another follows.
    management: Ask a doctor. Then wait.
    sources: [s1, s2]
    reviewed: 2026-11-20
`,
});
const engine = createEngine(base);
const found = (name: string, dosage: string, medications: string[] = []) =>
  engine
    .checkNew({ name, dosage, medications })
    .filter(({ kind }) => kind === 'dose_ceiling' || kind === 'dose_unchecked')
    .map(({ rule_id, ingredients }) => `${rule_id}: ${ingredients.join()}`);

it('compiles strengths', () => expect(problems).toEqual([]));

describe('a dosage in pieces', () => {
  it.each([
    ['exceeds with the smallest strength', '13 tablets a day', ['paracetamol-daily: paracetamol']],
    [
      'is not checked when it exceeds only with the largest',
      '8 tablets a day',
      ['dose-strength-unknown: paracetamol'],
    ],
    ['is within with every strength', '2 tablets twice a day', []],
  ])('%s', (_, dosage, expected) => {
    expect(found('Percocet', dosage).filter((line) => line.includes('paracetamol'))).toEqual(expected);
  });

  it('is checked with the strength that the name states', () => {
    expect(found('Percocet 5/325', '8 tablets a day')).toEqual(['dose-without-ceiling: oxycodone']);
    expect(found('Percocet 10/650', '8 tablets a day')).toContain('paracetamol-daily: paracetamol');
  });
});

describe('a number without a unit in a name', () => {
  it('adds a warning when milligrams would be too much, and says that the strength is not known', () => {
    expect(found('paracetamol 500', '3 tablets every 4 hours')).toEqual([
      'paracetamol-daily: paracetamol',
      'dose-strength-unknown: paracetamol',
    ]);
  });

  it('never makes a dose look checked', () => {
    expect(found('paracetamol 500', '1 tablet a day')).toEqual(['dose-strength-unknown: paracetamol']);
  });
});

describe('patches', () => {
  it.each([
    ['3 x 100 mcg/h', ['patch-oxycodone: oxycodone']],
    ['2 patches', ['patch-oxycodone: oxycodone']],
    ['2 Pflaster alle 3 Tage', ['patch-oxycodone: oxycodone']],
    ['1 parche cada 24 horas', ['patch-oxycodone: oxycodone']],
    ['1 patch every 72 hours', []],
    ['1 patch every 2 days', []],
    ['1 Pflaster', []],
  ])('are counted, and the days between them: %s', (dosage, expected) => {
    expect(found('oxycodone patch', dosage)).toEqual(expected);
  });

  it('are no tablets', () => {
    expect(found('oxycodone', '2 tablets twice a day')).toEqual(['dose-without-ceiling: oxycodone']);
  });
});

describe('a drug for once a week', () => {
  it.each([
    '1 tablet every day',
    'daily',
    'twice a day',
    'Monday to Friday',
    'every other day',
    'twice a week',
  ])('is not taken %s', (dosage) => {
    expect(found('methotrexate', dosage)).toEqual(['methotrexate-weekly: methotrexate']);
  });

  it.each(['1 tablet a week', 'once weekly', 'on Mondays'])('is taken %s', (dosage) => {
    expect(found('methotrexate 10 mg', dosage)).toEqual([]);
  });
});

describe('a dose that is not checked', () => {
  it.each([
    ['paracetamol', 'as the doctor said', ['dose-unread: paracetamol']],
    ['paracetamol', 'two tablets twice a day', ['dose-strength-unknown: paracetamol']],
    ['warfarin', '5 mg daily', ['dose-without-ceiling: warfarin']],
    ['paracetamol', '', []],
    ['a glass of beer', 'daily', []],
  ])('is reported: %s %j', (name, dosage, expected) => {
    expect(found(name, dosage)).toEqual(expected);
    const unchecked = engine.checkNew({ name, dosage, medications: [] });
    for (const result of unchecked) expect(result).toMatchObject({ severity: 'unknown', action: 'be_aware' });
  });

  it('holds no human ceiling against an animal', () => {
    const results = engine.checkNew({
      name: 'paracetamol',
      dosage: '5 g daily',
      medications: [],
      species: 'dog',
    });
    expect(results.map(({ rule_id }) => rule_id)).toContain('dose-without-ceiling');
    expect(results.map(({ kind }) => kind)).not.toContain('dose_ceiling');
  });
});

describe('one ingredient in several products', () => {
  const CEILING = ['paracetamol-daily: paracetamol'];

  it.each([
    [
      'exceeds together',
      'Tylenol 500 mg',
      '2 tablets 3 times a day',
      ['Percocet 5/325, 1 tablet 4 times a day'],
      CEILING,
    ],
    [
      'is within together',
      'Tylenol 500 mg',
      '1 tablet 3 times a day',
      ['Percocet 5/325, 1 tablet 4 times a day'],
      [],
    ],
    [
      'counts only products whose dose is given',
      'Tylenol 500 mg',
      '2 tablets 3 times a day',
      ['Percocet 5/325'],
      [],
    ],
  ])('%s', (_, name, dosage, medications, expected) => {
    expect(found(name, dosage, medications)).toEqual(expected);
  });

  it('counts each pack of a list', () => {
    const pack = 'paracetamol 500 mg, 2 tablets 3 times a day';
    const kinds = (medications: string[]) => engine.check({ medications }).map(({ kind }) => kind);
    expect(kinds([pack])).toEqual([]);
    expect(kinds([pack, pack])).toContain('dose_ceiling');
  });
});

describe('the dose of a child', () => {
  const ofAge = (age: number, dosage: string) =>
    engine
      .checkNew({ name: 'paracetamol', dosage, medications: [], person: { age } })
      .filter(({ kind }) => kind.startsWith('dose'))
      .map(({ rule_id }) => rule_id);

  it('is never fine by the limit of an adult', () => {
    expect(ofAge(6, '1 g four times a day')).toEqual(['dose-of-a-child']);
    expect(ofAge(17, '500 mg daily')).toEqual(['dose-of-a-child']);
    expect(ofAge(18, '500 mg daily')).toEqual([]);
  });

  it('above the limit of an adult is too much for a child as well', () => {
    expect(ofAge(6, '2 g four times a day')).toEqual(['paracetamol-daily', 'dose-of-a-child']);
  });

  it('in the names of a list is said too', () => {
    const found = engine.check({ medications: ['paracetamol 500 mg, 1 tablet daily'], person: { age: 6 } });
    expect(found.map(({ rule_id }) => rule_id)).toContain('dose-of-a-child');
  });
});

it('reads a number without a unit in the unit of the ceiling', () => {
  expect(found('colecalciferol 1000', '1 capsule daily')).toEqual(['dose-strength-unknown: vitamin d']);
  expect(found('colecalciferol 100000', '1 capsule daily')).toContain('vitamin-d-daily: vitamin d');
});

it('compares vitamins in milligrams with ceilings in units', () => {
  expect(found('vitamin D3', '200 mcg daily')).toEqual(['vitamin-d-daily: vitamin d']);
});

describe('a dosage with words that no one can read', () => {
  it.each([
    '1 g co 4 godziny',
    '1 g 6 razy dziennie',
    '1 g her 4 saatte bir',
    '1日6回 1 g',
    '1 g κάθε 4 ώρες',
    '1 g when the moon is full',
  ])('is not taken for one dose a day: %s', (dosage) =>
    expect(found('Tylenol', dosage)).toEqual(['dose-frequency-unknown: paracetamol']),
  );

  it.each([
    '1 g',
    '1 g with water',
    '1 g before food by mouth',
    '1 g mit Wasser vor dem Essen',
    '1 g con agua',
    '500 mg tablets',
  ])('is nothing where they say something else: %s', (dosage) =>
    expect(found('Tylenol', dosage)).toEqual([]),
  );
});
