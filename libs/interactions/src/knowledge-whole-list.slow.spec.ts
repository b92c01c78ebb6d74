import { join } from 'node:path';
import { allNames, compileWholeBase } from './__fixtures__/whole-base';
import { readKnowledgeFiles } from './build/knowledge-reader';
import { createEngine } from './engine';
import type { Person } from './person/person';
import type { InteractionResult, Species } from './types';

const files = readKnowledgeFiles(join(__dirname, '..', 'knowledge'));
const { base } = compileWholeBase();
const engine = createEngine(base);

const RANK = ['unknown', 'minor', 'moderate', 'major', 'contraindicated'];
const rank = (severity: string): number => RANK.indexOf(severity);
const check = (medications: string[], species?: Species): InteractionResult[] =>
  engine.check({ medications, species });

describe('medicines that add up', () => {
  const burdens = (...medications: string[]) =>
    check(medications).filter(({ kind }) => kind === 'cumulative_burden');

  it.each([
    ['burden-triple-whammy', 'major', ['ramipril', 'furosemide', 'ibuprofen']],
    ['burden-qt', 'major', ['citalopram', 'amiodarone', 'clarithromycin']],
    ['burden-serotonin', 'major', ['sertraline', 'tramadol', 'linezolid']],
    ['burden-bleeding', 'major', ['warfarin', 'aspirin', 'ibuprofen']],
    ['burden-sedation', 'major', ['oxycodone', 'alprazolam', 'gabapentin']],
    ['burden-anticholinergic', 'moderate', ['amitriptyline', 'oxybutynin', 'diphenhydramine']],
    ['burden-potassium', 'major', ['lisinopril', 'spironolactone', 'potassium chloride']],
    ['burden-hypoglycaemia', 'moderate', ['insulin glargine', 'glimepiride', 'sitagliptin']],
    ['burden-blood-pressure', 'moderate', ['tamsulosin', 'sildenafil', 'amlodipine', 'ramipril']],
    ['burden-seizure', 'moderate', ['bupropion', 'tramadol', 'clozapine']],
  ])('are found: %s, %s', (id, least, medications) => {
    const found = burdens(...medications).find(({ rule_id }) => rule_id === id);
    expect(found && rank(found.severity)).toBeGreaterThanOrEqual(rank(least));
    expect([...found!.medications].sort()).toEqual([...medications].sort());
  });

  it('stand once, above their pairs, which they name', () => {
    const all = check(['warfarin', 'aspirin', 'ibuprofen']);
    const [first] = all;
    expect(first).toMatchObject({ kind: 'cumulative_burden', rule_id: 'burden-bleeding' });
    const pairs = all.filter(
      ({ kind, rule_id }) => kind === 'interaction' && first.related_rules.includes(rule_id),
    );
    expect(pairs.length).toBeGreaterThan(1);
    for (const { severity } of pairs) expect(rank(severity)).toBeLessThanOrEqual(rank(first.severity));
  });

  it('are found for a new medicine and a list', () => {
    const results = engine.checkNew({ name: 'ibuprofen', medications: ['ramipril', 'furosemide'] });
    expect(results.map(({ rule_id }) => rule_id)).toContain('burden-triple-whammy');
  });

  it.each([
    [['paracetamol', 'amoxicillin', 'omeprazole']],
    [['metformin', 'simvastatin', 'aspirin', 'bisoprolol', 'ramipril']],
    [['warfarin', 'ibuprofen']],
    [['ramipril', 'furosemide', 'ibuprofen gel']],
  ])('are not seen in %j', (medications) => expect(burdens(...medications)).toEqual([]));
});

