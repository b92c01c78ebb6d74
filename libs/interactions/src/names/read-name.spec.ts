import { smallBase } from '../__fixtures__/small-base';
import { createEngine } from '../engine';

const engine = createEngine(smallBase());
const resolve = (name: string): ReturnType<typeof engine.resolve>[number] =>
  engine.resolve({ medications: [name] })[0];

describe('names that are read', () => {
  it.each([
    ['ibuprofen', 'ibuprofen', 'exact'],
    ['IBUPROFEN', 'ibuprofen', 'exact'],
    ['  Ibuprofén  ', 'ibuprofen', 'exact'],
    ['ｉｂｕｐｒｏｆｅｎ', 'ibuprofen', 'exact'],
    ['Advil®', 'ibuprofen', 'brand'],
    ['Advil™ 200mg', 'ibuprofen', 'brand'],
    ['acetaminophen', 'paracetamol', 'exact'],
    ['APAP', 'paracetamol', 'synonym'],
    ['ibuprofen 200 mg', 'ibuprofen', 'exact'],
    ['ibuprofen 200mg film-coated tablets', 'ibuprofen', 'exact'],
    ['ibuprofen 100 mg/5 ml oral suspension', 'ibuprofen', 'exact'],
    ['Ibuprofen 600 mg twice daily with food', 'ibuprofen', 'exact'],
    ['2 x ibuprofen 400', 'ibuprofen', 'exact'],
    ['ibuprofen 6+', 'ibuprofen', 'exact'],
    ['ibuprofen q.i.d.', 'ibuprofen', 'exact'],
    ['Panadol Extra Strength', 'paracetamol', 'brand'],
    ['OxyContin CR 10', 'oxycodone', 'brand'],
    ['simvastatin-ratiopharm 20 mg', 'simvastatin', 'exact'],
    ['Apo-Simvastatin', 'simvastatin', 'exact'],
    ['ibuprofen lysine', 'ibuprofen', 'salt'],
    ['oxycodone hydrochloride 5mg', 'oxycodone', 'salt'],
    ['oxycodone HCl', 'oxycodone', 'salt'],
    ['losartan potassium 50 mg', 'losartan', 'salt'],
    ['warfarin sodium', 'warfarin', 'salt'],
    ['sodium warfarin', 'warfarin', 'salt'],
    ['naproxen (as sodium)', 'naproxen', 'exact'],
    ['warfarin (Coumadin)', 'warfarin', 'exact'],
    ['Coumadin (warfarin)', 'warfarin', 'brand'],
    ['Whatever (ibuprofen)', 'ibuprofen', 'exact'],
    ['amoxicillin/clavulanate', 'amoxicillin + clavulanic acid', 'combination'],
    ['amoxicillin and clavulanic acid 875/125', 'amoxicillin + clavulanic acid', 'combination'],
    ['amoxicillin & clavulanate', 'amoxicillin + clavulanic acid', 'combination'],
    ['amoxicillin with clavulanic acid', 'amoxicillin + clavulanic acid', 'combination'],
    ['amoxicillin, potassium clavulanate', 'amoxicillin + clavulanic acid', 'combination'],
    ['losartan + potassium', 'losartan + potassium', 'combination'],
    ['losartan/HCTZ 50mg/12.5mg', 'losartan + hydrochlorothiazide', 'combination'],
    ['calcium and vitamin D3', 'calcium + vitamin d', 'combination'],
    ['calcium carbonate', 'calcium', 'salt'],
    ['Co-Amoxiclav 500/125', 'amoxicillin + clavulanic acid', 'combination'],
    ['co amoxiclav', 'amoxicillin + clavulanic acid', 'combination'],
    ['Augmentin', 'amoxicillin + clavulanic acid', 'combination'],
    ['vitamin D3 1000 IU', 'vitamin d', 'synonym'],
    ['acetylsalicylic acid 100', 'aspirin', 'synonym'],
    ['lithium carbonate 300 mg', 'lithium', 'synonym'],
    ['vit. D 400 IU', 'vitamin d', 'exact'],
    ['amoxicillin w/ clavulanate', 'amoxicillin + clavulanic acid', 'combination'],
    ['warfarin sod. 5mg tabs', 'warfarin', 'salt'],
    ['a glass of beer', 'ethanol', 'synonym'],
    ['ibuprofen for headache', 'ibuprofen', 'exact'],
    ['ibuprofen, sugar-free', 'ibuprofen', 'exact'],
    ['aspirin-free Tylenol', 'paracetamol', 'brand'],
  ])('reads %j as %s', (input, expected, method) => {
    const { ingredients, ...rest } = resolve(input);
    expect(ingredients.join(' + ')).toBe(expected);
    expect(rest).toMatchObject({ method, confidence: 1 });
    expect(engine.check({ medications: [input] })).toEqual([]);
  });
});

