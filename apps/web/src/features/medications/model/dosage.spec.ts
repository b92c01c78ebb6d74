import { dosageOf, EMPTY_DOSAGE, type EnteredDosage, hasDailyLimit, lacksVolume, numberOf } from './dosage';

const TWICE = ['08:00', '20:00'];

const ENTERED: EnteredDosage = { ...EMPTY_DOSAGE, name: 'Amlodipine' };

/** `libs/interactions/src/dosage/parse-dosage.spec.ts` reads each of these texts. */
describe('the dosage that is checked', () => {
  it.each<[string, Partial<EnteredDosage>, string]>([
    [
      'has the tablets of a dose',
      { strength: '500 mg', amount: '2', times: TWICE },
      '2 x 500 mg 2 times a day',
    ],
    ['has half a tablet', { strength: '10 mg', amount: '0,5' }, '0.5 x 10 mg 1 times a day'],
    [
      'has millilitres',
      { strength: '20 mg/ml', amount: '5', unit: 'ml', times: TWICE },
      '5 ml of 20 mg/ml 2 times a day',
    ],
    ['takes an amount in grams as it is', { amount: '1.5', unit: 'g', times: TWICE }, '1.5 g 2 times a day'],
    [
      'takes an amount in units as it is',
      { strength: '100 units/ml', amount: '10', unit: 'unit' },
      '10 units 1 times a day',
    ],
    [
      'leaves the strength to the name',
      { name: 'Ibuprofen 400 mg', amount: '2', times: TWICE },
      '2 tablet 2 times a day',
    ],
    ['guesses no strength', { name: 'Ibuprofen', amount: '2' }, ''],
    [
      'spreads one dose over a week',
      { strength: '14 mg', days: 'weekdays', weekdays: [1] },
      '1 x 14 mg 1 times a week',
    ],
    [
      'spreads one dose over some days',
      { strength: '14 mg', days: 'nth', everyDays: '7' },
      '1 x 14 mg every 7 days',
    ],
    [
      'holds several doses of a day against the limit of a day',
      { strength: '500 mg', days: 'weekdays', weekdays: [1], times: TWICE },
      '1 x 500 mg 2 times a day',
    ],
    [
      'is one dose where it is taken as needed',
      { strength: '500 mg', amount: '2', kind: 'asNeeded' },
      '2 x 500 mg',
    ],
    [
      'is the strength where no amount is entered',
      { strength: '500 mg', amount: '' },
      '500 mg 1 times a day',
    ],
  ])('%s', (_, entered, words) => expect(dosageOf({ ...ENTERED, ...entered })).toBe(words));
});

describe('an amount in millilitres', () => {
  const ml: Partial<EnteredDosage> = { name: 'Nurofen', unit: 'ml', amount: '5', times: [...TWICE, '12:00'] };

  it.each<[string, string, string]>([
    ['200 mg/5 ml', '', '5 ml of 200 mg/5 ml 3 times a day'],
    ['200mg / 5ml', '', '5 ml of 200mg/5 ml 3 times a day'],
    ['40 mg/ml', '', '5 ml of 40 mg/ml 3 times a day'],
    ['200 mg in 5 ml', '', '5 ml of 200 mg/5 ml 3 times a day'],
    ['200 mg pro 5 ml', '', '5 ml of 200 mg/5 ml 3 times a day'],
    ['200 mg por 5 ml', '', '5 ml of 200 mg/5 ml 3 times a day'],
    ['100 I.E./ml', '', '5 ml of 100 I.E./ml 3 times a day'],
    ['4 %', '', '5 ml of 40 mg/ml 3 times a day'],
    ['0,9%', '', '5 ml of 9 mg/ml 3 times a day'],
    ['', 'Nurofen Junior 40 mg/ml', '5 ml of 40 mg/ml 3 times a day'],
    ['', 'Nurofen 4%', '5 ml of 40 mg/ml 3 times a day'],
  ])('is read where the strength is %j and the name %j', (strength, name, words) => {
    const entered = { ...ENTERED, ...ml, strength, ...(name && { name }) };
    expect([dosageOf(entered), hasDailyLimit(entered), lacksVolume(entered)]).toEqual([words, true, false]);
  });

  it.each([
    ['40 mg', ''],
    ['200 mg', ''],
    ['200', ''],
    ['200 mg/5', ''],
    ['', 'Nurofen 200 mg'],
    ['40 mg', 'Nurofen 200 mg/5 ml'],
  ])('is not checked where the strength is %j and the name %j', (strength, name) => {
    for (const amount of ['5', '10', '50', '100']) {
      const entered = { ...ENTERED, ...ml, amount, strength, ...(name && { name }) };
      expect([dosageOf(entered), hasDailyLimit(entered), lacksVolume(entered)]).toEqual(['', false, true]);
    }
  });
});

it('takes no part of a combination for the whole', () => {
  const strength = '400 mg/57 mg/5 ml';
  const entered: EnteredDosage = { ...ENTERED, unit: 'ml', amount: '5', strength };
  expect([dosageOf(entered), lacksVolume(entered)]).toEqual(['', false]);
});

describe('a number as people type it', () => {
  it.each([
    ['1/2', 0.5],
    ['½', 0.5],
    ['1½', 1.5],
    ['1 ½', 1.5],
    ['1 1/2', 1.5],
    ['2 3/4', 2.75],
    ['1⁄2', 0.5],
    ['1 / 2', 0.5],
    ['0,5', 0.5],
    ['1/3', 0.3333],
    [' 2 ', 2],
    ['0', 0],
  ])('%j is %d', (text, number) => expect(numberOf(text)).toBe(number));

  it.each(['', 'x', '11/2', '1/0', '2/1', '1/2/3', '1,5½', '½½', '-1', '1 2', '½ tablet', '1.234,5'])(
    '%j is no number',
    (text) => expect(numberOf(text)).toBeUndefined(),
  );
});
