import type { Dose } from '@app/client';
import { adherenceOf } from '../../medications/model/adherence';
import { instantOf } from '../../../platform/model/dates';
import type { Medicine, MedicineDetails } from '@app/client/documents';
import { timesOn } from '../../medications/model/schedule';
import { countsFor, isAnsweredNow, settle } from './slots';
import { forecastStock, stockFor } from '../../medications/model/stock';
import { groupsOf, slotKey, viewOfToday, wasJustTaken } from './today-view';

const CREATED = instantOf('2026-11-01', '07:00').toISOString();

function medicineWith(details: Partial<MedicineDetails>): Medicine {
  return {
    id: 'm',
    profileId: 'p',
    revision: 1,
    createdAt: CREATED,
    updatedAt: CREATED,
    altered: [],
    lineage: {} as Medicine['lineage'],
    route: 'oral',
    schedule: null,
    details: { name: 'Ibuprofen', ...details },
  };
}

let last = 0;
function doseAt(day: string, time: string, taken = true): Dose {
  const loggedAt = instantOf(day, time).toISOString();
  last += 1;
  return {
    id: `d${last}`,
    medicationId: 'm',
    taken,
    loggedAt,
    proof: null,
    confirmed: true,
    createdAt: loggedAt,
  };
}

const TWICE = medicineWith({ schedule: { times: ['08:00', '20:00'] } });
const ONCE = medicineWith({ schedule: { times: ['08:00'] } });
const AT_ONE = medicineWith({ schedule: { times: ['01:00'] } });

describe('the times of a schedule', () => {
  it.each<[string, Partial<MedicineDetails>, string, number]>([
    ['every day', { schedule: { times: ['08:00'] } }, '2026-11-22', 1],
    ['on its weekdays', { schedule: { times: ['08:00'], weekdays: [1, 3] } }, '2026-11-23', 1],
    ['not on other weekdays', { schedule: { times: ['08:00'], weekdays: [1, 3] } }, '2026-11-24', 0],
    [
      'every third day',
      { startDate: '2026-11-20', schedule: { times: ['08:00'], everyDays: 3 } },
      '2026-11-23',
      1,
    ],
    [
      'not between',
      { startDate: '2026-11-20', schedule: { times: ['08:00'], everyDays: 3 } },
      '2026-11-22',
      0,
    ],
    ['until the end of a course', { schedule: { times: ['08:00'], until: '2026-11-22' } }, '2026-11-22', 1],
    ['not after it', { schedule: { times: ['08:00'], until: '2026-11-22' } }, '2026-11-23', 0],
    ['not before the start', { startDate: '2026-11-23', schedule: { times: ['08:00'] } }, '2026-11-22', 0],
    ['not in a pause', { pauses: [{ from: '2026-11-21' }], schedule: { times: ['08:00'] } }, '2026-11-22', 0],
    [
      'after a pause',
      { pauses: [{ from: '2026-11-01', until: '2026-11-21' }], schedule: { times: ['08:00'] } },
      '2026-11-22',
      1,
    ],
    ['never as needed', { schedule: { times: ['08:00'], asNeeded: true } }, '2026-11-22', 0],
  ])('%s', (_, details, day, count) => {
    expect(timesOn(medicineWith(details), day)).toHaveLength(count);
  });
});