describe('spelling', () => {
  it.each([
    ['ibuprofin', 'ibuprofen'],
    ['ibuporfen', 'ibuprofen'],
    ['hydralizine', 'hydralazine'],
    ['prednizone', 'prednisone'],
    ['prednisoloen', 'prednisolone'],
    ['acetylsalycilic acid', 'aspirin'],
    ['grapfruit juice', 'grapefruit'],
    ['Percoset', 'paracetamol + oxycodone'],
    ['amoxycillan + clavulanic acid', 'amoxicillin + clavulanic acid'],
  ])('corrects %j to %s, and says so', (input, expected) => {
    const { ingredients, method, confidence } = resolve(input);
    expect(ingredients.join(' + ')).toBe(expected);
    expect(method).toBe('spelling');
    expect(confidence).toBeGreaterThan(0.5);
    expect(confidence).toBeLessThan(1);
  });

  it.each([
    ['ibuprofeno', 'ibuprofen'],
    ['simvastatine', 'simvastatin'],
    ['claritromycine 500 mg', 'clarithromycin'],
    ['hidroxizina', 'hydroxyzine'],
  ])('reads %j, of another language, as %s without a remark', (input, expected) => {
    expect(resolve(input)).toMatchObject({ ingredients: [expected], method: 'synonym', confidence: 1 });
    expect(engine.check({ medications: [input] })).toEqual([]);
  });

  it.each([
    ['too short', 'Adil'],
    ['another first letter', 'buprofen'],
    ['between two names', 'prednisolne'],
    ['between two look-alikes, though one is nearer', 'prednisole'],
    ['too far for its length', 'Celexbrx'],
    ['no name at all', 'constructor'],
    ['no name at all', '__proto__'],
    ['no name at all', 'toString'],
    ['nothing but form words', 'tablets 500 mg'],
    ['nothing but a salt', 'hydrochloride'],
    ['nothing but signs', '()/+'],
  ])('does not guess (%s): %j', (_, input) => {
    expect(resolve(input)).toMatchObject({ ingredients: [], method: 'none', confidence: 0 });
  });

  it.each([
    ['hydroxyzine', 'hydralazine'],
    ['Celexa', 'Celebrex'],
    ['Losec', 'Lasix'],
    ['prednisone', 'prednisolone'],
  ])('never reads a damaged %s as %s', (name, other) => {
    const wrong = resolve(other).ingredients.join();
    const letters = 'abcdefghijklmnopqrstuvwxyz';
    for (const [from, not] of [
      [name, wrong],
      [other, resolve(name).ingredients.join()],
    ]) {
      for (let at = 1; at < from.length; at++) {
        const damaged = [from.slice(0, at) + from.slice(at + 1)];
        for (const letter of letters) {
          damaged.push(
            from.slice(0, at) + letter + from.slice(at),
            from.slice(0, at) + letter + from.slice(at + 1),
          );
        }
        for (const input of damaged) {
          if (input.toLowerCase() !== not)
            expect(`${input}: ${resolve(input).ingredients.join()}`).not.toBe(`${input}: ${not}`);
        }
      }
    }
  });

  it.each([
    ['fenobarbital', 'phenobarbital'],
    ['cetoprofeno', 'ketoprofen'],
    ['estrona', 'oestrone'],
  ])('finds the national spelling %s of %s by its first look-up', (input, inn) => {
    const base = smallBase();
    const fresh = createEngine({ ...base, ingredients: [...base.ingredients, { inn }] });
    expect(fresh.resolve({ medications: [input] })[0].ingredients).toEqual([inn]);
  });

  it('suggests near names', () => {
    expect(resolve('prednisolne').suggestions).toEqual(
      expect.arrayContaining(['prednisolone', 'prednisone']),
    );
    expect(resolve('buprofen').suggestions).toEqual(['ibuprofen']);
    expect(resolve('ibuprofen').suggestions).toEqual([]);
  });
});

