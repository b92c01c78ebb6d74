import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { allNames, compileWholeBase } from './__fixtures__/whole-base';
import { readKnowledgeFiles } from './build/knowledge-reader';
import { takeSnapshot } from './build/snapshot';
import { alertRate, evaluate, type EvaluationCase } from './build/evaluation';
import { createEngine } from './engine';
import type { InteractionResult, Species } from './types';

const LIBRARY = join(__dirname, '..');
const files = readKnowledgeFiles(join(LIBRARY, 'knowledge'));
const { base, problems } = compileWholeBase();
const engine = createEngine(base);

const RANK = ['unknown', 'minor', 'moderate', 'major', 'contraindicated'];
const rank = (severity: string): number => RANK.indexOf(severity);
const check = (medications: string[], species?: Species): InteractionResult[] =>
  engine.check({ medications, species });

/** The rank of the most severe finding of a kind; -1 without a finding. */
function worst(results: readonly InteractionResult[], kind: string): number {
  return Math.max(
    -1,
    ...results.filter((result) => result.kind === kind).map(({ severity }) => rank(severity)),
  );
}

describe('the knowledge base', () => {
  it('has no faults', () => {
    expect(problems).toEqual([]);
  });

  it('keeps its files small enough to review', () => {
    const written = files.filter(({ path }) => path.endsWith('.yaml'));
    const long = written.filter(({ text }) => text.split('\n').length > 450).map(({ path }) => path);
    expect(long).toEqual([]);
  });

  it('stays below 900 kB gzipped, and below 500 kB without brands and translations', () => {
    expect(gzipSync(JSON.stringify(base)).length).toBeLessThan(900_000);
    const { brands, meanings, translated, ...reviewed } = base;
    expect([brands, meanings, translated?.de].every((list) => list && list.length > 0)).toBe(true);
    expect(gzipSync(JSON.stringify(reviewed)).length).toBeLessThan(500_000);
  });

  it('names at least two sources for everything severe, and one for everything else', () => {
    const statements = [...base.rules, ...base.duplicates, ...base.doses, ...base.species];
    const poor = statements.filter(
      ({ severity, sources }) =>
        sources.length < (severity === 'contraindicated' || severity === 'major' ? 2 : 1),
    );
    expect(poor.map(({ id }) => id)).toEqual([]);
  });

  it('says of every source where it is, and of every label in which section', () => {
    const unplaced = base.sources.filter(({ url, url_is }) => !url?.startsWith('https://') || !url_is);
    expect(unplaced.map(({ id }) => id)).toEqual([]);
    const labels = base.sources.filter(({ sections }) => sections).map(({ id }) => id);
    expect(labels).toEqual(['fda-labels', 'ema-smpc', 'mhra-smpc']);
    const [{ sources }] = check(['warfarin', 'ibuprofen gel', 'simvastatin', 'clarithromycin']);
    const label = sources.find(({ id }) => labels.includes(id));
    expect(label).toMatchObject({ url_is: 'search', section: expect.stringMatching(/^4/) });
  });

  it('finds every ingredient and combination by each of its own names', () => {
    const wrong: string[] = [];
    const expectName = (name: string, inns: readonly string[]): void => {
      const [{ ingredients, confidence, meanings }] = engine.resolve({ medications: [name] });
      // A name with several meanings must include the reviewed one.
      if (meanings && inns.every((inn) => ingredients.includes(inn))) return;
      if (confidence !== 1 || [...ingredients].sort().join() !== [...inns].sort().join())
        wrong.push(`${name}: ${ingredients.join()}`);
    };
    for (const { name, inns } of allNames(base)) expectName(name, inns);
    expect(wrong).toEqual([]);
  });

  it('finds every drug with a strength, a form and a salt written behind it', () => {
    const wrong: string[] = [];
    for (const { inn, kind = 'drug' } of base.ingredients) {
      if (kind !== 'drug') continue;
      for (const name of [`${inn} 10 mg tablets`, `${inn.toUpperCase()} 2.5 mg/ml`, `${inn} hydrochloride`]) {
        const [{ ingredients, confidence }] = engine.resolve({ medications: [name] });
        if (confidence !== 1 || !ingredients.includes(inn)) wrong.push(`${name}: ${ingredients.join()}`);
      }
    }
    expect(wrong).toEqual([]);
  });

  it('gives the same findings for a pair both ways round', () => {
    const inns = base.ingredients.map(({ inn }) => inn);
    for (let i = 0; i < inns.length; i += 29) {
      for (let j = 3; j < inns.length; j += 23)
        expect(check([inns[j], inns[i]])).toEqual(check([inns[i], inns[j]]));
    }
  });

  it('uses {b} only where there is a second name', () => {
    const single = [...base.doses, ...base.species].filter((entry) =>
      [entry.summary, entry.mechanism, entry.management].some((text) => base.texts[text].includes('{b}')),
    );
    expect(single.map(({ id }) => id)).toEqual([]);
  });

  it('alerts on no more than 9 % of all pairs of common drugs at moderate or above', () => {
    const file = join(LIBRARY, 'evaluation', 'common-ingredients.txt');
    const names = existsSync(file)
      ? readFileSync(file, 'utf8')
          .split('\n')
          .map((line) => line.trim())
          .filter(Boolean)
      : base.ingredients.map(({ inn }) => inn);
    const { pairs, alerts, unknown } = alertRate(base, names);
    expect(unknown).toEqual([]);
    expect(alerts / pairs).toBeLessThanOrEqual(0.09);
  });
});

