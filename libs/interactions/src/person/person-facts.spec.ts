import { compileSmallBase } from '../__fixtures__/small-base';
import { createEngine } from '../engine';
import type { InteractionResult } from '../types';
import type { Person } from './person';

const NAMES = 'de: [Eins], es: [Uno]';
const caution = (id: string, when: string, a: string): string =>
  `  - { id: ${id}, when: ${when}, a: ${a}, severity: moderate, action: monitor, evidence: established, ` +
  'summary: "{a} is risky.", mechanism: One. Two., management: Ask a doctor. Then wait., sources: [s1], reviewed: 2026-11-20 }';
const PERSON = {
  'person/facts.yaml': `facts:
  - { id: gout, kind: condition, en: [gout, podagra], de: [Gicht], es: [gota] }
  - { id: tophus, kind: condition, en: [tophi], de: [Tophus], es: [tofo], implies: [gout] }
  - { id: nsaids, kind: allergy, en: [painkillers], ${NAMES}, covers: { tag: nsaid }, complete: true, reason: All., sources: [s1], reviewed: 2026-11-20 }
`,
  'person/cautions.yaml': `person:
${caution('c-gout', '{ condition: gout }', '{ ingredient: aspirin }')}
${caution('c-pregnant', '{ pregnant: true }', '{ tag: nsaid }')}
${caution('c-allergy', '{ allergy: nsaids }', '{ tag: nsaid }')}
${caution('c-kidney', '{ egfr_below: 30 }', '{ ingredient: lithium }')}
${caution('c-kidney-step', '{ egfr_from: 30, egfr_below: 45 }', '{ ingredient: lithium }')}
${caution('c-child', '{ age_below: 2 }', '{ ingredient: lithium }')}
`,
  'person/fine.yaml': `fine:
  - { id: f1, for: [pregnancy, gout], a: { ingredient: paracetamol }, reason: Used., sources: [s1], reviewed: 2026-11-20 }
  - { id: f2, for: [child], from_age: 2, a: { ingredient: loratadine }, reason: Used., sources: [s1], reviewed: 2026-11-20 }
`,
};
const { base, problems } = compileSmallBase(PERSON);
const engine = createEngine(base);
const check = (person: Person, ...medications: string[]): InteractionResult[] =>
  engine
    .check({ medications, person })
    .filter(({ kind }) => kind !== 'interaction' && kind !== 'duplicate_therapy');
/** Each fact with the ingredients that were not assessed for it. */
const left = (person: Person, ...medications: string[]): unknown[] =>
  check(person, ...medications)
    .filter(({ kind }) => kind === 'not_assessed')
    .map(({ fact, ingredients }) => [fact, ingredients]);

it('compiles without a fault', () => expect(problems).toEqual([]));