describe('an assumption', () => {
  const assumed = (name: string) =>
    engine.check({ medications: [name] }).filter(({ kind }) => kind === 'name_assumed');

  it('is reported for every corrected spelling, with what was read', () => {
    const [result, ...rest] = assumed('ibuprofin 400 mg');
    expect(rest).toEqual([]);
    expect(result).toMatchObject({
      severity: 'unknown',
      action: 'be_aware',
      medications: ['ibuprofin 400 mg'],
      ingredients: ['ibuprofen'],
      rule_id: 'name-assumed-spelling',
      matches: [{ input: 'ibuprofin 400 mg', ingredient: 'ibuprofen', method: 'spelling' }],
    });
    expect(result.summary).toContain('"ibuprofin"');
    expect(result.summary).toContain('ibuprofen');
  });

  it('names the ingredient behind a corrected brand', () => {
    expect(assumed('Percoset')[0].summary).toMatch(/Percocet \(paracetamol with oxycodone\)/);
  });

  it('is reported beside the findings it led to', () => {
    const kinds = engine.check({ medications: ['warfarn', 'ibuprofen'] }).map(({ kind }) => kind);
    expect(kinds).toEqual(['interaction', 'name_assumed']);
  });

  it('is reported for each name of a list that a new medicine is checked against', () => {
    const results = engine.checkNew({ name: 'ibuprofin', medications: ['warfarn'] });
    expect(results.filter(({ kind }) => kind === 'name_assumed')).toHaveLength(2);
  });

  it.each(['ibuprofen', 'Advil', 'Advil 200 mg tablets', 'losartan potassium'])(
    'is not made of %j',
    (name) => {
      expect(assumed(name)).toEqual([]);
    },
  );

  it.each([
    ['another letter in a short brand', 'Advol'],
    ['a consonant that sounds different in a brand', 'Tylexol'],
    ['a brand with another ending', 'Coumadit'],
    ['words that name no drug', 'sleeping pill'],
    ['a chemical that is no drug', 'ethylene glycol'],
  ])('is not made where the word is a name of its own: %s', (_, name) => {
    expect(resolve(name)).toMatchObject({ ingredients: [], method: 'none' });
  });
});

describe('a brand with the name of its maker', () => {
  it('is read as the only generic name that begins so, and says so', () => {
    expect(resolve('Simvahexal 20')).toMatchObject({ ingredients: ['simvastatin'], method: 'spelling' });
    const [result] = engine.check({ medications: ['Simvahexal 20'] });
    expect(result).toMatchObject({ kind: 'name_assumed', ingredients: ['simvastatin'] });
  });

  it('is not read where two generic names begin so', () => {
    expect(resolve('Predhexal')).toMatchObject({ ingredients: [], method: 'none' });
  });
});

describe('a name with several meanings', () => {
  const base = smallBase();
  const at = (inn: string): number => base.ingredients.findIndex((ingredient) => ingredient.inn === inn);
  const abroad = createEngine({
    ...base,
    meanings: [
      {
        n: 'Doloran',
        m: [
          { i: [at('ibuprofen')], c: ['IT'] },
          { i: [at('simvastatin')], c: ['DE', 'AT'] },
        ],
      },
    ],
  });

  it('shows them all', () => {
    expect(abroad.resolve({ medications: ['Doloran 200 mg'] })).toEqual([
      {
        input: 'Doloran 200 mg',
        ingredients: ['ibuprofen', 'simvastatin'],
        method: 'combination',
        confidence: 0.5,
        suggestions: [],
        meanings: [
          { ingredients: ['ibuprofen'], countries: ['IT'] },
          { ingredients: ['simvastatin'], countries: ['DE', 'AT'] },
        ],
      },
    ]);
  });

  it('is checked as all of them, and says so', () => {
    const results = abroad.check({ medications: ['Doloran', 'clarithromycin', 'warfarin'] });
    const pairs = results.map(({ kind, ingredients }) => `${kind}: ${[...ingredients].sort().join(' + ')}`);
    expect(pairs).toContain('interaction: ibuprofen + warfarin');
    expect(pairs).toContain('interaction: clarithromycin + simvastatin');
    expect(results.at(-1)).toMatchObject({
      kind: 'name_assumed',
      severity: 'unknown',
      summary: 'Doloran is the name of different medicines: ibuprofen (IT), or simvastatin (DE, AT).',
    });
  });

  it('does not hold its meanings against each other', () => {
    expect(abroad.check({ medications: ['Doloran'] }).map(({ kind }) => kind)).toEqual(['name_assumed']);
  });
});