describe('pairs that stay silent', () => {
  const file = join(LIBRARY, 'evaluation', 'negatives.jsonl');
  const cases = existsSync(file)
    ? readFileSync(file, 'utf8')
        .split('\n')
        .filter((line) => line.trim() !== '')
        .map((line) => JSON.parse(line) as EvaluationCase)
    : [];

  it('are at least 150, each with a reason and names that are known', () => {
    expect(cases.length).toBeGreaterThanOrEqual(150);
    const unknown = cases.filter(
      ({ a = '', b = '', reason }) => !reason || check([a, b]).some(({ kind }) => kind === 'unrecognized'),
    );
    expect(unknown).toEqual([]);
  });

  it('alert at moderate or above in at most 2 of 100', () => {
    const { negatives, falseAlerts, falseAlertLines } = evaluate(engine, cases);
    if (falseAlerts > negatives * 0.02) expect(falseAlertLines).toEqual([]);
  });
});

describe('the same therapy twice', () => {
  it.each([
    ['a brand and a combination that contains it', ['Tylenol', 'Percocet'], 'paracetamol'],
    ['a brand and its generic', ['Zocor', 'simvastatin'], 'simvastatin'],
    ['a British combination and its part', ['co-codamol', 'paracetamol'], 'paracetamol'],
    ['a contraceptive pill and its oestrogen', ['Microgynon', 'ethinylestradiol'], 'ethinylestradiol'],
  ])('is found: %s', (_, medications, ingredient) => {
    const twice = check(medications).filter(({ kind }) => kind === 'duplicate_therapy');
    expect(twice.map(({ ingredients }) => ingredients)).toContainEqual([ingredient]);
  });

  it.each([
    ['two statins', 'Crestor', 'Zocor', 'moderate'],
    ['two NSAIDs', 'ibuprofen', 'naproxen', 'moderate'],
    ['two ACE inhibitors', 'lisinopril', 'enalapril', 'moderate'],
    ['two proton pump inhibitors', 'omeprazole', 'pantoprazole', 'minor'],
    ['two SSRIs', 'sertraline', 'escitalopram', 'moderate'],
    ['two oral anticoagulants', 'apixaban', 'rivaroxaban', 'major'],
  ])('is found: %s', (_, a, b, least) => {
    expect(worst(check([a, b]), 'duplicate_therapy')).toBeGreaterThanOrEqual(rank(least));
  });

  it('is not what aspirin with clopidogrel is: that is an interaction', () => {
    const results = check(['aspirin 81 mg', 'clopidogrel']);
    expect(worst(results, 'interaction')).toBeGreaterThanOrEqual(rank('minor'));
    expect(worst(results, 'duplicate_therapy')).toBe(-1);
  });

  it.each([
    ['long-acting and mealtime insulin', 'insulin glargine', 'insulin lispro'],
    ['reliever and controller', 'salbutamol inhaler', 'salmeterol inhaler'],
  ])('is no more than a hint for %s', (_, a, b) => {
    expect(worst(check([a, b]), 'duplicate_therapy')).toBeLessThanOrEqual(rank('minor'));
  });
});

