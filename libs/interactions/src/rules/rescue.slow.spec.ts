import { compileWholeBase } from '../__fixtures__/whole-base';
import { createEngine } from '../engine';
import type { InteractionResult } from '../types';

const { base } = compileWholeBase();
const engine = createEngine(base);

/** One product for each way in which the base says that a medicine is kept for an emergency. */
const FOR_EMERGENCIES = [
  'Jext',
  'Buccolam',
  'diazepam rectal tube',
  'Ventolin',
  'Berodual',
  'GlucaGen HypoKit',
  'Baqsimi',
  'Nyxoid',
  'Opvee',
  'GTN spray',
  'isosorbide dinitrate sublingual',
  'Firazyr',
  'Solu-Cortef injection',
];
const PAIRS = new Set(['interaction', 'food', 'duplicate_therapy']);
/** What makes a person wait with a medicine, or leave it out. */
const WAITS =
  /before (?:you (?:take|use)|the next dose)|which (?:of the two|one)|whether .* both meant|\bwait|\bleave (?:at least|out)|better choice|only one (?:of|product)|apart in time|hours? apart/i;
const ownTexts = new Set((base.rescue ?? []).flatMap(({ notWith = [] }) => notWith));

const faultsOf = (name: string, results: readonly InteractionResult[]): string[] =>
  results
    .filter(
      ({ kind, medications, rule_id }) =>
        PAIRS.has(kind) && medications.includes(name) && !ownTexts.has(rule_id),
    )
    .filter(
      ({ severity, action, management, in_short: { what_to_do: now } }) =>
        severity === 'contraindicated' ||
        !['monitor', 'be_aware'].includes(action) ||
        !/in an emergency/i.test(now) ||
        WAITS.test(`${management} ${now}`),
    )
    .map(({ rule_id, management }) => `${rule_id}: ${management}`);

describe('a medicine that is kept for an emergency', () => {
  it.each(FOR_EMERGENCIES)('is never told to wait, with any other ingredient: %s', (name) => {
    const faults = base.ingredients.flatMap(({ inn }) =>
      faultsOf(name, engine.check({ medications: [name, inn] })),
    );
    expect([...new Set(faults)]).toEqual([]);
  });

  it.each(FOR_EMERGENCIES)('is never told to wait by what is known about it: %s', (name) => {
    const known = engine.checkNew({ name, dosage: '', detail: 'full' });
    expect(faultsOf(name, known)).toEqual([]);
  });

  it.each(FOR_EMERGENCIES)('adds to no burden: %s', (name) => {
    const medications = [
      name,
      'clobazam',
      'melatonin',
      'ramipril',
      'citalopram',
      'furosemide',
      'haloperidol',
    ];
    const burdens = engine
      .check({ medications })
      .filter(({ kind, medications: own }) => kind === 'cumulative_burden' && own.includes(name));
    expect(burdens).toEqual([]);
  });

  it.each(FOR_EMERGENCIES)('is never told to wait by what is known about a person: %s', (name) => {
    const conditions = (base.facts ?? []).flatMap(({ kind, id }) => (kind === 'condition' ? [id] : []));
    for (const person of [
      { pregnant: true, breastfeeding: true, age: 1, egfr: 10 },
      { age: 90, smokes: true },
    ])
      for (const { kind, severity, in_short } of engine.check({
        medications: [name],
        person: { ...person, conditions: conditions.slice(0, 45) },
      }))
        if (kind === 'person_caution')
          expect([severity === 'contraindicated', in_short.what_to_do]).toEqual([
            false,
            expect.stringMatching(/in an emergency/),
          ]);
  });

  it.each([
    'midazolam',
    'Valium 5 mg',
    'nitroglycerin patch',
    'salbutamol tablets',
    'Selincro',
    'hydrocortisone 10 mg',
    'lidocaine with adrenaline',
    'oxycodone/naloxone',
  ])('is not every product of the same drug: %s', (name) => {
    const results = engine.check({ medications: [name, 'Symtuza', 'propranolol', 'oxycodone', 'clobazam'] });
    expect(results.filter(({ in_short }) => /in an emergency/.test(in_short.what_to_do))).toEqual([]);
  });

  it('keeps what nitroglycerin does with sildenafil', () => {
    const [first] = engine.check({ medications: ['GTN spray', 'sildenafil'] });
    expect(first).toMatchObject({ severity: 'contraindicated', action: 'avoid' });
    expect(first.in_short.what_to_do).toMatch(/call an ambulance/);
  });

  it.each([
    ['de', /im Notfall/],
    ['es', /en una emergencia/i],
  ])('is spoken of in %s', (language, words) => {
    const [first] = engine.check({ medications: ['Jext', 'phenelzine'], language });
    expect(first.in_short.what_to_do).toMatch(words);
    expect(first.management).toMatch(first.lang === 'en' ? /In an emergency/ : words);
  });
});
