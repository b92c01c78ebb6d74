import type { Medication } from '@app/client';
import { asMedicine, type NameReading, substancesOf } from '@app/client/documents';
import { timesOn } from './schedule';

const medicineOf = (details: object) =>
  asMedicine({
    id: 'm',
    createdAt: '2026-01-01T08:00:00Z',
    details: { name: 'A', ...details },
  } as Medication);
const TIMES = { times: ['08:00'] };

it.each([
  ['a list with nothing in it', { schedule: TIMES, pauses: [null], changes: [1], skips: ['x'] }],
  ['entries without their member', { schedule: TIMES, pauses: [{}], changes: [{ on: 3 }], skips: [{}] }],
  ['lists that are none', { schedule: TIMES, pauses: 'x', changes: {}, skips: 7 }],
  ['dates that are none', { schedule: { ...TIMES, everyDays: 2 }, startDate: 7, endDate: {} }],
])('a medicine of a file with %s is shown like one without', (_what, details) => {
  const medicine = medicineOf(details);
  expect(medicine.details).not.toHaveProperty('startDate');
  expect([
    medicine.details.pauses ?? [],
    medicine.details.changes ?? [],
    medicine.details.skips ?? [],
  ]).toEqual([[], [], []]);
  expect(timesOn(medicine, '2026-01-01')).toEqual(['08:00']);
});

it.each([
  [{ times: [1] }],
  [{ times: ['soon'] }],
  [{ times: 'x' }],
  [{ times: ['08:00'], weekdays: 1 }],
  [{ times: ['08:00'], everyDays: 'x' }],
  [7],
])('a schedule of another shape is none: %j', (schedule) => {
  const medicine = medicineOf({ schedule });
  expect(medicine.details.schedule).toBeUndefined();
  expect(timesOn(medicine, '2026-01-01')).toEqual([]);
});

it('keeps what is right', () => {
  const details = {
    schedule: { times: ['08:00', '20:00'], weekdays: [1, 3], until: '2026-02-01' },
    pauses: [{ from: '2026-01-05', until: '2026-01-06' }],
    startDate: '2026-01-01',
  };
  expect(medicineOf(details).details).toEqual({ name: 'A', ...details });
});

describe('the substances beside a name', () => {
  it.each([
    ['Nurofen', { ingredients: ['ibuprofen'], confirmed: true }, ['ibuprofen']],
    [
      'Co-Diovan',
      { ingredients: ['valsartan', 'hydrochlorothiazide'], confirmed: true },
      ['valsartan', 'hydrochlorothiazide'],
    ],
    ['Ibuprofen 400', { ingredients: ['ibuprofen'], confirmed: true }, []],
    ['Nurofen', { ingredients: ['ibuprofen'], confirmed: false }, []],
    ['Nurofen', { ingredients: [], confirmed: true }, []],
    ['Nurofen', { ingredients: 'ibuprofen', confirmed: true }, []],
    ['Nurofen', undefined, []],
  ])('of %s, read as %j, are %j', (name, reading, substances) => {
    expect(substancesOf({ name, reading: reading as NameReading | undefined })).toEqual(substances);
  });
});
