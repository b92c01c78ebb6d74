import { compileWholeBase } from './__fixtures__/whole-base';
import { createEngine } from './engine';
import type { InteractionResult, Species } from './types';

/**
 * Faults that a pharmacist found in the base, one test per statement. The tests use brands where people would
 * type them.
 */
const { base } = compileWholeBase();
const engine = createEngine(base);

type Grade = 'none' | 'minor' | 'moderate' | 'major' | 'contraindicated';
const RANK: readonly string[] = ['none', 'minor', 'moderate', 'major', 'contraindicated'];

const PAIR_KINDS = ['interaction', 'food'];

/** The findings about a pair itself, without double therapy and findings about names. */
function pairFindings(a: string, b: string, species?: Species): InteractionResult[] {
  return engine.check({ medications: [a, b], species }).filter(({ kind }) => PAIR_KINDS.includes(kind));
}

function worst(results: readonly InteractionResult[]): Grade {
  const grades = results.map(({ severity }) => RANK.indexOf(severity));
  return RANK[Math.max(0, ...grades)] as Grade;
}

const textsOf = (results: readonly InteractionResult[]): string =>
  results.map(({ summary, mechanism, management }) => `${summary} ${mechanism} ${management}`).join(' ');

describe('the grade of a pair', () => {
  it.each<[string, string, Grade]>([
    ['moclobemide', 'citalopram', 'contraindicated'],
    ['moclobemide', 'escitalopram', 'contraindicated'],
    ['fluvoxamine', 'citalopram', 'major'],
    ['fluvoxamine', 'escitalopram', 'major'],
    ['lithium', 'amiodarone', 'major'],
    ['procainamide', 'levofloxacin', 'contraindicated'],
    ['procainamide', 'ofloxacin', 'major'],
    ['stiripentol', 'ergotamine', 'contraindicated'],
    ['stiripentol', 'dihydroergotamine', 'contraindicated'],
    ['stiripentol', 'simvastatin', 'contraindicated'],
    ['vemurafenib', 'tizanidine', 'major'],
    ['vemurafenib', 'digoxin', 'major'],
    ['Vivotif', 'ciprofloxacin', 'major'],
    ['Typhim Vi', 'azithromycin', 'none'],
    ['Emend', 'Microgynon', 'moderate'],
    ['Leqembi', 'Eliquis', 'major'],
    ['donanemab', 'warfarin', 'major'],
    ['lecanemab', 'alteplase', 'major'],
    ['high-fat meal', 'ivabradine', 'none'],
    ['high-fat meal', 'sirolimus', 'minor'],
    ['fondaparinux', 'ramipril', 'none'],
    ['fondaparinux', 'spironolactone', 'none'],
    ['enoxaparin', 'ramipril', 'moderate'],
    ['brimonidine eye drops', 'amitriptyline', 'moderate'],
    ['Mirvaso gel', 'amitriptyline', 'moderate'],
    ['Depo-Provera', 'carbamazepine', 'none'],
    ['etravirine', 'Microgynon', 'none'],
    ['etravirine', 'methadone', 'minor'],
    ['rifabutin', 'methadone', 'minor'],
    ['rifampicin', 'methadone', 'major'],
    ['trimethoprim', 'pioglitazone', 'moderate'],
    ['abiraterone', 'pioglitazone', 'moderate'],
    ['cimetidine', 'eplerenone', 'minor'],
    ['terbinafine', 'nortriptyline', 'major'],
    ['leflunomide', 'pioglitazone', 'major'],
    ['teriflunomide', 'pioglitazone', 'major'],
    ['tizanidine', 'famotidine', 'moderate'],
    ['rasagiline', 'sertraline', 'major'],
    ['rasagiline', 'fluoxetine', 'contraindicated'],
    ['rasagiline', 'methadone', 'contraindicated'],
    ['rasagiline', 'cyclobenzaprine', 'contraindicated'],
    ['selegiline', 'sertraline', 'contraindicated'],
    ['Pepto-Bismol', 'warfarin', 'moderate'],
    ['Pepto-Bismol', 'methotrexate', 'moderate'],
    ['Metamucil', 'levothyroxine', 'minor'],
    ['Berocca', 'ciprofloxacin', 'moderate'],
    ['etrasimod', 'amiodarone', 'major'],
    ['Velsipity', 'metoprolol', 'major'],
    ['etrasimod', 'azathioprine', 'major'],
    ['insulin glargine', 'semaglutide', 'moderate'],
    ['gliclazide', 'empagliflozin', 'moderate'],
    ['oxybutynin', 'amitriptyline', 'moderate'],
    ['metamizole', 'clozapine', 'major'],
    ['Varivax', 'aspirin', 'moderate'],
    ['FluMist', 'aspirin', 'major'],
    ['FluMist', 'oseltamivir', 'moderate'],
    ['Varivax', 'aciclovir', 'moderate'],
    ['Zostavax', 'valaciclovir', 'moderate'],
    ['digoxin', 'oleander', 'contraindicated'],
    ['digoxin', 'lily of the valley', 'contraindicated'],
    ['Roaccutane', 'cod liver oil', 'major'],
    ['Roaccutane', 'multivitamin', 'moderate'],
    ['warfarin', 'multivitamin', 'moderate'],
    ['abrocitinib', 'clopidogrel', 'major'],
    ['Rezdiffra', 'Crestor', 'moderate'],
    ['momelotinib', 'rosuvastatin', 'moderate'],
    ['vadadustat', 'simvastatin', 'moderate'],
    ['Bridion', 'Microgynon', 'moderate'],
    ['belzutifan', 'Microgynon', 'major'],
    ['tovorafenib', 'Microgynon', 'major'],
    ['suzetrigine', 'Microgynon', 'major'],
    ['omaveloxolone', 'Microgynon', 'major'],
    ['Opill', 'Mounjaro', 'moderate'],
    ['Rybelsus', 'levothyroxine', 'moderate'],
    ['Rybelsus', 'coffee', 'moderate'],
    ['Leqselvi', 'fluconazole', 'contraindicated'],
    ['Veozah', 'ciprofloxacin', 'contraindicated'],
    ['Vicks VapoRub', 'Wellbutrin', 'none'],
    ['karela', 'glimepiride', 'minor'],
    ['Sudafed PE', 'ramipril', 'minor'],
    ['Daktarin oral gel', 'warfarin', 'major'],
    ['Flonase nasal spray', 'Norvir', 'major'],
    ['aficamten', 'fluconazole', 'major'],
    ['aficamten', 'omeprazole', 'none'],
    ['vaginal estradiol', 'lamotrigine', 'none'],
    ['Vagifem', 'lamotrigine', 'none'],
    ['estradiol gel', 'lamotrigine', 'major'],
    ['lidocaine patch', 'amiodarone', 'none'],
    ['Versatis', 'amiodarone', 'none'],
    ['lidocaine infusion', 'amiodarone', 'major'],
    ['oral vancomycin', 'gentamicin', 'none'],
    ['Firvanq', 'gentamicin', 'none'],
    ['vancomycin injection', 'gentamicin', 'major'],
    ['alcohol-free beer', 'metronidazole', 'none'],
    ['non-alcoholic beer', 'metronidazole', 'none'],
    ['beer', 'metronidazole', 'major'],
  ])('%s with %s is %s', (a, b, expected) => {
    expect(worst(pairFindings(a, b))).toBe(expected);
    expect(worst(pairFindings(b, a))).toBe(expected);
  });
});