describe('what was asked and not assessed', () => {
  it('is one finding for each fact, with all ingredients without a statement', () => {
    expect(left({ pregnant: true }, 'lithium', 'Advil', 'Tylenol', 'omeprazole')).toEqual([
      ['pregnancy', ['lithium', 'omeprazole']],
    ]);
    const [result] = check({ pregnant: true }, 'lithium');
    expect(result).toMatchObject({ severity: 'unknown', action: 'be_aware', rule_id: 'person-not-assessed' });
    expect(result.summary).toBe('Not checked for pregnancy: lithium.');
  });

  it.each<[Person, string]>([
    [{ age: 17 }, 'child'],
    [{ age_months: 30 }, 'child'],
    [{ breastfeeding: true }, 'breastfeeding'],
    [{ egfr: 59 }, 'kidneys'],
    [{ conditions: ['podagra'] }, 'podagra'],
    [{ conditions: ['Morbus Qqq'] }, 'Morbus Qqq'],
    [{ other_conditions: 'Morbus Qqq' }, 'Morbus Qqq'],
    [{ allergies: ['qqqq'] }, 'qqqq'],
    [{ other_allergies: ['qqqq'] }, 'qqqq'],
  ])('holds for %j', (person, fact) => {
    expect(left(person, 'omeprazole')).toEqual([[fact, ['omeprazole']]]);
    expect(engine.checkNew({ name: 'omeprazole', medications: [], person })).toMatchObject([{ fact }]);
  });

  it.each<[Person]>([
    [{ age: 18 }],
    [{ egfr: 60 }],
    [{ other_allergies: 'none; keine' }],
    [{ conditions: [' '] }],
  ])('does not hold for %j', (person) => expect(check(person, 'omeprazole')).toEqual([]));

  it('takes each line of a free text as a fact of its own', () => {
    const facts = left({ other_conditions: 'a a\nb b; c c' }, 'omeprazole').map(
      (entry) => (entry as string[])[0],
    );
    expect(facts).toEqual(['a a', 'b b', 'c c']);
  });

  it('drops none of many facts', () => {
    const conditions = Array.from({ length: 60 }, (_, i) => `illness ${100 + i}`);
    const facts = left({ conditions }, 'omeprazole').map((entry) => (entry as string[])[0]);
    expect(facts).toHaveLength(51);
    expect(facts.at(-1)).toContain('illness 150, illness 151');
  });

  it('is said in the language asked for', () => {
    const [result] = engine.check({
      medications: ['lithium'],
      person: { conditions: ['gout'] },
      language: 'de',
    });
    expect(result).toMatchObject({
      lang: 'de',
      summary: 'Nicht geprüft (Gicht): lithium.',
      in_short: { lang: 'de' },
    });
  });

  it('does not depend on the order of the request', () => {
    const person = { conditions: ['b', 'a'], pregnant: true };
    const turned = { conditions: ['a', 'b'], pregnant: true };
    expect(check(person, 'lithium', 'omeprazole')).toEqual(check(turned, 'omeprazole', 'lithium'));
  });

  it('is nothing for an animal', () => {
    const found = engine.check({ medications: ['lithium'], species: 'dog', person: { pregnant: true } });
    expect(found.map(({ fact }) => fact)).toEqual([undefined]);
  });
});

describe('a statement', () => {
  it('is a caution for the fact, whether or not it applies', () => {
    expect(check({ egfr: 45 }, 'lithium')).toEqual([]);
    expect(check({ egfr: 25 }, 'lithium')).toMatchObject([{ kind: 'person_caution', rule_id: 'c-kidney' }]);
  });

  it('that a medicine is fine holds from its youngest age on', () => {
    expect(left({ age: 3 }, 'loratadine')).toEqual([]);
    expect(left({ age: 1 }, 'loratadine')).toEqual([['child', ['loratadine']]]);
    expect(left({ age: 2, age_months: 23 }, 'loratadine')).toEqual([['child', ['loratadine']]]);
  });

  it('on a more general illness counts for the special one', () => {
    expect(check({ conditions: ['tophi'] }, 'aspirin')).toMatchObject([{ rule_id: 'c-gout' }]);
    expect(left({ conditions: ['tophi'] }, 'paracetamol')).toEqual([]);
  });

  it('that is complete leaves nothing open', () => {
    expect(check({ allergies: ['painkillers'] }, 'omeprazole')).toEqual([]);
    expect(check({ allergies: ['painkillers'] }, 'Advil')).toMatchObject([{ rule_id: 'c-allergy' }]);
  });
});

it.each([
  [44.9, ['c-kidney-step']],
  [30, ['c-kidney-step']],
  [29.9, ['c-kidney']],
  [45, []],
])('a filtration rate of %p belongs to one step', (egfr, expected) => {
  const found = check({ egfr }, 'lithium').filter(({ kind }) => kind === 'person_caution');
  expect(found.map(({ rule_id }) => rule_id)).toEqual(expected);
});

