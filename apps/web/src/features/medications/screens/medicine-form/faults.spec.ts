import { EMPTY_DOSAGE, nextTime } from '../../model/dosage';
import { amountFaultsOf, faultsOf, isSaid, timeFaultsOf } from './faults';
import type { MedicineForm } from './form-model';

const formWith = (changes: Partial<MedicineForm>) =>
  ({
    ...EMPTY_DOSAGE,
    profileId: 'p',
    name: 'A',
    startDate: '2026-11-02',
    until: '',
    stock: '',
    refillAt: '',
    ...changes,
  }) as MedicineForm;

describe('the times of a day', () => {
  it('differ where another one is added', () => {
    const times = ['08:00'];
    for (let more = 1; more < 24; more += 1) times.push(nextTime(times));
    expect(times.slice(0, 4)).toEqual(['08:00', '20:00', '12:00', '16:00']);
    expect(new Set(times).size).toBe(24);
    expect(nextTime(times)).toBe('');
  });

  it('are not saved where two are the same or one is missing', () => {
    const form = formWith({ times: ['08:00', '20:00', '20:00', ''] });
    expect(timeFaultsOf(form)).toEqual([undefined, undefined, 'twice', 'missing']);
    expect(faultsOf(form)).toEqual({ times: true });
    expect(faultsOf(formWith({ times: ['08:00', '20:00'] }))).toEqual({});
    expect(faultsOf(formWith({ times: [''], kind: 'hours' }))).toEqual({ times: true });
    expect(faultsOf(formWith({ times: ['08:00', '08:00'], kind: 'asNeeded' }))).toEqual({});
  });
});

describe('amounts that differ', () => {
  it('may be parts of a tablet', () => {
    const form = formWith({ amounts: 'weekday', byWeekday: ['', '1/2', '½', '1½', '1 1/2', '0,5', '2'] });
    expect(faultsOf(form)).toEqual({});
    expect(faultsOf(formWith({ amount: '½' }))).toEqual({});
  });

  it('say which of them is wrong', () => {
    const week = formWith({ amounts: 'weekday', byWeekday: ['', '1', 'x', '', '1/0', '', ''] });
    expect(
      amountFaultsOf(week)
        .amounts.map((fault, day) => fault && day)
        .filter(Boolean),
    ).toEqual([2, 4]);
    expect(faultsOf(week)).toEqual({ amounts: true });
    // No words leave out a day on which something was entered.
    expect([isSaid(week), isSaid(formWith({ times: ['08:00', '08:00'] })), isSaid(formWith({}))]).toEqual([
      false,
      false,
      true,
    ]);
    const times = { times: ['08:00', '20:00'], byTime: ['1', ''] };
    expect(amountFaultsOf(formWith({ amounts: 'time', ...times })).amounts).toEqual([undefined, 'number']);
  });

  it('ask for one above zero, in the first field', () => {
    const week = formWith({ amounts: 'weekday', byWeekday: ['', '', '', '', '0', '', ''] });
    expect(amountFaultsOf(week).amounts.indexOf('zero')).toBe(1);
    const steps = [{ amount: '0', days: '' }];
    expect(amountFaultsOf(formWith({ amounts: 'step', steps })).amounts).toEqual(['zero']);
  });

  it('ask for the days of each step but the last', () => {
    const steps = [
      { amount: '4', days: '' },
      { amount: '', days: '5' },
      { amount: '1', days: '' },
    ];
    expect(amountFaultsOf(formWith({ amounts: 'step', steps }))).toEqual({
      amounts: [undefined, 'number', undefined],
      days: [true, false, false],
    });
  });
});
