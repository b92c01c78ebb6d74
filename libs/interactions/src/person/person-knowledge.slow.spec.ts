import fc from 'fast-check';
import { compileWholeBase } from '../__fixtures__/whole-base';
import { createEngine } from '../engine';
import { closeTags, matchSelector } from '../rules/tag-closure';
import type { CompiledSelector } from '../compiled-base';
import type { Person } from './person';

const { base } = compileWholeBase();
const engine = createEngine(base);
const tags = closeTags(base);
const facts = base.facts ?? [];
/** Medicines that reach the whole body: what acts only where it is used is judged for children and allergies alone. */
const drugs = base.ingredients
  .filter(({ kind = 'drug', routes = [] }) => kind === 'drug' && routes.length === 0)
  .map(({ inn }) => inn);
const positions = new Map(base.ingredients.map(({ inn }, i) => [inn, i]));
const isAbout = (a: CompiledSelector, inn: string): boolean =>
  matchSelector(a, positions.get(inn) ?? -1, tags) !== undefined;
const answer = (inn: string, person: Person) => engine.check({ medications: [inn], person });

describe('what the base knows about persons', () => {
  it('has at least 60 illnesses and 25 allergies, each with a name in three languages', () => {
    const count = (wanted: string): number => facts.filter(({ kind }) => kind === wanted).length;
    expect(count('condition')).toBeGreaterThanOrEqual(60);
    expect(count('allergy')).toBeGreaterThanOrEqual(25);
    for (const { id, n } of facts)
      for (const language of ['en', 'de', 'es'] as const)
        expect([id, n[language]?.length]).not.toEqual([id, undefined]);
  });

  it('has cross-reactions for at least 25 allergies', () => {
    expect(facts.filter(({ kind, covers }) => kind === 'allergy' && covers).length).toBeGreaterThanOrEqual(
      25,
    );
  });

  it('has a caution for at least 150 medicines at each step of weak kidneys down to 15', () => {
    for (const egfr of [59, 44, 29, 14]) {
      const cautioned = drugs.filter((inn) =>
        (base.cautions ?? []).some(
          ({ when: { egfrBelow = 0, egfrFrom = 0 }, a }) =>
            egfr < egfrBelow && egfr >= egfrFrom && isAbout(a, inn),
        ),
      );
      expect([egfr, cautioned.length >= 150]).toEqual([egfr, true]);
    }
  });

  it.each([
    'glaucoma', 'prostate', 'myasthenia', 'Parkinson', 'long QT', 'porphyria', 'G6PD deficiency', 'migraine with aura',
    'liver disease', 'heart failure', 'asthma', 'stomach ulcer', 'blood clots',
    'Glaukom', 'Prostata', 'Leberzirrhose', 'Herzschwäche', 'Magengeschwür', 'Thrombose',
    'glaucoma', 'próstata', 'insuficiencia cardíaca', 'úlcera de estómago', 'trombosis', 'cirrosis',
  ])('knows %s as a family types it', (words) => {
    const unknown = answer('paracetamol', { other_conditions: words }).filter(({ fact }) => fact?.includes(words));
    const known = facts.some(({ n }) => Object.values(n).flat().some((name) => name.toLowerCase() === words.toLowerCase()));
    expect([words, known || unknown.length === 0]).toEqual([words, true]);
  }); // prettier-ignore
});

describe('an empty answer', () => {
  const ASKED: readonly [string, Person][] = [
    ['child', { age: 7 }],
    ['pregnancy', { pregnant: true }],
    ['breastfeeding', { breastfeeding: true }],
    ['kidneys', { egfr: 25 }],
    ...facts.map(
      ({ id, kind }): [string, Person] => [id, kind === 'allergy' ? { allergies: [id] } : { conditions: [id] }],
    ),
  ]; // prettier-ignore

  /** Every fact that counts: the one asked for and the more general ones. */
  const withGeneral = (id: string): string[] => {
    const known = facts.find((fact) => fact.id === id);
    return [id, ...(known?.implies ?? []).flatMap((at) => withGeneral(facts[at].id))];
  };
  const isAssessed = (inn: string, asked: string): boolean => {
    const ids = withGeneral(asked);
    return (
      facts.some(({ id, complete }) => complete && ids.includes(id)) ||
      (base.fine ?? []).some(
        ({ facts: fine, a }) => fine.some((id) => ids.includes(id)) && isAbout(a, inn),
      ) ||
      (base.cautions ?? []).some(({ when, a }) =>
        [when.condition, when.allergy].some((id) => id !== undefined && ids.includes(id)) ||
        (asked === 'pregnancy' && when.pregnant) ||
        (asked === 'breastfeeding' && when.breastfeeding) ||
        (asked === 'kidneys' && when.egfrBelow !== undefined) ||
        (asked === 'child' && when.ageBelow !== undefined)
          ? isAbout(a, inn)
          : false,
      )
    );
  };

  it('for a person is given only where the base has a statement with a source', () => {
    const checked = fc.property(fc.constantFrom(...drugs), fc.constantFrom(...ASKED), (inn, [asked, person]) => {
      const told = answer(inn, person).filter(({ kind }) => kind === 'person_caution' || kind === 'not_assessed');
      if (told.length === 0) expect([inn, asked, isAssessed(inn, asked)]).toEqual([inn, asked, true]);
    }); // prettier-ignore
    fc.assert(checked, { numRuns: 600 * Number(process.env.TEST_LONG ?? 1) });
  });

  it.each(ASKED.slice(0, 4))('is given for no new medicine: %s', (_, person) => {
    const results = answer('vismodegib', person).map(({ kind }) => kind);
    expect(results.some((kind) => kind === 'not_assessed' || kind === 'person_caution')).toBe(true);
  });

  it('is given for no illness that nobody knows', () => {
    for (const person of [{ other_conditions: 'Zzyzx syndrome' }, { other_allergies: 'zzyzx berries' }])
      expect(answer('amoxicillin', person).map(({ kind }) => kind)).toContain('not_assessed');
  });
});

