import type { Medicine } from '@app/client/documents';
import {
  firstAfter,
  lastDayOfPlan,
  paceOf,
  type PlannedReminder,
  plannedReminders,
  shapeOf,
} from './push-plan';

/** A Tuesday. */
const TODAY = '2026-03-10';
const END = '2026-07-31';

let made = 0;
function medicine(schedule: object, more: object = {}, profileId = 'otto'): Medicine {
  made += 1;
  const details = {
    name: 'Secretol',
    schedule: { times: ['08:00'], ...schedule },
    startDate: TODAY,
    ...more,
  };
  return { id: `m${made}`, profileId, createdAt: `${TODAY}T00:00:00Z`, details } as unknown as Medicine;
}
const plan = (...medicines: Medicine[]) => plannedReminders(medicines, TODAY);
/** All occurrences until the end of April, as the service would find them. */
function days(planned: readonly PlannedReminder[]): string[] {
  const found: string[] = [];
  for (const reminder of planned)
    for (let at = firstAfter(reminder, new Date(`${TODAY}T00:00`)); at; at = firstAfter(reminder, at)) {
      if (at > new Date('2026-05-01T00:00')) break;
      const day = `${at.getMonth() + 1}-${at.getDate()}`;
      found.push(`${day} ${reminder.medicineIds.join('+')}`);
    }
  return found.sort((a, b) => a.localeCompare(b, 'en', { numeric: true }));
}

beforeEach(() => (made = 0));

describe('the plan of reminders', () => {
  it('ends with a month, at least four months ahead', () => {
    expect(lastDayOfPlan(TODAY)).toBe(END);
    expect(lastDayOfPlan('2026-10-31')).toBe('2027-02-28');
  });

  it('makes one reminder of the daily medicines of a person and time, and others for others', () => {
    const planned = plan(medicine({}), medicine({ times: ['08:00', '20:00'] }), medicine({}, {}, 'rex'));
    const daily = { firstDay: TODAY, repeat: { every_days: 1 }, lastDay: END };
    expect(planned).toEqual([
      { profileId: 'otto', time: '08:00', medicineIds: ['m1', 'm2'], ...daily },
      { profileId: 'otto', time: '20:00', medicineIds: ['m2'], ...daily },
      { profileId: 'rex', time: '08:00', medicineIds: ['m3'], ...daily },
    ]);
  });

  it('gathers the weekdays on which the same is due', () => {
    const planned = plan(medicine({}), medicine({ weekdays: [1, 3] }));
    expect(planned.map(({ repeat, medicineIds }) => [repeat, medicineIds.length])).toEqual([
      [{ days_of_week: [0, 2, 4, 5, 6] }, 1],
      [{ days_of_week: [1, 3] }, 2],
    ]);
  });

  it('repeats every other day, and after hours that do not divide a day', () => {
    expect(plan(medicine({ everyDays: 2 }))).toMatchObject([{ repeat: { every_days: 2 }, firstDay: TODAY }]);
    const hourly = plan(medicine({ everyHours: 9 }));
    expect(new Set(hourly.map(({ repeat }) => JSON.stringify(repeat)))).toEqual(
      new Set(['{"every_days":3}']),
    );
    expect(hourly).toHaveLength(8);
  });

  it('follows pauses, ends, steps, cycles and months, each day once', () => {
    const pauses = [{ from: '2026-03-30', until: '2026-04-12' }];
    const paused = days(plan(medicine({}, { pauses })));
    expect([paused.length, paused.includes('3-29 m1'), paused.includes('3-30 m1')]).toEqual([
      38,
      true,
      false,
    ]);
    made = 0;
    expect(days(plan(medicine({}, { endDate: '2026-03-12' })))).toEqual(['3-10 m1', '3-11 m1', '3-12 m1']);
    made = 0;
    const steps = {
      by: 'step',
      of: [
        { days: 3, amount: 2 },
        { days: 2, amount: 1 },
      ],
    };
    expect(days(plan(medicine({ amounts: steps })))).toHaveLength(5);
    made = 0;
    const cycle = days(plan(medicine({ cycle: { on: 21, off: 7 } })));
    expect([cycle.length, cycle.includes('3-30 m1'), cycle.includes('3-31 m1')]).toEqual([42, true, false]);
    made = 0;
    expect(days(plan(medicine({ everyMonths: 1, dayOfMonth: 31 })))).toEqual(['3-31 m1', '4-30 m1']);
    expect(plan(medicine({ asNeeded: true }))).toEqual([]);
  });

  it('is the same reminder on the next day, and another one for other medicines', () => {
    const [one, other] = [medicine({ everyDays: 3 }), medicine({ everyDays: 3 })];
    const shapes = (day: string, ...medicines: Medicine[]) =>
      plannedReminders(medicines, day).map((each) => JSON.stringify(shapeOf(each)));
    expect(shapes('2026-03-12', one)).toEqual(shapes(TODAY, one));
    expect(shapes(TODAY, one, other)).not.toEqual(shapes(TODAY, one));
  });
});

describe('the pace', () => {
  const quiet = { from: '22:00', until: '07:00' };

  it.each([
    ['08:00', false, true, undefined, { delayMinutes: 0, nag: { minutes: 10, times: 6 } }],
    ['08:00', false, false, undefined, { delayMinutes: 0 }],
    ['08:00', true, true, undefined, { delayMinutes: 60 }],
    ['23:30', false, true, quiet, { delayMinutes: 450, nag: { minutes: 10, times: 6 } }],
    ['21:35', false, true, quiet, { delayMinutes: 0, nag: { minutes: 10, times: 2 } }],
    ['21:55', false, true, quiet, { delayMinutes: 0 }],
    ['21:30', true, true, quiet, { delayMinutes: 570 }],
    ['07:00', false, false, quiet, { delayMinutes: 0 }],
    ['00:30', false, false, { from: '00:00', until: '23:00' }, { delayMinutes: 720 }],
  ])('of %s, late %s, repeated %s, quiet %j', (time, isLate, repeats, silence, pace) => {
    expect(paceOf(time, isLate, repeats, silence)).toEqual(pace);
  });
});

it('finds the first time after an instant', () => {
  const [daily] = plan(medicine({}));
  expect(firstAfter(daily, new Date(`${TODAY}T08:00`))).toEqual(new Date('2026-03-11T08:00'));
  const [once] = plan(medicine({}, { endDate: TODAY }));
  expect(firstAfter(once, new Date(`${TODAY}T07:59`))).toEqual(new Date(`${TODAY}T08:00`));
  expect(firstAfter(once, new Date(`${TODAY}T08:00`))).toBeUndefined();
});