describe('food and drink', () => {
  it.each([
    ['simvastatin', 'grapefruit juice', 'major', 'contraindicated'],
    ['felodipine', 'grapefruit juice', 'moderate', 'contraindicated'],
    ['warfarin', 'vitamin K', 'moderate', 'major'],
    ['phenelzine', 'tyramine', 'major', 'contraindicated'],
    ['ciprofloxacin', 'milk', 'moderate', 'major'],
    ['levothyroxine', 'coffee', 'minor', 'moderate'],
    ['metronidazole', 'alcohol', 'moderate', 'contraindicated'],
    ['alprazolam', 'alcohol', 'major', 'contraindicated'],
    ['methotrexate', 'alcohol', 'moderate', 'major'],
    ['theophylline', 'caffeine', 'minor', 'moderate'],
    ['tetracycline', 'dairy', 'moderate', 'major'],
  ])('is found: %s with %s', (drug, food, least, most) => {
    const results = check([drug, food]);
    expect(worst(results, 'food')).toBeGreaterThanOrEqual(rank(least));
    expect(worst(results, 'food')).toBeLessThanOrEqual(rank(most));
    expect(worst(results, 'interaction')).toBe(-1);
  });

  it('counts only when it is named', () => {
    for (const drug of ['simvastatin', 'warfarin', 'metronidazole']) expect(check([drug])).toEqual([]);
  });
});

describe('animals', () => {
  it.each<[Species, string, string]>([
    ['cat', 'paracetamol', 'contraindicated'],
    ['cat', 'permethrin', 'contraindicated'],
    ['cat', 'permethrin spot-on for dogs', 'contraindicated'],
    ['cat', 'naproxen', 'contraindicated'],
    ['dog', 'ibuprofen', 'contraindicated'],
    ['dog', 'xylitol', 'contraindicated'],
    ['dog', 'ivermectin high dose', 'major'],
  ])('%s: %s is %s', (species, name, least) => {
    expect(worst(check([name], species), 'species_toxicity')).toBeGreaterThanOrEqual(rank(least));
    expect(worst(check([name]), 'species_toxicity')).toBe(-1);
  });

  it.each([
    ['carprofen', 'prednisolone', 'major'],
    ['selegiline', 'fluoxetine', 'contraindicated'],
  ])('dog: %s with %s is %s', (a, b, least) => {
    expect(worst(check([a, b], 'dog'), 'interaction')).toBeGreaterThanOrEqual(rank(least));
  });
});

