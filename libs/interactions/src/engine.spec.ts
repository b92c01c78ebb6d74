import fc from 'fast-check';
import { compileSmallBase, smallBase } from './__fixtures__/small-base';
import { createEngine } from './engine';
import type { InteractionResult, Species } from './types';

const base = smallBase();
const engine = createEngine(base);
const check = (...medications: string[]): InteractionResult[] => engine.check({ medications });
const ids = (results: readonly InteractionResult[]): string[] => results.map(({ rule_id }) => rule_id).sort();

describe('check', () => {
  it('gives a result every field of the contract', () => {
    const address = { url: 'https://example.org/', url_is: 'document' };
    expect(check('Coumadin 5 mg', 'Advil')).toEqual([
      {
        kind: 'interaction',
        severity: 'major',
        action: 'avoid',
        medications: ['Coumadin 5 mg', 'Advil'],
        ingredients: ['warfarin', 'ibuprofen'],
        summary: 'Taking warfarin with ibuprofen can harm.',
        mechanism: 'One thing happens. Another follows.',
        management: 'Do this. Then do that.',
        evidence: 'established',
        sources: [
          { id: 's1', title: 'First source', publisher: 'One', year: 2020, ...address },
          { id: 's2', title: 'Second source', publisher: 'Two', year: 2021, ...address },
        ],
        rule_id: 'anticoagulant-nsaid',
        related_rules: ['vka-nsaid-monitor'],
        matches: [
          { input: 'Coumadin 5 mg', ingredient: 'warfarin', method: 'brand', confidence: 1 },
          { input: 'Advil', ingredient: 'ibuprofen', method: 'brand', confidence: 1 },
        ],
        knowledge_version: '1.2.3',
        lang: 'en',
        in_short: {
          lang: 'en',
          kind: 'interaction',
          severity: 'serious',
          action: 'avoid',
          what_to_do:
            'Ask your doctor or pharmacist today before you take Coumadin 5 mg (warfarin) and Advil (ibuprofen) together, and stop neither on your own.',
        },
      },
    ]);
  });

  it('is empty when every name is known and nothing is known against them', () => {
    expect(check()).toEqual([]);
    expect(check('losartan', 'amoxicillin')).toEqual([]);
  });

  it('prefers a rule about the pair to a more severe rule about classes', () => {
    const [result] = check('apixaban', 'naproxen');
    expect(result).toMatchObject({
      rule_id: 'apixaban-naproxen',
      severity: 'minor',
      related_rules: ['anticoagulant-nsaid'],
    });
  });

  it('is silent about a pair that was checked and found harmless', () => {
    expect(check('apixaban', 'celecoxib')).toEqual([]);
    expect(ids(check('warfarin', 'celecoxib'))).toEqual(['anticoagulant-nsaid']);
  });

  it('leaves out excepted pairs, whichever way round they are written', () => {
    expect(ids(check('lithium', 'ibuprofen'))).toEqual(['lithium-nsaid']);
    expect(check('lithium', 'aspirin')).toEqual([]);
    expect(ids(check('ibuprofen', 'naproxen'))).toEqual(['two-nsaids']);
    expect(check('ibuprofen', 'aspirin')).toEqual([]);
  });

  it('lets a rule replace the ones it overrides', () => {
    expect(check('simvastatin', 'clarithromycin')[0]).toMatchObject({
      severity: 'contraindicated',
      related_rules: [],
    });
    expect(check('pravastatin', 'clarithromycin')[0]).toMatchObject({
      rule_id: 'statin-inhibitor-milder',
      related_rules: [],
    });
  });

  it('calls a finding with food or alcohol food, and only when it is named', () => {
    expect(check('simvastatin', 'grapefruit juice')[0].kind).toBe('food');
    expect(check('alprazolam', 'beer')[0].kind).toBe('food');
    expect(check('alprazolam', 'oxycodone')[0].kind).toBe('interaction');
    expect(check('alprazolam')).toEqual([]);
  });

  it('finds the same ingredient twice: brand and generic, inside a combination, and the same name sent twice', () => {
    expect(check('Tylenol', 'Percocet')[0]).toMatchObject({
      kind: 'duplicate_therapy',
      rule_id: 'paracetamol-twice',
      ingredients: ['paracetamol'],
      medications: ['Percocet', 'Tylenol'],
    });
    expect(ids(check('Zocor', 'simvastatin'))).toEqual(['same-twice']);
    expect(check('losartan', 'losartan')).toMatchObject([
      { kind: 'duplicate_therapy', medications: ['losartan', 'losartan'] },
    ]);
    expect(check('beer', 'wine')).toEqual([]);
  });

  it('is graver about an anticoagulant under two names, and not about two strengths of one', () => {
    const severityOf = (...medications: string[]) => check(...medications)[0].severity;
    expect([
      severityOf('warfarin', 'Coumadin'),
      severityOf('Eliquis 5 mg', 'apixaban 5 mg'),
      severityOf('Coumadin 1 mg', 'Coumadin 3 mg'),
      severityOf('Zocor', 'simvastatin'),
    ]).toEqual(['major', 'major', 'moderate', 'moderate']);
  });

  it('does not hold the parts of one product against each other', () => {
    expect(check('oxycodone + alprazolam')).toEqual([]);
    expect(ids(check('oxycodone', 'alprazolam'))).toEqual(['sedating-sedating']);
    expect(ids(check('Percocet', 'alprazolam'))).toEqual(['sedating-sedating']);
  });

  it('reports a name it does not know, and what it knows all the same', () => {
    const results = check('Foobarium', 'warfarin', 'ibuprofen');
    expect(results.map(({ kind }) => kind)).toEqual(['interaction', 'unrecognized']);
    expect(results[1]).toMatchObject({
      severity: 'unknown',
      action: 'be_aware',
      medications: ['Foobarium'],
      ingredients: [],
      sources: [],
      related_rules: [],
      matches: [],
    });
    for (const text of [results[1].summary, results[1].mechanism, results[1].management])
      expect(text).toContain('not checked');
  });

  it('checks the known part of a name and reports the rest', () => {
    const results = check('ibuprofen / foobarium', 'warfarin');
    expect(results.map(({ kind }) => kind)).toEqual(['interaction', 'unrecognized']);
  });

  it.each([
    ['miconazole cream', 'simvastatin', []],
    ['miconazole', 'simvastatin', ['statin-inhibitor']],
    ['miconazole tablets', 'simvastatin', ['statin-inhibitor']],
    ['miconazole oral gel', 'warfarin', ['warfarin-miconazole']],
    ['Daktarin cream', 'warfarin', ['warfarin-miconazole']],
    ['timolol eye drops', 'verapamil', []],
    ['Timoptic', 'verapamil', []],
    ['timolol', 'verapamil', ['timolol-verapamil']],
    ['salmeterol', 'clarithromycin', ['salmeterol-clarithromycin']],
    ['salmeterol', 'alprazolam', []],
    ['salmeterol tablets', 'alprazolam', ['sedating-sedating']],
    ['salmeterol inhaler', 'clarithromycin', []],
    ['nitroglycerin ointment', 'alprazolam', ['sedating-sedating']],
  ])('knows that %s with %s gives %j', (a, b, expected) => {
    expect(ids(check(a, b))).toEqual(expected);
  });

  it('is mild about one ingredient in a local and a systemic product', () => {
    expect(check('ibuprofen gel', 'ibuprofen')[0]).toMatchObject({
      kind: 'duplicate_therapy',
      severity: 'minor',
    });
    expect(check('salmeterol inhaler', 'salmeterol')[0].severity).toBe('moderate');
    expect(check('ibuprofen gel', 'ibuprofen eye drops')[0].severity).toBe('minor');
    expect(check('Brufen gel', 'Advil gel')[0]).toMatchObject({
      kind: 'duplicate_therapy',
      severity: 'moderate',
    });
  });

  it('sorts by severity, then by name', () => {
    const severities = check(
      'Zocor',
      'Biaxin',
      'warfarin',
      'ibuprofen',
      'lithium',
      'naproxen',
      'unknownium',
    ).map(({ severity }) => severity);
    const order = ['contraindicated', 'major', 'moderate', 'minor', 'unknown'];
    expect(severities).toEqual([...severities].sort((a, b) => order.indexOf(a) - order.indexOf(b)));
    expect(new Set(severities).size).toBeGreaterThan(2);
    const names = check('warfarin', 'ibuprofen', 'apixaban', 'aspirin').map(
      ({ medications }) => medications[0],
    );
    expect(names).toEqual([...names].sort());
  });

  it.each<[Species | undefined, string[]]>([
    [undefined, ['same-twice']],
    ['human', ['same-twice']],
    ['dog', ['same-twice', 'species-not-assessed', 'warfarin-vitamin-d-dog']],
    ['cat', ['cat-paracetamol', 'same-twice', 'species-not-assessed']],
  ])('applies the rules of a species: %s', (species, expected) => {
    const medications = ['warfarin', 'Coumadin', 'vitamin D'];
    const results = engine.check({
      medications: species === 'cat' ? [...medications, 'Tylenol'] : medications,
      species,
    });
    expect([...new Set(ids(results))]).toEqual(expected);
  });

  it('reports toxicity for a species whatever the route, by the ingredient first', () => {
    expect(engine.check({ medications: ['ibuprofen gel'], species: 'dog' })).toMatchObject([
      { kind: 'species_toxicity', rule_id: 'pets-nsaid', summary: 'Never give ibuprofen to a pet.' },
    ]);
    expect(engine.check({ medications: ['paracetamol'], species: 'cat' })[0].severity).toBe(
      'contraindicated',
    );
    expect(engine.check({ medications: ['paracetamol'], species: 'dog' })).toMatchObject([
      { kind: 'not_assessed' },
    ]);
  });

  it('does not grow with the square of a list that repeats one pair under many names', () => {
    const medications = Array.from({ length: 100 }, (_, i) =>
      i % 2 ? `warfarin ${i} mg` : `ibuprofen ${i} mg`,
    );
    const results = engine.check({ medications });
    expect(results.length).toBeLessThanOrEqual(30);
    const named = new Set(
      results.filter(({ kind }) => kind === 'interaction').flatMap((result) => result.medications),
    );
    expect([...named].sort()).toEqual([...medications].sort());
  });
});