describe('a logged dose', () => {
  it('answers the slot that is nearest to it', () => {
    const { slots, extra } = settle(TWICE, [doseAt('2026-11-22', '19:10')], '2026-11-22', '2026-11-22');
    expect(slots.map(({ time, dose }) => [time, dose?.taken])).toEqual([
      ['08:00', undefined],
      ['20:00', true],
    ]);
    expect(extra).toEqual([]);
  });

  it('answers the evening before when it is taken after midnight', () => {
    const doses = [doseAt('2026-11-22', '00:40')];
    const { slots } = settle(TWICE, doses, '2026-11-21', '2026-11-22');
    expect(slots.filter(({ dose }) => dose).map(({ day, time }) => `${day} ${time}`)).toEqual([
      '2026-11-21 20:00',
    ]);
  });

  it('answers the slot of its day, and not that of the next morning, when it is more than 12 hours late', () => {
    const doses = [doseAt('2026-11-22', '20:05')];
    const { slots, extra } = settle(ONCE, doses, '2026-11-22', '2026-11-23');
    expect(slots.map(({ day, dose }) => [day, dose?.taken])).toEqual([
      ['2026-11-22', true],
      ['2026-11-23', undefined],
    ]);
    expect(extra).toEqual([]);
    const now = instantOf('2026-11-22', '20:05');
    const open = settle(ONCE, [], '2026-11-22', '2026-11-22').slots;
    expect(isAnsweredNow(open[0], open, now)).toBe(true);
  });

  it('answers a slot of the next day only shortly before it', () => {
    const of = (time: string) =>
      settle(AT_ONE, [doseAt('2026-11-22', time)], '2026-11-23', '2026-11-23').slots[0].dose?.taken;
    expect([of('22:00'), of('20:00')]).toEqual([true, undefined]);
  });

  it('is extra where every slot has its answer', () => {
    const doses = [
      doseAt('2026-11-22', '08:00'),
      doseAt('2026-11-22', '09:00'),
      doseAt('2026-11-22', '20:00'),
    ];
    const { slots, extra } = settle(TWICE, doses, '2026-11-22', '2026-11-22');
    expect(slots.every(({ dose }) => dose)).toBe(true);
    expect(extra.map(({ id }) => id)).toEqual([doses[1].id]);
  });

  it('that is noted twice does not make the next one look done, unless the person says so', () => {
    const [first, second] = [doseAt('2026-11-22', '08:02'), doseAt('2026-11-22', '08:03')];
    const settled = (medicine: Medicine) => settle(medicine, [second, first], '2026-11-22', '2026-11-22');
    const { slots, extra } = settled(TWICE);
    expect(slots.map(({ dose }) => dose?.id)).toEqual([first.id, undefined]);
    expect(extra).toEqual([second]);
    const said = (remark: object) =>
      settled(medicineWith({ ...TWICE.details, remarks: [{ dose: second.id, ...remark }] }));
    expect(said({ answers: '2026-11-22 20:00' }).slots[1].dose).toBe(second);
    expect(said({ isAnother: true }).extra).toEqual([second]);
  });

  it('that was given beside another one answers nothing, also where it is nearer', () => {
    const [first, second] = [doseAt('2026-11-22', '08:30'), doseAt('2026-11-22', '08:03')];
    const medicine = medicineWith({
      ...TWICE.details,
      remarks: [{ dose: second.id, isAnother: true as const }],
    });
    const { slots, extra } = settle(medicine, [first, second], '2026-11-22', '2026-11-22');
    expect([slots[0].dose?.id, extra[0].id]).toEqual([first.id, second.id]);
  });

  it('is plainly given now at the nearest slot and at one to come, and not at an earlier one', () => {
    const now = instantOf('2026-11-22', '19:00');
    const { slots } = settle(TWICE, [], '2026-11-22', '2026-11-22');
    expect(slots.map((slot) => isAnsweredNow(slot, slots, now))).toEqual([false, true]);
    const morning = instantOf('2026-11-22', '00:05');
    expect(slots.map((slot) => isAnsweredNow(slot, slots, morning))).toEqual([true, true]);
  });

  it('does not count by its time where another due dose is nearer: the medicine must say it', () => {
    // At midnight somebody presses that of the morning, and that of the evening before is open.
    const [morning] = settle(TWICE, [], '2026-11-22', '2026-11-22').slots;
    const [early, onTime] = [doseAt('2026-11-22', '00:05'), doseAt('2026-11-22', '08:05')];
    const evening = doseAt('2026-11-21', '20:00');
    expect([countsFor(morning, early, []), countsFor(morning, onTime, [])]).toEqual([false, true]);
    expect(countsFor(morning, early, [evening])).toBe(true);
    const said = medicineWith({
      ...TWICE.details,
      remarks: [{ dose: early.id, answers: '2026-11-22 08:00' }],
    });
    expect(countsFor({ ...morning, medicine: said }, early, [])).toBe(true);
  });
});

