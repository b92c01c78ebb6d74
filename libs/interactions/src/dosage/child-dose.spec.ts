import { compileSmallBase } from '../__fixtures__/small-base';
import { createEngine } from '../engine';
import type { Person } from '../person/person';
import type { InteractionResult } from '../types';

const { base, problems } = compileSmallBase({
  'doses/children.yaml': `
child_doses:
  - id: child-dose-paracetamol
    ingredient: paracetamol
    steps:
      - { from: 0.25, single_per_kg: 15, daily_per_kg: 60, single: 1000, daily: 4000 }
      - { from: 16, single: 1000, daily: 4000 }
    severity: major
    sources: [s1, s2]
    reviewed: 2026-11-20
  - { id: child-dose-vitamin-d, ingredient: vitamin d, unit: IU, steps: [{ from: 0, daily: 1000 }], severity: moderate, sources: [s1], reviewed: 2026-11-20 }
`,
  'doses/sums.yaml': `
sums:
  - id: strength
    factors: { oxycodone: 1.5, lithium: 1 }
    not_counted: [warfarin]
    grades: { moderate: 50, major: 90 }
    action: adjust_dose
    evidence: established
    summary: Together {b} of {a}.
    mechanism: One thing happens. Another follows.
    management: Ask a doctor. Then wait.
    sources: [s1, s2]
    reviewed: 2026-11-20
`,
});
const engine = createEngine(base);
const results = (name: string, dosage: string, person?: Person, medications: string[] = []) =>
  engine
    .checkNew({ name, dosage, medications, ...(person && { person }) })
    .filter(({ kind }) => kind.startsWith('dose'));
const ids = (found: readonly InteractionResult[]): string[] => found.map(({ rule_id }) => rule_id);

it('compiles', () => expect(problems).toEqual([]));

describe('the dose of a child', () => {
  const OF_SIX = { age: 6, weight_kg: 20 };

  it.each<[string, Person, string[]]>([
    ['250 mg four times a day', OF_SIX, []],
    ['320 mg three times a day', OF_SIX, []],
    ['400 mg three times a day', OF_SIX, ['child-dose-paracetamol']],
    ['250 mg six times a day', OF_SIX, ['child-dose-paracetamol']],
    ['1 g three times a day', { age: 16, weight_kg: 60 }, []],
    ['1 g three times a day', { age: 16, weight_kg: 42 }, []],
    ['1 g three times a day', { age: 16, weight_kg: 35 }, ['child-dose-paracetamol']],
    ['1 g three times a day', { age: 16 }, ['child-dose-without-weight']],
    ['1 g six times a day', { age: 16 }, ['child-dose-paracetamol', 'child-dose-without-weight']],
    ['500 mg three times a day', { age: 16 }, []],
    ['250 mg three times a day', { age: 6 }, ['child-dose-without-weight']],
    ['1 g three times a day', { age: 6 }, ['child-dose-paracetamol', 'child-dose-without-weight']],
    ['40 mg three times a day', { age_months: 2, weight_kg: 5 }, ['child-dose-paracetamol']],
    ['250 mg as needed', OF_SIX, ['dose-frequency-unknown']],
    ['400 mg as needed', OF_SIX, ['child-dose-paracetamol']],
    ['250 mg', OF_SIX, ['dose-frequency-unknown']],
    ['1 tablet three times a day', OF_SIX, ['dose-strength-unknown']],
    ['5 ml of 200 mg 3 times a day', OF_SIX, ['dose-unread']],
    ['100 ml of 40 mg 3 times a day', OF_SIX, ['dose-unread']],
  ])('%s at %j', (dosage, person, expected) => {
    expect(ids(results('paracetamol', dosage, person))).toEqual(expected);
  });

  it('says the limit for the weight, and for how heavy a child where the weight is missing', () => {
    const [known] = results('paracetamol', '400 mg three times a day', OF_SIX);
    expect(known.summary).toContain('300 mg at a time, 1200 mg a day, at 20 kg');
    const [unknown] = results('paracetamol', '1 g three times a day', { age: 6 });
    expect(unknown.summary).toContain('even if it weighs 33 kg');
  });

  it('names the youngest age', () => {
    const [found] = results('paracetamol', '40 mg daily', { age_months: 2, weight_kg: 5 });
    expect(found.summary).toContain('from 3 months on');
  });

  it.each([400, 0, -3])('takes a weight of %s kg at the age of six as not known', (weight_kg) => {
    const found = results('paracetamol', '250 mg three times a day', { age: 6, weight_kg });
    expect(ids(found)).toEqual(['child-dose-without-weight']);
  });

  it('is summed over products', () => {
    const list = ['Tylenol 250 mg, 1 tablet 3 times a day'];
    expect(ids(results('paracetamol', '250 mg three times a day', OF_SIX))).toEqual([]);
    expect(ids(results('paracetamol', '250 mg three times a day', OF_SIX, list))).toEqual([
      'child-dose-paracetamol',
    ]);
  });

  it('is asked for without an age, where the weight is that of a child', () => {
    expect(ids(results('paracetamol', '500 mg daily', { weight_kg: 12 }))).toEqual(['dose-of-a-child']);
    expect(ids(results('paracetamol', '500 mg daily', { weight_kg: 60 }))).toEqual([]);
  });

  it('counts in a list when it is taken as needed', () => {
    const found = engine.check({ medications: ['paracetamol 500 mg as needed'], person: OF_SIX });
    expect(ids(found)).toContain('child-dose-paracetamol');
  });

  it('is compared in units', () => {
    expect(ids(results('vitamin d', '5000 IU daily', { age: 1 }))).toEqual(['child-dose-vitamin-d']);
    expect(ids(results('vitamin d', '400 IU daily', { age: 1 }))).toEqual([]);
  });

  it('in German and Spanish has a decimal comma', () => {
    const [found] = engine
      .checkNew({ name: 'paracetamol', dosage: '1 g daily', medications: [], language: 'de', person: { age: 1, weight_kg: 9.5 } })
      .filter(({ kind }) => kind === 'dose_ceiling'); // prettier-ignore
    expect(found).toMatchObject({ lang: 'de', summary: expect.stringContaining('9,5 kg') as string });
  });
});