describe('a list made to cause many results', () => {
  it('gives an answer in proportion, in which every name stands', () => {
    const letters = 'bcdfghjklm';
    const inns = Array.from(
      { length: 100 },
      (_, i) => `drug${letters[Math.floor(i / 10)]}${letters[i % 10]}`,
    );
    const { base: large } = compileSmallBase({
      'ingredients/many.yaml': `ingredients:\n${inns.map((inn) => `  - { inn: ${inn}, tags: { sedating: [s1] } }`).join('\n')}\n`,
    });
    const results = createEngine(large).check({ medications: inns });
    expect(results.length).toBeLessThan(3010);
    expect(new Set(results.flatMap(({ medications }) => medications)).size).toBe(100);
  });
});

describe('properties of check', () => {
  const names = fc.subarray(
    [
      ...base.ingredients.map(({ inn }) => inn),
      'Percocet',
      'Augmentin',
      'Tylenol',
      'Xanax 0.5 mg',
      'timolol eye drops',
      'what is this',
    ],
    { maxLength: 12 },
  );

  it('does not depend on the order of the names', () => {
    fc.assert(
      fc.property(
        names.chain((list) =>
          fc.tuple(fc.constant(list), fc.shuffledSubarray(list, { minLength: list.length })),
        ),
        ([list, shuffled]) => {
          expect(check(...shuffled)).toEqual(check(...list));
        },
      ),
      { numRuns: 150 },
    );
  });

  it('never loses a finding when a drug is added', () => {
    fc.assert(
      fc.property(names, fc.constantFrom(...base.ingredients.map(({ inn }) => inn)), (list, added) => {
        const more = check(...list, added);
        // It may be told together with further partners of the same rule.
        const holds = (all: readonly string[], some: readonly string[]): boolean =>
          some.every((one) => all.includes(one));
        for (const finding of check(...list)) {
          const kept = more.filter(
            ({ kind, rule_id, severity, summary, medications, ingredients }) =>
              [kind, rule_id, severity].join() === [finding.kind, finding.rule_id, finding.severity].join() &&
              holds(medications, finding.medications) &&
              holds(ingredients, finding.ingredients) &&
              summary.includes(finding.summary),
          );
          expect([finding, kept.length]).toEqual([finding, 1]);
        }
      }),
      { numRuns: 150 },
    );
  });

  it('gives one result per pair and kind', () => {
    fc.assert(
      fc.property(names, (list) => {
        const keys = check(...list).map(({ kind, medications, ingredients }) =>
          [kind, ...medications, ...ingredients].join('|'),
        );
        expect(new Set(keys).size).toBe(keys.length);
      }),
      { numRuns: 100 },
    );
  });

  it('takes any text without an error and never calls an unknown name checked', () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: 'binary', minLength: 1, maxLength: 200 }), { maxLength: 10 }),
        (list) => {
          const unique = [...new Set(list)];
          const results = check(...unique);
          const unknown = new Set(
            results.flatMap(({ kind, medications }) => (kind === 'unrecognized' ? medications : [])),
          );
          for (const { input, ingredients } of engine.resolve({ medications: unique })) {
            if (ingredients.length === 0) expect(unknown.has(input)).toBe(true);
          }
        },
      ),
      { numRuns: 200 },
    );
  });
});