describe('today', () => {
  const view = (doses: Dose[], time: string, postponed = {}) =>
    viewOfToday([TWICE], () => doses, instantOf('2026-11-22', time), postponed);

  it('has what was missed yesterday, what is due now, and what comes later', () => {
    const { missed, now, later, done } = view([doseAt('2026-11-21', '08:05')], '07:30');
    expect([missed, now, later, done].map((group) => group.map(({ time }) => time))).toEqual([
      ['20:00'],
      ['08:00'],
      ['20:00'],
      [],
    ]);
  });

  it('moves a dose to what is done, also a skipped one', () => {
    const { now, done } = view([doseAt('2026-11-22', '08:05', false)], '09:00');
    expect([now.length, done.map(({ dose }) => dose!.taken)]).toEqual([0, [false]]);
  });

  it('puts off what was put off, until its time', () => {
    const [slot] = view([], '09:00').now;
    const until = instantOf('2026-11-22', '10:00').getTime();
    expect(view([], '09:00', { [slotKey(slot)]: until }).now).toEqual([]);
    expect(view([], '10:01', { [slotKey(slot)]: until }).now).toHaveLength(1);
  });

  describe('on the day on which the medicine was entered', () => {
    const entered = instantOf('2026-11-22', '12:00').toISOString();
    const fresh = {
      ...medicineWith({ schedule: { times: ['08:00', '11:00', '20:00'] } }),
      createdAt: entered,
    };
    const now = instantOf('2026-11-22', '13:00');
    const timesOf = (doses: Dose[], postponed = {}) => {
      const view = viewOfToday([fresh], () => doses, now, postponed);
      const { missed, before, now: due, later, done } = view;
      return [missed, before, due, later, done].map((slots) => slots.map(({ time }) => time).join(' '));
    };

    it('misses nothing, and asks apart for what was due before', () => {
      expect(timesOf([])).toEqual(['', '08:00 11:00', '', '20:00', '']);
      expect(adherenceOf(fresh, [], now, 3)).toMatchObject({ due: 0, missed: 0, rate: null });
    });

    it('misses none of the others where one was taken already', () => {
      const doses = [doseAt('2026-11-22', '08:00')];
      expect(timesOf(doses)).toEqual(['', '11:00', '', '20:00', '08:00']);
      expect(adherenceOf(fresh, doses, now, 3)).toMatchObject({ due: 1, taken: 1, missed: 0 });
    });

    it('asks no more for what was not to be taken', () => {
      const [first] = viewOfToday([fresh], () => [], now).before;
      const midnight = instantOf('2026-11-23', '00:00').getTime();
      expect(timesOf([], { [slotKey(first)]: midnight })).toEqual(['', '11:00', '', '20:00', '']);
    });

    it('goes by the doses where those of earlier days came with it', () => {
      expect(timesOf([doseAt('2026-11-21', '08:00')])).toEqual([
        '11:00 20:00',
        '',
        '08:00 11:00',
        '20:00',
        '',
      ]);
    });
  });

  it('says for a medicine as needed when the next dose may be', () => {
    const asNeeded = medicineWith({ schedule: { times: [], asNeeded: true, minHoursBetween: 6 } });
    const doses = [doseAt('2026-11-22', '08:00')];
    const at = (time: string) =>
      viewOfToday([asNeeded], () => doses, instantOf('2026-11-22', time)).asNeeded[0];
    expect(at('10:00').notBefore).toEqual(instantOf('2026-11-22', '14:00'));
    expect(at('14:01').notBefore).toBeUndefined();
  });

  it('notices a second tap within a minute', () => {
    const doses = [doseAt('2026-11-22', '08:00')];
    expect(wasJustTaken(doses, new Date(Date.parse(doses[0].loggedAt) + 59_000))).toBe(true);
    expect(wasJustTaken(doses, new Date(Date.parse(doses[0].loggedAt) + 61_000))).toBe(false);
  });
});

describe('adherence', () => {
  it('counts what was due until now', () => {
    const doses = [
      doseAt('2026-11-20', '08:00'),
      doseAt('2026-11-20', '20:00'),
      doseAt('2026-11-21', '08:00', false),
    ];
    const view = adherenceOf(TWICE, doses, instantOf('2026-11-22', '09:00'), 3);
    expect(view.days.map(({ due, taken, skipped }) => [due, taken, skipped])).toEqual([
      [2, 2, 0],
      [2, 0, 1],
      [1, 0, 0],
    ]);
    expect([view.due, view.taken, view.skipped, view.missed, view.rate]).toEqual([5, 2, 1, 2, 40]);
  });

  it('has no rate where nothing was due', () => {
    expect(adherenceOf(medicineWith({}), [], instantOf('2026-11-22', '09:00'), 3).rate).toBeNull();
  });
});