describe('an allergy to a medicine', () => {
  it('forbids that medicine, and is an allergy to its group', () => {
    const found = check({ allergies: ['Brufen'] }, 'Advil', 'Aleve', 'omeprazole');
    expect(found.map(({ rule_id, ingredients }) => [rule_id, ingredients.join()])).toEqual([
      ['person-allergy-to-this', 'ibuprofen'],
      ['c-allergy', 'ibuprofen,naproxen'],
    ]);
    expect(found[1].summary).toMatch(/For the same reason: naproxen\.$/);
    expect(found[1].medications).toEqual(['Advil', 'Aleve']);
    expect(found[0].severity).toBe('contraindicated');
  });

  it('is not taken from a name that had to be corrected', () => {
    expect(left({ allergies: ['warfrin'] }, 'omeprazole')).toEqual([['warfrin', ['omeprazole']]]);
  });
});

describe('the compiler refuses', () => {
  it.each([
    ['facts', '{ id: gout, kind: condition, en: [a], de: [b], es: [] }', `'es' needs at least one name`],
    ['facts', '{ id: child, kind: condition, en: [a], de: [b], es: [c] }', 'exists already'],
    ['facts', '{ id: x, kind: condition, en: [a], de: [b], es: [c], implies: [y] }', `unknown fact 'y'`],
    [
      'facts',
      '{ id: x, kind: condition, en: [a], de: [b], es: [c], covers: { tag: nsaid } }',
      'only an allergy',
    ],
    ['facts', '{ id: x, kind: condition, en: [a], de: [b], es: [c], complete: true }', `'reason' is missing`],
    [
      'fine',
      '{ id: x, for: [y], a: { tag: nsaid }, reason: R., sources: [s1], reviewed: 2026-11-20 }',
      `unknown fact 'y'`,
    ],
    [
      'fine',
      '{ id: x, for: [], a: { tag: nsaid }, reason: R., sources: [s1], reviewed: 2026-11-20 }',
      'must list facts',
    ],
    [
      'fine',
      '{ id: x, for: [child], a: { tag: nsaid }, reason: R., sources: [], reviewed: 2026-11-20 }',
      'at least 1 source',
    ],
    [
      'fine',
      '{ id: x, for: [pregnancy], from_age: 2, a: { tag: nsaid }, reason: R., sources: [s1], reviewed: 2026-11-20 }',
      `needs 'for: [child]'`,
    ],
  ])('in %s: %s', (section, entry, complaint) => {
    const { problems: found } = compileSmallBase({ 'person/more.yaml': `${section}:\n  - ${entry}\n` });
    expect(found.join('\n')).toContain(complaint);
  });

  it('a name that two illnesses have, and a caution on an unknown one', () => {
    const found = compileSmallBase({
      'person/facts.yaml':
        'facts:\n  - { id: x, kind: condition, en: [Same], de: [a], es: [b] }\n  - { id: y, kind: condition, en: [same], de: [c], es: [d] }\n',
      'person/cautions.yaml': `person:\n${caution('c', '{ condition: z }', '{ tag: nsaid }')}\n`,
    }).problems.join('\n');
    expect(found).toContain(`'same' is a name of 'x' too`);
    expect(found).toContain(`unknown fact 'z'`);
  });
});

describe('words around an illness or an allergy', () => {
  it.each([
    'painkillers allergy', 'allergy to painkillers', 'severe allergy to painkillers', 'I am allergic to painkillers', 'allergisch gegen Eins',
    'Eins-Allergie', 'Einsallergie', 'alergia a Uno', 'alérgica al Uno',
  ])('are left out: %s', (allergy) => {
    expect(check({ allergies: [allergy] }, 'Advil').map(({ rule_id }) => rule_id)).toEqual(['c-allergy']);
  }); // prettier-ignore

  it.each(['history of gout', 'Z. n. Gicht', 'antecedentes de gota', 'known gout'])(
    'are left out: %s',
    (illness) => {
      expect(check({ other_conditions: illness }, 'aspirin').map(({ rule_id }) => rule_id)).toEqual([
        'c-gout',
      ]);
    },
  );

  it('are left out before the name of a medicine', () => {
    expect(check({ allergies: ['allergic to ibuprofen'] }, 'Advil').map(({ rule_id }) => rule_id)).toContain(
      'person-allergy-to-this',
    );
  });
});