describe('a name', () => {
  const kindsOf = (name: string): string[] => engine.check({ medications: [name] }).map(({ kind }) => kind);
  const read = (name: string): string =>
    engine
      .resolve({ medications: [name] })[0]
      .ingredients.sort()
      .join(' + ');

  it.each(['Belladonna D6', 'Arnica C30', 'Nux vomica 30C', 'Aconitum D12 Globuli'])(
    'of a homeopathic dilution is not checked as its substance, and says so: %s',
    (name) => {
      expect(read(name)).toBe('');
      expect(kindsOf(name)).toEqual(['unrecognized']);
    },
  );

  it.each(['alcohol-free beer', 'non-alcoholic beer', 'bière sans alcool'])('holds nothing: %s', (name) => {
    expect(read(name)).toBe('');
    expect(kindsOf(name)).toEqual([]);
  });

  it.each([
    ['Coraspin', 'aspirin'],
    ['Metohexal', 'metoprolol'],
    ['Macrol', 'clarithromycin'],
  ])('of a brand is not read as another drug: %s', (name, inn) => {
    expect(read(name)).toBe(inn);
  });

  it('of no brand is not guessed: sleeping pill', () => {
    expect(read('sleeping pill')).toBe('');
    expect(kindsOf('sleeping pill')).toEqual(['unrecognized']);
  });

  it.each([
    ['Glynase', 'glibenclamide + glipizide'],
    ['Dolorex', 'butorphanol + diclofenac'],
  ])('with several meanings is checked as all of them: %s', (name, inns) => {
    expect(read(name)).toBe(inns);
    expect(kindsOf(name)).toContain('name_assumed');
  });
});