describe('a cabinet of many medicines', () => {
  const cabinets: [string, string[]][] = [
    ['heart', ['amiodarone', 'warfarin', 'digoxin', 'simvastatin', 'bisoprolol', 'furosemide', 'levothyroxine', 'clarithromycin']],
    ['pain', ['Oramorph', 'MST 30 mg', 'pregabalin', 'amitriptyline', 'diazepam', 'salbutamol', 'theophylline', 'azithromycin']],
    ['transplant', ['Prograf', 'CellCept', 'prednisolone', 'co-trimoxazole', 'amlodipine', 'omeprazole', 'fluconazole']],
    ['older', ['warfarin', 'sertraline', 'Nytol', 'ibuprofen', 'oxybutynin', 'ginkgo', 'ramipril', 'metformin', 'insulin glargine']],
  ]; // prettier-ignore
  const urgency = ['avoid', 'adjust_dose', 'separate_doses', 'monitor', 'be_aware'];

  it.each(cabinets)('%s: what to do today stands first', (_, medications) => {
    const all = check(medications);
    expect(all.length).toBeGreaterThan(3);
    const places = all
      .filter(({ kind }) => kind !== 'cumulative_burden')
      .map(({ severity, action }) => (10 - rank(severity)) * 10 + urgency.indexOf(action));
    expect(places).toEqual([...places].sort((a, b) => a - b));
    // A burden stands before the pairs of its severity that are part of it.
    all.forEach(({ kind, severity, related_rules }, at) => {
      if (kind !== 'cumulative_burden') return;
      const before = all.slice(0, at).filter((other) => other.severity === severity);
      expect(before.filter(({ rule_id }) => related_rules.includes(rule_id))).toEqual([]);
    });
  });

  it.each(cabinets)('%s: says nothing whose advice is to change nothing about a planned pair', (_, medications) => {
    const told = check(medications).map(({ management }) => management);
    expect(told.filter((text) => /^(?:Continue as planned|No change is (?:usually )?needed\.)/.test(text))).toEqual([]);
  }); // prettier-ignore

  it('tells two packs of one opioid once', () => {
    const all = check(['Oramorph', 'MST 30 mg', 'diazepam', 'pregabalin']);
    const opioid = all.filter(({ rule_id }) => rule_id === 'opioid-benzodiazepine');
    expect(opioid.map(({ medications }) => [...medications].sort())).toEqual([
      ['MST 30 mg', 'Oramorph', 'diazepam'],
    ]);
    const [burden] = all.filter(({ rule_id }) => rule_id === 'burden-sedation');
    expect(burden.medications).toEqual(expect.arrayContaining(['Oramorph', 'MST 30 mg']));
  });

  it('does not call a medicine for emergencies a double of a daily one', () => {
    const kinds = check(['Buccolam', 'clobazam']).map(({ kind }) => kind);
    expect(kinds).toEqual(['interaction']);
  });
});

describe('the person', () => {
  const cautions = (name: string, person?: Person) =>
    engine.check({ medications: [name], person }).filter(({ kind }) => kind === 'person_caution');

  it.each<[string, string, Person]>([
    ['aspirin', 'contraindicated', { age: 12 }],
    ['codeine', 'contraindicated', { age: 8 }],
    ['tramadol', 'contraindicated', { age: 8 }],
    ['diazepam', 'moderate', { age: 70 }],
    ['isotretinoin', 'contraindicated', { pregnant: true }],
    ['ramipril', 'contraindicated', { pregnant: true }],
    ['codeine', 'major', { breastfeeding: true }],
    ['ibuprofen', 'major', { egfr: 40 }],
    ['metformin', 'contraindicated', { egfr: 25 }],
    ['timolol eye drops', 'major', { conditions: ['asthma'] }],
    ['amitriptyline', 'moderate', { conditions: ['glaucoma'] }],
    ['diltiazem', 'major', { conditions: ['heart_failure'] }],
    ['primaquine', 'contraindicated', { conditions: ['g6pd_deficiency'] }],
    ['bupropion', 'major', { conditions: ['epilepsy'] }],
    ['citalopram', 'contraindicated', { conditions: ['long_qt'] }],
    ['Augmentin', 'contraindicated', { allergies: ['penicillin'] }],
    ['cefalexin', 'moderate', { allergies: ['penicillin'] }],
    ['co-trimoxazole', 'contraindicated', { allergies: ['sulfonamide'] }],
    ['Advil', 'contraindicated', { allergies: ['nsaid'] }],
    ['morphine', 'major', { allergies: ['opioid'] }],
    ['Microgynon', 'contraindicated', { smokes: true, age: 38 }],
    ['clozapine', 'moderate', { smokes: true }],
    ['methotrexate', 'contraindicated', { breastfeeding: true }],
    ['Arava', 'contraindicated', { pregnant: true }],
    ['carbamazepine', 'major', { pregnant: true }],
    ['fluconazole', 'major', { pregnant: true }],
    ['Ozempic', 'major', { pregnant: true }],
    ['apixaban', 'major', { pregnant: true }],
    ['sertraline', 'moderate', { pregnant: true }],
    ['letrozole', 'contraindicated', { pregnant: true }],
    ['atorvastatin', 'major', { breastfeeding: true }],
    ['diazepam', 'moderate', { breastfeeding: true }],
    ['cabergoline', 'moderate', { breastfeeding: true }],
    ['valproate', 'major', { sex: 'female', age: 24 }],
    ['finasteride', 'major', { sex: 'female' }],
    ['yellow fever vaccine', 'contraindicated', { allergies: ['egg'] }],
    ['propofol', 'moderate', { allergies: ['egg'] }],
    ['oxybutynin', 'moderate', { age: 70 }],
  ])('is warned of %s: %s for %j', (name, severity, person) => {
    expect(cautions(name, person).map((result) => result.severity)).toContain(severity);
    expect(cautions(name)).toEqual([]);
    expect(engine.checkNew({ name, medications: [], person }).map(({ kind }) => kind)).toContain(
      'person_caution',
    );
  });

  it.each<[string, Person]>([
    ['aspirin', { age: 16 }],
    ['aspirin', { sex: 'male' }],
    ['ibuprofen gel', { egfr: 40 }],
    ['paracetamol', { age: 8, pregnant: true, allergies: ['nsaid'] }],
    ['Microgynon', { smokes: true, age: 30 }],
    ['valproate', { sex: 'female', age: 60 }],
    ['valproate', { sex: 'male', age: 24 }],
    ['finasteride', { sex: 'male' }],
    ['influenza vaccine', { allergies: ['egg'] }],
    ['measles mumps and rubella vaccine', { allergies: ['egg'] }],
    ['amoxicillin', { pregnant: true, breastfeeding: true }],
    ['paracetamol', { pregnant: true, breastfeeding: true }],
    ['insulin glargine', { pregnant: true, breastfeeding: true }],
    ['levothyroxine', { pregnant: true, breastfeeding: true }],
    ['tretinoin cream', { breastfeeding: true }],
  ])('is not warned of %s: %j', (name, person) => {
    expect(cautions(name, person).map(({ rule_id }) => rule_id)).toEqual([]);
  });

  it('is no animal', () => {
    const kinds = engine
      .check({ medications: ['aspirin'], species: 'dog', person: { age: 5 } })
      .map(({ kind }) => kind);
    expect(kinds).not.toContain('person_caution');
  });
});

