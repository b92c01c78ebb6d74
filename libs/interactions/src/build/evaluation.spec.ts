import { smallBase } from '../__fixtures__/small-base';
import { createEngine } from '../engine';
import { allAlerts } from './all-pairs';
import { compareAlerts } from './alert-difference';
import { alertRate, evaluate } from './evaluation';
import { takeSnapshot } from './snapshot';

const base = smallBase();
const engine = createEngine(base);

describe('evaluate', () => {
  it('counts what is found, graded, missed by name and missed by rule', () => {
    const result = evaluate(engine, [
      { a: 'warfarin', b: 'ibuprofen', severity_hint: 'major' },
      { a: 'simvastatin', b: 'clarithromycin', severity_hint: 'contraindicated' },
      { a: 'lithium', b: 'ibuprofen', severity_hint: 'major' },
      { a: 'losartan', b: 'amoxicillin', severity_hint: 'contraindicated' },
      { a: 'losartan', b: 'foobarium', severity_hint: 'minor' },
    ]);
    expect(result).toMatchObject({
      positives: 5,
      found: 3,
      contraindicated: 2,
      contraindicatedFound: 1,
      gradedAsSevere: 2,
    });
    expect(result.missesByRule).toEqual(['losartan + amoxicillin: expected contraindicated']);
    expect(result.missesByName).toEqual(['losartan + foobarium: expected minor; unknown: foobarium']);
    expect(result.undergraded).toHaveLength(1);
  });

  it('counts false alerts from moderate upwards', () => {
    const result = evaluate(engine, [
      { a: 'warfarin', b: 'ibuprofen', reason: 'a mistake' },
      { a: 'apixaban', b: 'naproxen', reason: 'minor only' },
    ]);
    expect(result).toMatchObject({ negatives: 2, falseAlerts: 1, positives: 0 });
  });

  it('compares names by what they mean', () => {
    const result = evaluate(engine, [
      { input: 'Percocet', expected: ['oxycodone', 'acetaminophen'] },
      { input: 'ibuprofin', expected: ['Advil'] },
      { input: 'foobarium', expected: [] },
      { input: 'Celexa', expected: ['celecoxib'] },
    ]);
    expect(result).toMatchObject({ names: 4, namesRight: 3 });
    expect(result.nameMisses).toEqual([`'Celexa': read as citalopram, expected celecoxib`]);
  });
});

describe('alertRate', () => {
  it('counts pairs, not findings, and only from moderate upwards', () => {
    expect(alertRate(base, ['warfarin', 'Advil', 'losartan'])).toEqual({
      names: 3,
      pairs: 3,
      alerts: 1,
      unknown: [],
    });
    expect(alertRate(base, ['ibuprofen', 'naproxen', 'apixaban'])).toMatchObject({ pairs: 3, alerts: 2 });
    expect(alertRate(base, ['warfarin', 'Coumadin', 'nonsense'])).toMatchObject({
      pairs: 1,
      unknown: ['nonsense'],
    });
  });
});

describe('allAlerts', () => {
  it('says what check says of every pair', () => {
    const alerts = allAlerts(base);
    const inns = base.ingredients.map(({ inn }) => inn);
    const pairs = inns.flatMap((x, i) => inns.slice(i + 1).map((y) => [x, y]));
    const expected = pairs
      .flatMap((medications) => engine.check({ medications }))
      .map(({ kind, ingredients, severity, rule_id }) => [
        `${[...ingredients].sort().join(' + ')} [${kind}]`,
        severity,
        rule_id,
      ]);
    const got = [...alerts]
      .filter(([key]) => key.includes(' + '))
      .map(([key, { severity, rule }]) => [key, severity, rule]);
    expect(got.sort()).toEqual(expected.sort());
  });
});

describe('snapshot and difference', () => {
  const changed = { ...base, rules: base.rules.filter(({ id }) => id !== 'apixaban-naproxen') };

  it('is the same for the same base and another when one alert changes', () => {
    expect(takeSnapshot(base)).toEqual(takeSnapshot(smallBase()));
    const [before, after] = [takeSnapshot(base), takeSnapshot(changed)];
    expect(after.hash).not.toBe(before.hash);
    expect(before.byRule['apixaban-naproxen minor interaction']).toBe(1);
    expect(before.byRule['cat-paracetamol contraindicated species_toxicity']).toBe(1);
    expect(Object.values(before.byRule).reduce((sum, count) => sum + count, 0)).toBe(before.alerts);
  });

  it('lists what a change adds, removes and re-grades', () => {
    const difference = compareAlerts(allAlerts(base), allAlerts(changed));
    expect(difference).toEqual({
      added: [],
      removed: [],
      worse: ['apixaban + naproxen [interaction] minor -> major (apixaban-naproxen -> anticoagulant-nsaid)'],
      milder: [],
    });
    expect(compareAlerts(allAlerts(changed), allAlerts(base)).milder).toHaveLength(1);
    const without = { ...base, rules: base.rules.filter(({ id }) => id !== 'lithium-nsaid') };
    expect(compareAlerts(allAlerts(base), allAlerts(without)).removed).toHaveLength(3);
    expect(compareAlerts(allAlerts(without), allAlerts(base)).added).toHaveLength(3);
  });
});