describe('the stock', () => {
  const stock = { count: 10, countedAt: CREATED, perDose: 1, refillAt: 4 };
  const stocked = medicineWith({ schedule: { times: ['08:00', '20:00'] }, stock });

  it('lasts as many days as the schedule needs', () => {
    const forecast = forecastStock(stocked, [], instantOf('2026-11-22', '07:00'));
    expect(forecast).toEqual({ left: 10, isLow: false, days: 5, emptyOn: '2026-11-27' });
  });

  it('loses what a person said of a dose, where that was another amount', () => {
    const dose = doseAt('2026-11-22', '08:00');
    const remarks = [{ dose: dose.id, amount: 5, unit: 'tablet' as const }];
    const medicine = medicineWith({ ...stocked.details, dose: { amount: 2, unit: 'tablet' }, remarks });
    expect(forecastStock(medicine, [dose], instantOf('2026-11-22', '09:00'))?.left).toBe(7.5);
  });

  it('loses what was taken since it was counted, not what was skipped', () => {
    const doses = [
      doseAt('2026-11-22', '08:00'),
      doseAt('2026-11-21', '08:00', false),
      doseAt('2026-10-01', '08:00'),
    ];
    expect(forecastStock(stocked, doses, instantOf('2026-11-22', '09:00'))?.left).toBe(9);
  });

  it('counts what was taken with the amount of then, and the rest with a new one', () => {
    const now = instantOf('2026-11-22', '09:00');
    const doses = [doseAt('2026-11-22', '08:00')];
    expect(stockFor(1, stocked, doses, now)).toEqual(stock);
    const changed = stockFor(2, stocked, doses, now);
    expect(changed).toEqual({ count: 9, countedAt: now.toISOString(), perDose: 2, refillAt: 4 });
    const later = medicineWith({ ...stocked.details, stock: changed });
    expect(forecastStock(later, doses, now)).toMatchObject({ left: 9, emptyOn: '2026-11-24' });
  });

  it('is low from its limit on, and unknown where none was entered', () => {
    const low = medicineWith({ ...stocked.details, stock: { ...stock, count: 4 } });
    expect(forecastStock(low, [], instantOf('2026-11-22', '09:00'))?.isLow).toBe(true);
    expect(forecastStock(TWICE, [], instantOf('2026-11-22', '09:00'))).toBeUndefined();
  });
});

describe('a dose of which the person said what it answers', () => {
  it('answers that due dose, however late it was, and leaves the nearer one open', () => {
    const late = doseAt('2026-11-22', '07:30');
    const said = (answers?: string) =>
      medicineWith({
        schedule: { times: ['08:00', '18:00'] },
        remarks: [{ dose: late.id, ...(answers && { answers }) }],
      });
    const now = instantOf('2026-11-22', '09:00');
    const doses = [late, doseAt('2026-11-21', '08:00'), doseAt('2026-11-02', '08:00')];
    const openOf = (medicine: Medicine) => {
      const { missed, now: due } = viewOfToday([medicine], () => doses, now);
      return [...missed, ...due].map(({ day, time }) => `${day} ${time}`);
    };
    expect(openOf(said())).toEqual(['2026-11-21 18:00']);
    expect(openOf(said('2026-11-21 18:00'))).toEqual(['2026-11-22 08:00']);
  });
});

describe('the due doses by time and person', () => {
  it('keeps people, times and days apart, in the order of their times', () => {
    const of = (profileId: string, id: string, time: string) => ({
      ...medicineWith({ schedule: { times: [time] } }),
      profileId,
      id,
    });
    const list = [of('p', 'a', '09:00'), of('q', 'b', '08:00'), of('p', 'c', '09:00'), of('q', 'd', '09:00')];
    const { now } = viewOfToday(list, () => [], instantOf('2026-11-22', '09:30'));
    expect(groupsOf(now).map(({ key, slots }) => [key, slots.map(({ medicine }) => medicine.id)])).toEqual([
      ['q 2026-11-22 08:00', ['b']],
      ['p 2026-11-22 09:00', ['a', 'c']],
      ['q 2026-11-22 09:00', ['d']],
    ]);
  });
});