describe('animals of which nothing is known', () => {
  it.each<[Species, string]>([
    ['dog', 'bempedoic acid'],
    ['cat', 'bempedoic acid'],
    ['dog', 'Rezdiffra'],
  ])('are said to be not assessed: %s, %s', (species, name) => {
    expect(check([name], species)).toMatchObject([
      { kind: 'not_assessed', severity: 'unknown', action: 'be_aware', medications: [name] },
    ]);
    expect(check([name])).toEqual([]);
  });

  it.each<[Species, string]>([
    ['dog', 'maropitant'],
    ['cat', 'selamectin'],
  ])('are not those that vets treat with it: %s, %s', (species, name) => {
    expect(check([name], species)).toEqual([]);
  });

  it.each<[Species, string]>([
    ['dog', 'warfarin'],
    ['dog', 'zolpidem'],
    ['cat', 'bisoprolol'],
    ['cat', 'potassium bromide'],
    ['dog', 'meloxicam 15 mg'],
  ])('never answer with an empty list: %s, %s', (species, name) => {
    expect(check([name], species)).not.toEqual([]);
  });
});

describe('brands of national registers', () => {
  const resolve = (name: string) => engine.resolve({ medications: [name] })[0];

  it.each([
    ['France', 'Bi-Profenid', ['ketoprofen']],
    ['Poland', 'Apap Noc', ['paracetamol', 'diphenhydramine']],
    ['Italy', 'Metforal', ['metformin']],
    ['Brazil', 'Parasin', ['albendazole']],
    ['Germany', 'Metohexal', ['metoprolol']],
    ['Türkiye', 'Coraspin', ['aspirin']],
    ['India', 'Pan D', ['domperidone', 'pantoprazole']],
    ['Türkiye', 'Macrol', ['clarithromycin']],
  ])('are known: %s, %s', (_country, name, ingredients) => {
    expect([...resolve(name).ingredients].sort()).toEqual([...ingredients].sort());
    expect(resolve(name).confidence).toBe(1);
  });

  it.each([
    ['Glynase', ['glibenclamide', 'glipizide']],
    ['Dolorex', ['butorphanol', 'diclofenac']],
    ['Sominex', ['diphenhydramine', 'promethazine']],
  ])('with several meanings are read as all of them: %s', (name, ingredients) => {
    const { ingredients: read, meanings = [], confidence } = resolve(name);
    expect(read).toEqual(expect.arrayContaining(ingredients));
    expect(meanings.length).toBeGreaterThan(1);
    expect(confidence).toBe(0.5);
    expect(check([name]).filter(({ kind }) => kind === 'name_assumed')).toHaveLength(1);
  });

  it('never take the place of a reviewed name without a word', () => {
    const reviewed = createEngine({ ...base, brands: [], meanings: [] });
    const changed = allNames(base)
      .map(({ name }) => name)
      .filter((name) => {
        const [before] = reviewed.resolve({ medications: [name] });
        const [after] = engine.resolve({ medications: [name] });
        return before.ingredients.join() !== after.ingredients.join() && after.meanings === undefined;
      });
    expect(changed).toEqual([]);
  });

  it.each(['Tylenol Balance', 'ibuprofen Night', 'Panadol Complete'])(
    'do not complete another name: %s',
    (name) => {
      expect(check([name]).map(({ kind }) => kind)).toContain('unrecognized');
    },
  );

  it('come with their source and licence', () => {
    const tables = files.filter(({ path }) => path.startsWith('brands/'));
    expect(tables.length).toBeGreaterThan(9);
    for (const { text } of tables) expect(text).toMatch(/^# country: [A-Z]{2}\n# source: \S.{20,}\n/);
  });
});
