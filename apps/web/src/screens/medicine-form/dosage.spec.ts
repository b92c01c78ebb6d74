import { parseDosage } from '@app/interactions';
import { dosageOf, type EnteredDosage } from './dosage';

const TWICE = ['08:00', '20:00'];

const ENTERED: EnteredDosage = {
  name: 'Amlodipine',
  strength: '',
  amount: '1',
  unit: 'tablet',
  kind: 'times',
  times: ['08:00'],
  days: 'every',
  weekdays: [],
  everyDays: '2',
};

describe('the dosage that is checked', () => {
  it.each<[string, Partial<EnteredDosage>, number | undefined]>([
    ['counts the tablets of a dose', { strength: '500 mg', amount: '2', times: TWICE }, 2000],
    ['counts half a tablet', { strength: '10 mg', amount: '0,5' }, 5],
    ['counts the puffs of a dose', { strength: '100 µg', amount: '2', unit: 'puff', times: TWICE }, 0.4],
    ['counts millilitres', { strength: '20 mg/ml', amount: '5', unit: 'ml', times: TWICE }, 200],
    ['takes an amount in grams as it is', { amount: '1.5', unit: 'g', times: TWICE }, 3000],
    ['takes an amount in units as it is', { strength: '100 units/ml', amount: '10', unit: 'unit' }, 10],
    ['finds the strength in the name', { name: 'Ibuprofen 400 mg', amount: '2', times: TWICE }, 1600],
    ['spreads one dose over a week', { strength: '14 mg', days: 'weekdays', weekdays: [1] }, 2],
    ['spreads one dose over some days', { strength: '14 mg', days: 'nth', everyDays: '7' }, 2],
    [
      'holds several doses of a day against the limit of a day',
      { strength: '500 mg', days: 'weekdays', weekdays: [1], times: TWICE },
      1000,
    ],
    [
      'counts one dose where it is taken when needed',
      { strength: '500 mg', amount: '2', kind: 'asNeeded' },
      1000,
    ],
    ['does not guess a strength', { name: 'Ibuprofen', amount: '2' }, undefined],
  ])('%s', (_, entered, perDay) => {
    const dosage = { ...ENTERED, ...entered };
    expect(parseDosage(dosageOf(dosage), dosage.name)?.perDay).toBe(perDay);
  });

  it('is empty where nothing is known of it', () => {
    expect(dosageOf(ENTERED)).toBe('');
  });
});