describe('checkNew', () => {
  it('checks the new drug against each of the list, not the list against itself', () => {
    const results = engine.checkNew({ name: 'warfarin', medications: ['ibuprofen', 'naproxen', 'losartan'] });
    expect(ids(results)).toEqual(['anticoagulant-nsaid', 'anticoagulant-nsaid']);
    expect(results.every(({ partners }) => partners === undefined)).toBe(true);
    expect(engine.checkNew({ name: 'warfarin', medications: [] })).toEqual([]);
  });

  it('reports unknown names on either side', () => {
    const results = engine.checkNew({ name: 'foobarium', medications: ['bazium', 'warfarin'] });
    expect(results.map(({ medications }) => medications)).toEqual([['bazium'], ['foobarium']]);
  });

  it('finds the drug in the list already', () => {
    expect(ids(engine.checkNew({ name: 'Zocor', medications: ['Zocor', 'simvastatin'] }))).toEqual([
      'same-twice',
      'same-twice',
    ]);
  });

  it('names the partners, with their brands, when there is no list', () => {
    const results = engine.checkNew({ name: 'alprazolam', detail: 'full' });
    const sedating = results.find(
      ({ rule_id, kind }) => rule_id === 'sedating-sedating' && kind === 'interaction',
    );
    expect(sedating).toMatchObject({ medications: ['alprazolam'], ingredients: ['alprazolam'] });
    expect(sedating?.partners?.map(({ ingredient }) => ingredient)).toEqual(['oxycodone', 'nitroglycerin']);
    expect(sedating?.partners?.[0]).toEqual({
      ingredient: 'oxycodone',
      names: ['oxycodone'],
      brands: ['OxyContin', 'co-codamol demo', 'Percocet'],
    });
    expect(
      results.find(({ kind }) => kind === 'food')?.partners?.map(({ ingredient }) => ingredient),
    ).toEqual(['ethanol']);
    expect(results.find(({ rule_id }) => rule_id === 'same-twice')?.partners?.[0].ingredient).toBe(
      'alprazolam',
    );
  });

  it('keeps precedence between rules when it names partners', () => {
    const byRule = new Map(
      engine
        .checkNew({ name: 'apixaban', detail: 'full' })
        .map(({ rule_id, partners }) => [rule_id, partners?.map(({ ingredient }) => ingredient)]),
    );
    expect(byRule.get('apixaban-naproxen')).toEqual(['naproxen']);
    expect(byRule.get('anticoagulant-nsaid')).toEqual(['ibuprofen', 'aspirin']);
  });

  it('agrees with check on every pair', () => {
    for (const { inn } of base.ingredients) {
      const known = engine.checkNew({ name: inn, detail: 'full' });
      for (const { inn: other } of base.ingredients) {
        if (inn === other) continue;
        const expected = check(inn, other).map(({ kind, rule_id }) => `${kind} ${rule_id}`);
        const listed = known.filter(({ partners }) =>
          partners?.some(({ ingredient }) => ingredient === other),
        );
        expect(listed.map(({ kind, rule_id }) => `${kind} ${rule_id}`).sort()).toEqual(expected.sort());
      }
    }
  });

  it.each([
    ['paracetamol', '1500 mg 4 times a day', ['paracetamol-daily']],
    ['paracetamol', '1 g q6h', []],
    ['Tylenol 500 mg', '2 tablets every 4 hours', ['paracetamol-daily']],
    ['Percocet', '2 g 4 times a day', ['dose-strength-unknown', 'dose-without-ceiling']],
    ['paracetamol', 'as the doctor said', ['dose-unread']],
    ['paracetamol', '', []],
    ['methotrexate', '10 mg daily', ['methotrexate-weekly']],
    ['methotrexate', '10 mg once a week', []],
    ['methotrexate', '10 mg twice a week', ['methotrexate-weekly']],
    ['methotrexate', '10 mg every 5 days', []],
    ['methotrexate', 'mon wed fri', ['methotrexate-weekly']],
    ['methotrexate', '7.5 mg three times a week', ['methotrexate-weekly']],
    ['methotrexate', '10 mg', []],
    ['methotrexate', '40 mg weekly', ['methotrexate-weekly']],
    ['vitamin D3', '10,000 IU daily', ['vitamin-d-daily']],
    ['vitamin D3', '10,000 IU weekly', []],
  ])('holds %s %j against its ceilings', (name, dosage, expected) => {
    expect(ids(engine.checkNew({ name, dosage, medications: [] }))).toEqual(expected);
  });
});

