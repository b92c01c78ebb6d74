import type { Dose, HealthStat } from '@app/client';
import type { Visit } from '@app/client/documents';
import { instantOf } from '../../../platform/model/dates';
import { adherenceOf, doctorSheet, periodDates, type SheetRecords } from './doctor-sheet';
import type { Medicine, MedicineDetails } from '@app/client/documents';

const now = instantOf('2026-11-22', '14:00');
const period = { from: '2026-11-01', to: '2026-11-22', now, timeZone: 'UTC' };
const stored = {
  revision: 1,
  createdAt: '2026-11-10T00:00:00.000Z',
  updatedAt: '',
  lineage: { generation: 1, previous: null, state: '' },
  altered: [],
};

const medicine = (id: string, details: Partial<MedicineDetails>): Medicine => ({
  ...stored,
  id,
  profileId: 'p',
  route: 'oral',
  schedule: null,
  details: { name: id, ...details },
});
const dose = (day: string, time: string, taken = true): Dose => {
  const loggedAt = instantOf(day, time).toISOString();
  return {
    id: `${day} ${time}`,
    medicationId: 'm',
    taken,
    loggedAt,
    proof: null,
    confirmed: true,
    createdAt: loggedAt,
  };
};
const visit = (id: string, startsAt: string, more: object = {}, status = 'scheduled'): Visit => ({
  ...stored,
  id,
  profileId: 'p',
  status,
  details: { title: id, startsAt, ...more },
});
const stat = (day: string, metric: string, values: Record<string, number>, unit: string): HealthStat => ({
  ...stored,
  id: `${metric} ${day}`,
  profileId: 'p',
  recordedAt: instantOf(day, '08:00').toISOString(),
  details: { metric, values, unit },
});

const records = (more: Partial<SheetRecords> = {}): SheetRecords => ({
  member: {
    ...stored,
    id: 'p',
    kind: 'human',
    relationship: 'self',
    details: { name: 'Ada', birthDate: '1951-12-10' },
  },
  medicines: [],
  doses: new Map(),
  visits: [],
  stats: [],
  ...more,
});

describe('how many planned doses were taken', () => {
  const twice = medicine('m', { startDate: '2026-11-18', schedule: { times: ['08:00', '20:00'] } });

  it('counts from the start of the medicine to yesterday', () => {
    const doses = [
      dose('2026-11-18', '08:00'),
      dose('2026-11-19', '08:00'),
      dose('2026-11-19', '20:00', false),
    ];
    expect(
      adherenceOf(twice, [...doses, dose('2026-11-22', '08:00'), dose('2026-11-17', '08:00')], period),
    ).toEqual({
      planned: 8,
      taken: 2,
      rate: 25,
    });
  });

  it('counts no dose as missed of the days before the medicine was entered', () => {
    const old = { ...twice, details: { ...twice.details, startDate: '2020-01-01' } };
    expect(adherenceOf({ ...old, createdAt: '2026-11-20T00:00:00.000Z' }, [], period)).toEqual({
      planned: 4,
      taken: 0,
      rate: 0,
    });
  });

  it('is nothing where nothing was planned', () => {
    expect(
      adherenceOf(medicine('m', { schedule: { times: [], asNeeded: true } }), [], period),
    ).toBeUndefined();
    expect(
      adherenceOf({ ...twice, details: { ...twice.details, startDate: '2026-11-22' } }, [], period),
    ).toBeUndefined();
  });

  it('is never over a hundred percent', () => {
    const doses = Array.from({ length: 20 }, (_, at) =>
      dose('2026-11-19', `${String(at).padStart(2, '0')}:00`),
    );
    expect(adherenceOf(twice, doses, period)).toEqual({ planned: 8, taken: 20, rate: 100 });
  });
});