describe('what a finding says', () => {
  it.each<[string, string, RegExp]>([
    ['rilpivirine', 'famotidine', /12 hours before or 4 hours after rilpivirine/],
    ['rilpivirine', 'Maalox', /2 hours before or 4 hours after rilpivirine/],
    ['aprepitant', 'ethinylestradiol', /28 days/],
    ['milk', 'ibandronic acid', /60 minutes/],
    ['levothyroxine', 'theophylline', /may lower theophylline/],
    ['EpiPen', 'amitriptyline', /still right in an emergency/],
    ['psyllium', 'digoxin', /psyllium/i],
    ['mavacamten', 'omeprazole', /CYP2C19/],
    ['aficamten', 'fluconazole', /CYP2C9/],
  ])('%s with %s says %s', (a, b, expected) => {
    expect(textsOf(pairFindings(a, b))).toMatch(expected);
  });

  it('never tells anyone to avoid an adrenaline auto-injector', () => {
    const results = pairFindings('EpiPen', 'amitriptyline');
    expect(results.map(({ action }) => action)).toEqual(['be_aware']);
  });

  it('puts dangerous chocolate at 3 to 4 g of dark chocolate per kg', () => {
    const [result] = engine.check({ medications: ['chocolate'], species: 'dog' });
    expect(result.mechanism).toMatch(/3 to 4 g of dark chocolate/);
  });
});

describe('the citations', () => {
  it('name the study of 2003 only for what it studied', () => {
    const source = base.sources.findIndex(({ id }) => id === 'juurlink-2003');
    const statements = base.rules.filter(({ sources }) => sources.includes(source)).map(({ id }) => id);
    expect(statements.sort()).toEqual([
      'potassium-sparing-hyperkalaemic',
      'sulfonylurea-2c9',
      'sulfonylurea-macrolide',
      'sulfonylurea-sulfonamide',
    ]);
  });

  it('hold no source that could not be placed', () => {
    expect(base.sources.map(({ id }) => id)).not.toContain('ilae-aed-interactions');
  });
});