describe('resolve', () => {
  it('answers in the order asked, with suggestions for what it does not know', () => {
    expect(engine.resolve({ medications: ['Percocet', 'ibuporfen', 'Advill', 'quux'] })).toEqual([
      {
        input: 'Percocet',
        ingredients: ['paracetamol', 'oxycodone'],
        method: 'combination',
        confidence: 1,
        suggestions: [],
      },
      {
        input: 'ibuporfen',
        ingredients: ['ibuprofen'],
        method: 'spelling',
        confidence: expect.any(Number) as number,
        suggestions: [],
      },
      { input: 'Advill', ingredients: ['ibuprofen'], method: 'spelling', confidence: 0.83, suggestions: [] },
      { input: 'quux', ingredients: [], method: 'none', confidence: 0, suggestions: [] },
    ]);
  });
});

describe('namesBeginning', () => {
  const names = (text: string, limit?: number) =>
    engine.namesBeginning({ text, ...(limit && { limit }) }).map(({ name }) => name);

  it('begins with the generic name, and says what is in a brand', () => {
    expect(names('iBu')[0]).toBe('ibuprofen');
    expect(engine.namesBeginning({ text: 'Perco' })).toEqual([
      { name: 'Percocet', ingredients: ['paracetamol', 'oxycodone'] },
    ]);
  });

  it('says nothing to one letter, to an unknown text, or beyond the limit', () => {
    expect([names(''), names('i'), names(' - '), names('quux')]).toEqual([[], [], [], []]);
    expect(names('pa', 1)).toHaveLength(1);
  });
});

describe('the words of a pack', () => {
  const ids = (...medications: string[]): string[] =>
    createEngine(smallBase())
      .check({ medications })
      .map(({ rule_id }) => rule_id);

  it('do not make a medicine local that the base does not call local by that route', () => {
    const whole = ids('simvastatin', 'clarithromycin');
    expect(whole).not.toEqual([]);
    expect(ids('simvastatin nasal spray', 'clarithromycin')).toEqual(whole);
    expect(ids('simvastatin eye drops', 'clarithromycin')).toEqual(whole);
    expect(ids('simvastatin cream', 'clarithromycin')).toEqual([]);
  });
});