describe('the sheet', () => {
  it('has what is taken first, and what ended in the period last', () => {
    const sheet = doctorSheet(
      records({
        medicines: [
          medicine('ended', { endDate: '2026-11-05', schedule: { times: ['08:00'] } }),
          medicine('long over', { endDate: '2026-10-05' }),
          medicine('paused', { pauses: [{ from: '2026-11-20' }], schedule: { times: ['08:00'] } }),
          medicine('needed', { schedule: { times: [], asNeeded: true } }),
          medicine('coming', { startDate: '2026-12-01', schedule: { times: ['08:00'] } }),
          medicine('daily', { schedule: { times: ['08:00'] }, startDate: '2026-10-01' }),
        ],
        doses: new Map([['needed', [dose('2026-11-20', '10:00'), dose('2026-10-20', '10:00')]]]),
      }),
      period,
    );
    expect(sheet.medicines.map((each) => [each.medicine.id, each.state])).toEqual([
      ['daily', 'taken'],
      ['needed', 'as-needed'],
      ['paused', 'paused'],
      ['coming', 'planned'],
      ['ended', 'ended'],
    ]);
    expect(sheet.medicines[1]).toMatchObject({ timesTaken: 1, since: '2026-11-10', isSinceEntry: true });
    expect(sheet.medicines[0]).toMatchObject({ since: '2026-10-01', isSinceEntry: false });
    expect(sheet.age).toBe(74);
  });

  it('has the measurements of the period only, known measures first', () => {
    const { measures } = doctorSheet(
      records({
        stats: [
          stat('2026-11-21', 'own:Steps', { value: 9000 }, 'steps'),
          stat('2026-11-20', 'blood_pressure', { systolic: 140, diastolic: 90 }, 'mm[Hg]'),
          stat('2026-11-10', 'blood_pressure', { systolic: 120, diastolic: 80 }, 'mm[Hg]'),
          stat('2026-10-10', 'weight', { value: 70 }, 'kg'),
        ],
      }),
      period,
    );
    expect(measures.map(({ series }) => [series.metric, series.points.length])).toEqual([
      ['blood_pressure', 2],
      ['own:Steps', 1],
    ]);
    expect(measures[0].components).toMatchObject([
      { component: 'systolic', latest: 140, least: 120, most: 140, mean: 130, direction: 'unknown' },
      { component: 'diastolic', latest: 90, least: 80, most: 90, mean: 85 },
    ]);
  });

  it('has the last weight, also where it is older than the period', () => {
    const sheet = (...stats: HealthStat[]) => doctorSheet(records({ stats }), period).weight?.id;
    const [older, old] = [
      stat('2025-10-10', 'weight', { value: 71 }, 'kg'),
      stat('2026-10-10', 'weight', { value: 70 }, 'kg'),
    ];
    const pulse = stat('2026-11-20', 'pulse', { value: 70 }, '/min');
    expect([sheet(pulse), sheet(older, pulse, old)]).toEqual([undefined, old.id]);
  });

  it('parts visits from vaccinations, and past ones from those to come', () => {
    const sheet = doctorSheet(
      records({
        visits: [
          visit('next', '2026-12-03T09:00:00Z'),
          visit('later', '2027-01-03T09:00:00Z'),
          visit('past', '2026-11-10T09:00:00Z', {}, 'completed'),
          visit('before', '2026-10-10T09:00:00Z', {}, 'completed'),
          visit('cancelled', '2026-12-24T09:00:00Z', {}, 'cancelled'),
          visit('shot', '2026-01-10T09:00:00Z', { type: 'vaccination', nextDue: '2027-01-10' }, 'completed'),
        ],
      }),
      period,
    );
    const ids = (list: { id: string }[]) => list.map(({ id }) => id);
    expect([ids(sheet.nextVisits), ids(sheet.pastVisits), ids(sheet.vaccinations)]).toEqual([
      ['next', 'later'],
      ['past'],
      ['shot'],
    ]);
  });
});

it.each([
  [30, undefined, '2026-10-24'],
  [null, '2020-01-02', '2020-01-02'],
  [null, undefined, '2026-11-22'],
  [null, '2027-01-01', '2026-11-22'],
])('a period of %p days with the first record %p begins on %s', (days, first, from) => {
  expect(periodDates(days, '2026-11-22', first)).toEqual({ from, to: '2026-11-22' });
});
