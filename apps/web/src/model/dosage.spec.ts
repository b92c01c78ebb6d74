import { dosageOf, EMPTY_DOSAGE, type EnteredDosage } from './dosage';

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