describe('amounts that are summed', () => {
  const total = (...medications: string[]) =>
    engine.check({ medications }).filter(({ rule_id }) => rule_id === 'strength');

  it.each<[string[], string | undefined]>([
    [['OxyContin 10 mg, 1 tablet twice a day'], undefined],
    [['OxyContin 20 mg, 1 tablet twice a day'], 'moderate'],
    [['OxyContin 20 mg, 1 tablet twice a day', 'lithium 20 mg, 2 tablets a day'], 'major'],
    [['OxyContin 20 mg'], undefined],
  ])('%j', (medications, severity) => {
    expect(total(...medications)[0]?.severity).toBe(severity);
  });

  it('name all parts and a rounded sum', () => {
    const [found] = total('OxyContin 20 mg, 1 tablet twice a day', 'lithium 15 mg, 3 tablets a day');
    expect(found.summary).toBe('Together 110 of oxycodone, lithium.');
  });

  it('name what belongs to the sum and has no figure or no dose', () => {
    const [found] = total('OxyContin 20 mg, 1 tablet twice a day', 'warfarin 5 mg', 'lithium');
    expect(found.summary).toBe('Together 60 of oxycodone (not counted: lithium, warfarin).');
    expect(found.medications).toEqual(expect.arrayContaining(['lithium', 'warfarin 5 mg']));
  });

  it('are a limit of their own, and count only where the amount is known', () => {
    expect(ids(results('oxycodone', '10 mg daily'))).toEqual([]);
    expect(ids(results('oxycodone', 'daily'))).toEqual(['dose-without-ceiling']);
  });
});

it.each([
  ['{ from: 20, daily: 5 }', `'from' must be an age`],
  ['{ from: 0, single: 5 }', `needs 'daily'`],
  ['{ from: 2, daily: 5 }, { from: 1, daily: 4 }', 'youngest age up'],
])('refuses the steps [%s]', (steps, message) => {
  const { problems: found } = compileSmallBase({
    'doses/children.yaml': `
child_doses:
  - { id: c, ingredient: paracetamol, steps: [${steps}], severity: minor, sources: [s1], reviewed: 2026-11-20 }
`,
  });
  expect(found.join()).toContain(message);
});