describe('what a product does not hold', () => {
  it.each(['alcohol-free beer', 'beer without alcohol', 'non-alcohol beer'])('is not checked: %j', (name) => {
    expect(resolve(name).ingredients).toEqual([]);
    expect(engine.check({ medications: [name, 'alprazolam'] })).toEqual([]);
  });

  it.each(['Aspirin D6', 'warfarin 30CH', 'Grapefruit C200 globuli', 'Lithium carbonate D12 tablets'])(
    'a homeopathic dilution is not checked as the substance, and says so: %j',
    (name) => {
      expect(engine.check({ medications: [name, 'ibuprofen'] }).map(({ kind }) => kind)).toEqual([
        'unrecognized',
      ]);
    },
  );

  it.each(['vitamin D 400 IU', 'vitamin D3', 'ibuprofen 3x 400', 'aspirin 100'])(
    '%j is no dilution',
    (name) => {
      expect(resolve(name).ingredients).toHaveLength(1);
    },
  );
});

describe('names that are read in part', () => {
  it.each([
    'Claritin-D',
    'Tylenol PM',
    'Tylenol Cold & Flu',
    'ibuprofen plus',
    'Panadol Extra',
    'aspirin/foobarium',
    'ibuprofen Night',
  ])('never takes %j as completely known', (input) => {
    const { ingredients, confidence } = resolve(input);
    expect(ingredients).toHaveLength(1);
    expect(confidence).toBeLessThanOrEqual(0.5);
    expect(engine.check({ medications: [input] }).map(({ kind }) => kind)).toEqual(['unrecognized']);
  });

  it('leaves out what a product does not contain', () => {
    expect(resolve('Tylenol without oxycodone').ingredients).toEqual(['paracetamol']);
  });
});

describe('hostile names', () => {
  it.each([
    ['a b '.repeat(50)],
    ['((((('.repeat(40)],
    ['q.'.repeat(100)],
    ['ibuprofenibuprofen'.repeat(11)],
    ['1,'.repeat(100)],
    ['\ufdfa'.repeat(200)],
    ['e\u0301'.repeat(100)],
    ['\ud800'],
    ['\u202eibuprofen\u0000'],
    ['and '.repeat(50)],
    ['ibuprofen + '.repeat(16)],
  ])('are read without an error: %j', (input) => {
    expect(() => resolve(input)).not.toThrow();
  });

  const NINE = 'warfarin, apixaban, naproxen, aspirin, lithium, timolol, alprazolam, beer, grapefruit';

  it.each([
    ['nine products and a combination', `${NINE}, Augmentin`, 11, true],
    ['nine products and two combinations', `${NINE}, Augmentin, Percocet`, 11, false],
    ['ten products and one more', `${NINE}, verapamil, simvastatin`, 10, false],
    ['ten products and a combination', `${NINE}, verapamil, Augmentin`, 10, false],
    ['ten products and one of them again', `${NINE}, verapamil, warfarin`, 10, true],
  ])('are read until they come to ten ingredients: %s', (_, input, count, isComplete) => {
    expect(resolve(input).ingredients).toHaveLength(count);
    const kinds = engine.check({ medications: [input] }).map(({ kind }) => kind);
    expect(kinds.includes('unrecognized')).toBe(!isComplete);
  });

  it('reads through direction marks and control characters', () => {
    expect(resolve('\u202eibu\u200bprofen\u0000').ingredients).toEqual(['ibuprofen']);
  });
});
