import { MEASURES, measureOf, ownMetric, ownName, targetOf, valueProblem } from './measures';
import { convert, parseDecimal, readUnit, roundFor, unitOf, UNITS } from './units';

describe('units', () => {
  // Reference values by hand: the definitions of the pound and the inch, 32 °F = 0 °C, 180.156 g/mol of glucose.
  it.each([
    [70, 'kg', '[lb_av]', 154.3],
    [154.3, '[lb_av]', 'kg', 70],
    [36.6, 'Cel', '[degF]', 97.9],
    [98.6, '[degF]', 'Cel', 37],
    [5.5, 'mmol/L', 'mg/dL', 99],
    [100, 'mg/dL', 'mmol/L', 5.6],
    [120, 'mm[Hg]', 'kPa', 16],
    [180, 'cm', '[in_i]', 70.9],
    [250, 'g', 'kg', 0.3],
  ])('converts %p %s to %s: %p', (value, from, to, expected) => {
    expect(roundFor(convert(value, from, to)!, to)).toBe(expected);
  });

  it('gives every value back after there and back again', () => {
    for (const from of UNITS) {
      for (const to of UNITS.filter(({ quantity }) => quantity === from.quantity)) {
        expect(convert(convert(12.5, from.code, to.code)!, to.code, from.code)).toBeCloseTo(12.5, 9);
      }
    }
  });

  it('converts nothing between two quantities, nor an unknown unit', () => {
    expect(convert(1, 'kg', 'cm')).toBeUndefined();
    expect(convert(1, 'kg', 'stone')).toBeUndefined();
    expect(convert(1, 'steps', 'steps')).toBe(1);
  });

  it.each([
    ['mmHg', 'mm[Hg]'],
    ['° C', 'Cel'],
    ['LBS', '[lb_av]'],
    ['MG/DL', 'mg/dL'],
    ['bpm', '/min'],
    ['parsec', undefined],
  ])('reads %p as %p', (text, code) => expect(readUnit(text)?.code).toBe(code));

  it.each([
    ['72,5', 72.5],
    [' 72.5 ', 72.5],
    ['−3', -3],
    ['.5', 0.5],
    ['1.234,5', undefined],
    ['1e3', undefined],
    ['', undefined],
    ['12 kg', undefined],
  ])('reads the number %p as %p', (text, value) => expect(parseDecimal(text)).toBe(value));
});

describe('measures', () => {
  it('have units that convert into each other', () => {
    for (const { units } of MEASURES) {
      for (const code of units)
        expect([code, unitOf(code)?.quantity]).toEqual([code, unitOf(units[0])!.quantity]);
    }
  });

  it.each([
    ['weight', { value: 72.5 }, 'kg', undefined],
    ['weight', { value: 7250 }, 'kg', 'too_high'],
    ['weight', { value: 0 }, 'kg', 'too_low'],
    ['weight', { value: undefined }, 'kg', 'not_a_number'],
    ['weight', { value: 70 }, 'cm', 'unit_unknown'],
    ['temperature', { value: 98.6 }, '[degF]', undefined],
    ['temperature', { value: 98.6 }, 'Cel', 'too_high'],
    ['blood_pressure', { systolic: 120, diastolic: 80 }, 'mm[Hg]', undefined],
    ['blood_pressure', { systolic: 80, diastolic: 120 }, 'mm[Hg]', 'pressure_order'],
    ['blood_pressure', { systolic: 120 }, 'mm[Hg]', 'not_a_number'],
    ['own:steps', { value: 12_000 }, 'steps', undefined],
  ])('%s %j %s: %p', (metric, values, unit, problem) => {
    expect(valueProblem(metric, values as Record<string, number>, unit)?.problem).toBe(problem);
  });

  it('names own measures as the person did', () => {
    expect(ownName(ownMetric('  Steps  a day '))).toBe('Steps a day');
    expect(ownMetric('x'.repeat(100))).toHaveLength(64);
    expect(measureOf(ownMetric('weight'))).toBeUndefined();
  });

  it('reads a target in the unit of the chart, and nothing from what is no target', () => {
    const targets = {
      'blood_pressure.systolic': { high: 140, unit: 'mm[Hg]' },
      weight: { low: 'x', unit: 'kg' },
    };
    expect(targetOf(targets, 'blood_pressure', 'systolic', 'kPa')!.high).toBeCloseTo(18.67, 2);
    expect(targetOf(targets, 'blood_pressure', 'diastolic', 'kPa')).toBeUndefined();
    expect(targetOf(targets, 'weight', 'value', 'kg')).toBeUndefined();
    expect(targetOf(null, 'weight', 'value', 'kg')).toBeUndefined();
  });
});
