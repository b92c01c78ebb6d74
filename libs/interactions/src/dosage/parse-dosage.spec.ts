import fc from 'fast-check';
import { parseDosage } from './parse-dosage';

describe('parseDosage', () => {
  it.each<[string, number | undefined, string?]>([
    ['500 mg three times a day', 1500],
    ['2 tablets of 500 mg every 6 hours', 4000],
    ['1 g q6h', 4000],
    ['1500 mg 4 times a day', 6000],
    ['10 mg daily', 10],
    ['60 mg', 60],
    ['1-2 tablets of 500 mg up to 4 times a day', 4000],
    ['800 mg tid', 2400],
    ['800 mg b.i.d.', 1600],
    ['500mg QID prn', 2000],
    ['70 mg twice weekly', 20],
    ['25 mcg', 0.025],
    ['1,5 g', 1500],
    ['1,000 mg', 1000],
    ['0.5g', 500],
    ['2000 IU daily', 2000],
    ['50,000 IU once a week', 7142.857143],
    ['half a tablet of 10 mg', 5],
    ['1/2 tablet 10 mg daily', 5],
    ['1 1/2 tablets of 10 mg daily', 15],
    ['½ tablet of 10mg bd', 10],
    ['800 mg 5 times a day', 4000],
    ['2x500mg 3x daily', 3000],
    ['2 500 mg tablets 4 times daily', 4000],
    ['1 000 mg four times a day', 4000],
    ['500-1000 mg every 4-6 hours', 6000],
    ['500-1000 mg every 4-6 hours, max 4 g per day', 4000],
    ['1 tablet 5 times a day', 4000, 'ibuprofen 800 mg'],
    ['2 tablets every 6 hours, maximum 8 tablets a day', 4000, 'paracetamol 500mg'],
    ['1000 mg in the morning and 500 mg at night', 1500],
    ['500 mg morning and evening', 1000],
    ['2 tablets, 500 mg each, 4 times a day', 4000],
    ['1 g (2 tablets of 500 mg) every 6 hours', 4000],
    ['10 ml of 250 mg/5 ml four times a day', 2000],
    ['15 mg/kg every 6 hours', undefined],
    ['3000 mg per day in 3 divided doses', 3000],
    ['3 g/day', 3000],
    ['as needed', undefined],
    ['', undefined],
    ['take one tablet daily', undefined],
    ['40 mg every other day', 20],
    ['7.5 mg once weekly on Mondays, not daily', 1.071429],
    ['10 mg every day', 10],
    ['1-0-1 500 mg', 1000],
    ['500 mg 1-1-1-1', 2000],
    ['500 mg x 3', 1500],
    ['500mg 3x/day', 1500],
    ['3 x 400 mg täglich', 1200],
    ['400 mg 3 mal täglich', 1200],
    ['1 g 4 fois par jour', 4000],
    ['two 500 mg tablets six times a day', 6000],
    ['one gram every four hours', 6000],
    ['500 mg 8 hourly', 1500],
    ['75 mg once daily at night', 75],
    ['20mg 1x daily', 20],
    ['100 mg every 12 hours', 200],
    ['take 2 tablets (500 mg) every 4 hours', 6000],
    ['4g', 4000],
    ['no more than 3 g daily', 3000],
    ['500 mg every 8 hours for 7 days', 1500],
    ['10 mg on Monday', 1.428571],
    ['600 mg three to four times daily', 2400],
    ['20 mg od', 20],
    ['1 tab 20mg BD', 40],
    ['5000 units daily', 5000],
    ['100 micrograms daily', 0.1],
    ['20 mg/day', 20],
    ['400 mg 3 times per day with food', 1200],
    ['every 6 hours 1000 mg', 4000],
    ['1.5g every 6h', 6000],
    ['300 mg monthly', 10],
    ['2 puffs 100 mcg twice daily', 0.4],
    ['10 mg 1 day', 10],
    ['1 tablet 4 times a day 1500 mg', 6000],
    ['1000mg 6x a day', 6000],
    ['500 mg up to eight times a day', 4000],
    ['1 tablet (10 mg) at bedtime', 10],
    ['2 caps of 300mg 3 times daily and 1 cap of 300mg at night', 2100],
    ['3.125 mg twice a day', 6.25],
    ['500 mg every 8 hours, 30 minutes before food', 1500],
    ['500mg*10', 5000],
    ['500 mg × 3', 1500],
    ['3 x 2 x 500 mg', 3000],
    ['3x2 tablets of 500 mg', 3000],
    ['2 x 1 tablet of 500 mg', 1000],
    ['1.000 mg 5 times a day', undefined],
    ['500 mg in the morning and 1.000 mg at night', undefined],
    ['1 tablet a week', undefined, 'Dekristol 20.000 I.E.'],
    ['5e3 mg', undefined],
    ['2.5 mg every 20 minutes', undefined],
    ['1 g every 90-120 min', undefined],
    ['1 g every other hour', undefined],
    ['5 mg every 0 hours', undefined],
    // What the page writes.
    ['2 x 500 mg 2 times a day', 2000],
    ['0.5 x 10 mg 1 times a day', 5],
    ['5 ml of 20 mg/ml 2 times a day', 200],
    ['5 ml of 200 mg/5 ml 3 times a day', 600],
    ['5 ml of 200 mg 3 times a day', undefined],
    ['100 ml of 40 mg', undefined],
    ['5 ml 3 times a day', undefined, 'Nurofen 200 mg'],
    ['5 ml 3 times a day', 600, 'Nurofen 40 mg/ml'],
    ['10 ml (400 mg) 3 times a day', 1200],
    ['400 mg with 200 ml of water 3 times a day', 1200],
    ['1.5 g 2 times a day', 3000],
    ['10 units 1 times a day', 10],
    ['2 tablet 2 times a day', 1600, 'Ibuprofen 400 mg'],
    ['1 x 14 mg 1 times a week', 2],
    ['1 x 5 mg 1 times a day and 0.5 x 5 mg 1 times a day', 7.5],
    ['1 x 3 mg 4 times a week and 1.5 x 3 mg 2 times a week', 3],
    ['1 x 5 mg every 36 hours', 3.333333],
    ['1 x 14 mg every 7 days', 2],
    ['2 x 500 mg', 1000],
    ['500 mg 1 times a day', 500],
  ])('reads %j as %s a day', (dosage, perDay, ...names) => {
    expect(parseDosage(dosage, names[0])?.perDay).toBe(perDay);
  });

  it('keeps international units apart from milligrams', () => {
    expect(parseDosage('2000 IU daily')).toEqual({
      perDay: 2000,
      perWeek: 14000,
      unit: 'IU',
      single: 2000,
      timesPerWeek: 7,
    });
    expect(parseDosage('25 mcg')).toEqual({ perDay: 0.025, perWeek: 0.175, unit: 'mg', single: 0.025 });
    expect(parseDosage('10 mg in the morning and 400 IU at night')).toBeUndefined();
  });

  it.each([
    ['10 mg daily', 7],
    ['10 mg', undefined],
    ['10 mg once a week', 1],
    ['10 mg weekly, not daily', 1],
    ['10 mg every other day', 3.5],
    ['10 mg tid', 21],
    ['10 mg on Mondays and Thursdays', 2],
  ])('knows how often a week %j is', (dosage, timesPerWeek) => {
    expect(parseDosage(dosage)?.timesPerWeek).toBe(timesPerWeek);
  });

  it('never throws, and never makes an amount that is no number', () => {
    const word = fc.constantFrom(
      '500',
      '1/2',
      '1-2',
      'mg',
      'g',
      'ml',
      'every',
      '6',
      'hours',
      'x',
      'times',
      'a',
      'day',
      'max',
      '/',
      ',',
      'and',
      '0',
      'tablets',
      '1e9',
    );
    const texts = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 80 }),
      fc.array(word, { maxLength: 14 }).map((words) => words.join(' ')),
    );
    fc.assert(
      fc.property(texts, texts, (dosage, name) => {
        const parsed = parseDosage(dosage, name);
        if (parsed) expect(Number.isFinite(parsed.perDay) && parsed.perDay > 0).toBe(true);
      }),
      { numRuns: 200 * Number(process.env.TEST_LONG ?? 1) },
    );
  });
});

describe('words of other languages', () => {
  it.each([
    ['10 mg 1x/sem', 10],
    ['10 mg 1x pro Woche', 10],
    ['10 mg cada 8 horas', 210],
    ['10 mg toutes les 8 heures', 210],
    ['10 mg ogni 12 ore', 140],
    ['10 mg alle 2 Tage', 35],
    ['10 mg un jour sur deux', 35],
    ['10 mg jeden zweiten Tag', 35],
    ['10 mg cada dos días', 35],
    ['10 mg semanal', 10],
    ['10000 Mikrogramm cada 24 horas', 70],
  ])('are read: %s', (dosage, perWeek) => expect(parseDosage(dosage)?.perWeek).toBeCloseTo(perWeek, 5));
});