describe('a ceiling', () => {
  const worstDose = (name: string, dosage: string): Grade =>
    worst(engine.checkNew({ name, dosage, medications: [] }).filter(({ kind }) => kind === 'dose_ceiling'));

  it.each<[string, string, Grade]>([
    ['ibuprofen', '400 mg 3 times a day', 'none'],
    ['ibuprofen', '400 mg 4 times a day', 'moderate'],
    ['ibuprofen', '800 mg 4 times a day', 'major'],
    ['amitriptyline', '200 mg at night', 'major'],
    ['trazodone', '500 mg daily', 'moderate'],
    ['haloperidol', '60 mg daily', 'major'],
    ['theophylline', '1200 mg daily', 'major'],
    ['alprazolam', '6 mg daily', 'moderate'],
    ['alprazolam', '12 mg daily', 'major'],
    ['furosemide', '1 g daily', 'major'],
    ['ketoprofen', '300 mg daily', 'major'],
    ['bupropion', '450 mg daily', 'moderate'],
    ['Ambien CR', '12.5 mg at night', 'none'],
    ['zolpidem', '20 mg at night', 'major'],
    ['Fosamax', '70 mg once daily', 'contraindicated'],
    ['Fosamax', '70 mg once a week', 'none'],
    ['alendronic acid', '10 mg daily', 'none'],
    ['dulaglutide', '1.5 mg daily', 'contraindicated'],
    ['apixaban', '20 mg twice daily', 'major'],
    ['apixaban', '5 mg twice daily', 'none'],
    ['co-codamol', '12 a day', 'major'],
    ['methotrexate', '1 tablet every day', 'contraindicated'],
    ['methotrexate', 'Monday to Friday', 'contraindicated'],
    ['Otrexup 15 mg', 'daily', 'contraindicated'],
    ['semaglutide', '1 mg daily', 'contraindicated'],
    ['semaglutide', '1 mg once a week', 'none'],
  ])('%s %s is %s', (name, dosage, expected) => {
    expect(worstDose(name, dosage)).toBe(expected);
  });
});

describe('an animal', () => {
  it.each<[Species, string, Grade]>([
    ['dog', 'warfarin', 'major'],
    ['dog', 'Eliquis', 'major'],
    ['dog', 'colchicine', 'contraindicated'],
    ['dog', 'Afrin nasal spray', 'major'],
    ['dog', 'xylometazoline', 'major'],
    ['dog', 'zolpidem', 'major'],
    ['cat', 'zopiclone', 'major'],
    ['dog', 'Sudocrem', 'moderate'],
    ['dog', 'zinc cream', 'major'],
    ['dog', 'meloxicam 15 mg', 'moderate'],
    ['dog', 'carprofen', 'none'],
    ['dog', 'Pepto-Bismol', 'moderate'],
    ['cat', 'Pepto-Bismol', 'major'],
    ['cat', 'bisoprolol', 'major'],
    ['dog', 'nebivolol', 'major'],
    ['cat', 'potassium bromide', 'major'],
    ['dog', 'potassium bromide', 'none'],
    ['cat', 'flumethrin', 'minor'],
    ['cat', 'deltamethrin', 'major'],
    ['dog', 'Ventolin inhaler', 'major'],
    ['dog', 'tizanidine', 'major'],
    ['dog', 'sugar-free gum', 'contraindicated'],
    ['dog', 'xylitol gum', 'contraindicated'],
    ['cat', 'lilies', 'contraindicated'],
    ['cat', 'day lily', 'contraindicated'],
    ['dog', 'lily', 'minor'],
    ['cat', 'peace lily', 'moderate'],
    ['dog', 'lily of the valley', 'contraindicated'],
    ['dog', 'dark chocolate', 'contraindicated'],
    ['dog', 'raisins', 'contraindicated'],
    ['cat', 'onion powder', 'major'],
    ['dog', 'antifreeze', 'contraindicated'],
    ['cat', 'rat poison', 'contraindicated'],
    ['dog', 'slug pellets', 'contraindicated'],
    ['dog', 'sago palm', 'major'],
  ])('%s with %s: %s', (species, name, expected) => {
    const results = engine.check({ medications: [name], species });
    expect(worst(results.filter(({ kind }) => kind === 'species_toxicity'))).toBe(expected);
    expect(results.filter(({ kind }) => kind === 'unrecognized')).toEqual([]);
  });
});