describe('doses', () => {
  it.each([
    ['paracetamol', '1500 mg 4 times a day'],
    ['ibuprofen', '800 mg 5 times a day'],
    ['methotrexate', '10 mg daily'],
    ['citalopram', '60 mg'],
  ])('%s %s is too much', (name, dosage) => {
    expect(worst(engine.checkNew({ name, dosage, medications: [] }), 'dose_ceiling')).toBeGreaterThanOrEqual(
      rank('moderate'),
    );
  });

  it.each([
    ['paracetamol', '1 g every 6 hours'],
    ['ibuprofen', '400 mg three times a day'],
    ['methotrexate', '10 mg once a week'],
    ['citalopram', '40 mg daily'],
  ])('%s %s is not', (name, dosage) => {
    expect(engine.checkNew({ name, dosage, medications: [] })).toEqual([]);
  });

  it.each([
    ['co-codamol', '12 a day', 'paracetamol', 'major'],
    ['Tylenol PM', '2 caplets every 4 hours', 'paracetamol', 'major'],
    ['methotrexate', '1 tablet every day', 'methotrexate', 'contraindicated'],
    ['methotrexate', 'one tablet Monday to Friday', 'methotrexate', 'contraindicated'],
    ['Otrexup 15 mg', 'daily', 'methotrexate', 'contraindicated'],
    ['Ozempic 1 mg', 'daily', 'semaglutide', 'contraindicated'],
    ['Trulicity', 'every day', 'dulaglutide', 'contraindicated'],
    ['Fosamax 70 mg', 'once daily', 'alendronic acid', 'major'],
    ['apixaban', '20 mg twice daily', 'apixaban', 'major'],
    ['vitamin D', '1000 mcg daily', 'colecalciferol', 'moderate'],
  ])('%s %s is too much of %s', (name, dosage, ingredient, least) => {
    const results = engine.checkNew({ name, dosage, medications: [] });
    const hits = results.filter(
      ({ kind, ingredients }) => kind === 'dose_ceiling' && ingredients.includes(ingredient),
    );
    expect(worst(hits, 'dose_ceiling')).toBeGreaterThanOrEqual(rank(least));
  });

  it.each([
    ['Rybelsus 7 mg', 'daily'],
    ['Fosamax 70 mg', 'once a week'],
    ['co-codamol 30/500', '2 tablets 4 times a day'],
    ['Ambien CR', '12.5 mg at night'],
  ])('%s %s is as the label says', (name, dosage) => {
    expect(engine.checkNew({ name, dosage, medications: [] })).toEqual([]);
  });

  it('add up over the products of a list', () => {
    const medications = ['Tylenol PM, 2 caplets at night', 'Panadol Extra, 2 tablets 4 times a day'];
    const [hit, ...rest] = check(medications).filter(
      ({ kind, ingredients }) => kind === 'dose_ceiling' && ingredients.includes('paracetamol'),
    );
    expect(rest).toEqual([]);
    expect([...hit.medications].sort()).toEqual([...medications].sort());
    const alone = check(medications.slice(1)).filter(({ kind }) => kind === 'dose_ceiling');
    expect(alone.map(({ ingredients }) => ingredients)).toEqual([['caffeine']]);
  });
});

describe('names', () => {
  it.each([
    ['hydroxyzine', 'hydralazine'],
    ['clonidine', 'clonazepam'],
    ['Celexa', 'Celebrex'],
    ['Losec', 'Lasix'],
    ['prednisone', 'prednisolone'],
    ['chlorpromazine', 'chlorpropamide'],
    ['tramadol', 'trazodone'],
  ])('are never corrected from %s to %s or back', (a, b) => {
    const [{ ingredients: first }, { ingredients: second }] = engine.resolve({ medications: [a, b] });
    expect(first).not.toEqual(second);
    for (const [name, right, wrong] of [
      [a, first, second],
      [b, second, first],
    ] as const) {
      for (const damaged of oneMistake(name)) {
        const [{ ingredients, confidence }] = engine.resolve({ medications: [damaged] });
        if (confidence === 1) continue;
        expect(`${damaged}: ${ingredients.join()}`).not.toBe(`${damaged}: ${wrong.join()}`);
        if (ingredients.length > 0 && name.length >= 9)
          expect(`${damaged}: ${ingredients.join()}`).toBe(`${damaged}: ${right.join()}`);
      }
    }
  });
});

describe('the all-pairs snapshot', () => {
  it('is the committed one; if the change is meant, review it with kb:diff and write it with kb:snapshot', () => {
    const file = join(LIBRARY, 'all-pairs.snapshot.json');
    expect(takeSnapshot(base)).toEqual(JSON.parse(readFileSync(file, 'utf8')));
  });
});

function oneMistake(name: string): string[] {
  const damaged: string[] = [];
  for (let at = 1; at < name.length; at++) {
    damaged.push(name.slice(0, at) + name.slice(at + 1), name.slice(0, at) + name[at] + name.slice(at));
    if (at + 1 < name.length) damaged.push(name.slice(0, at) + name[at + 1] + name[at] + name.slice(at + 2));
    for (const letter of 'aeionl') damaged.push(name.slice(0, at) + letter + name.slice(at + 1));
  }
  return damaged.filter((text) => text !== name);
}