it('tells the remarks for the next visit about one fact in one result, each with its sentences', () => {
  const medications = ['theophylline', 'omeprazole', 'phenytoin', 'zopiclone'];
  const found = engine
    .check({ medications, person: { age: 70 } })
    .filter(({ kind }) => kind === 'person_caution');
  const [remarks, ...others] = found.filter(({ severity }) => severity === 'minor');
  expect(others).toEqual([]);
  expect([remarks.rule_id, ...remarks.related_rules].sort()).toEqual([
    'person-old-gabapentinoid',
    'person-old-ppi',
    'person-old-theophylline',
  ]);
  for (const name of ['theophylline', 'omeprazole', 'phenytoin']) {
    expect([remarks.summary, remarks.in_short.what_to_do]).toEqual([
      expect.stringContaining(name),
      expect.stringContaining(name),
    ]);
  }
  expect(remarks.management).toMatch(/omeprazole: Ask .* phenytoin: Get up slowly.* theophylline: Ask /);
  expect(found.filter(({ severity }) => severity !== 'minor').map(({ medications: [name] }) => name)).toEqual(
    ['zopiclone'],
  );
});

describe('a remark for older people', () => {
  const told = (...medications: string[]) =>
    engine
      .check({ medications, person: { age: 78 } })
      .map(({ rule_id, related_rules }) => [rule_id, ...related_rules]);

  it('does not ask to end the stomach protection of someone who needs it', () => {
    expect(told('omeprazole').flat()).toContain('person-old-ppi');
    for (const other of ['warfarin', 'aspirin 75 mg', 'naproxen', 'prednisolone'])
      expect(told('omeprazole', other).flat()).not.toContain('person-old-ppi');
    expect(told('omeprazole', 'diclofenac gel').flat()).toContain('person-old-ppi');
  });

  it('is not told again beside a pair or a list that says the same', () => {
    expect(told('ibuprofen', 'warfarin')).toEqual([['anticoagulant-nsaid', 'person-old-nsaid']]);
    expect(told('oxybutynin', 'diphenhydramine')).toEqual([
      ['anticholinergic-pair', 'person-old-anticholinergic'],
    ]);
    expect(told('oxybutynin', 'paracetamol')).toEqual([['person-old-anticholinergic']]);
  });
});

it.each([
  ['aspirin 75 mg', { egfr: 48 }, undefined],
  ['aspirin 75 mg', { egfr: 25 }, 'person-kidney-aspirin-30'],
  ['clarithromycin', { conditions: ['heart_failure'] }, 'person-heart-failure-macrolide'],
  ['domperidone', { age: 76 }, 'person-old-domperidone'],
  ['domperidone', { age: 60 }, undefined],
])('knows %s of %j', (name, person, rule) => {
  const ids = engine.check({ medications: [name], person }).map(({ rule_id }) => rule_id);
  if (rule) expect(ids).toContain(rule);
  else expect(ids).toEqual([]);
});

describe('what acts locally', () => {
  const kinds = (name: string, person: Parameters<typeof answer>[1]) =>
    answer(name, person).map(({ kind }) => kind);

  it.each([
    'isotretinoin gel',
    'latanoprost eye drops',
    'tacrolimus ointment',
    'clobetasol cream',
    'minoxidil foam',
  ])('is never silent in pregnancy when nobody looked at it: %s', (name) =>
    expect(kinds(name, { pregnant: true })).toContain('not_assessed'),
  );

  it.each([
    'clotrimazole cream',
    'beclometasone inhaler',
    'permethrin cream',
    'hydrocortisone cream',
    'hypromellose eye drops',
  ])('is silent when it was found fine: %s', (name) => expect(kinds(name, { pregnant: true })).toEqual([]));

  it.each([
    ['diclofenac gel', { pregnant: true }, 'person-pregnancy-nsaid-skin'],
    ['povidone-iodine', { breastfeeding: true }, 'person-breastfeeding-povidone-iodine'],
    ['povidone-iodine', { other_conditions: 'overactive thyroid' }, 'person-overactive-thyroid-antiseptic'],
    ['sulfacetamide eye drops', { other_allergies: 'sulfa' }, 'person-allergy-sulfonamide'],
    ['amoxicillin', { other_allergies: 'cefalexin' }, 'person-allergy-cephalosporin-penicillin'],
    ['Omnipaque', { other_allergies: 'Jod' }, 'person-allergy-contrast'],
    ['xylometazoline nasal spray', { other_conditions: 'glaucoma' }, 'person-glaucoma-decongestant-nose'],
    ['estriol vaginal cream', { other_conditions: 'breast cancer' }, 'person-breast-cancer-local-oestrogen'],
    ['amoxicillin syrup', { other_conditions: 'phenylketonuria' }, 'person-phenylketonuria-sweetened'],
  ])('is told for the person: %s with %j', (name, person, rule) => {
    expect(answer(name, person).map(({ kind, rule_id }) => `${kind} ${rule_id}`)).toEqual([
      `person_caution ${rule}`,
    ]);
  });
});
