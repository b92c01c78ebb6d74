import type { Dose } from '@app/client';
import type { Medicine, MedicineDetails } from '@app/client/documents';
import { instantOf } from '../../../platform/model/dates';
import { notedTwice } from './noted-twice';

const DAY = '2026-11-22';
const NOW = instantOf(DAY, '13:00');
const TWICE_DAILY = { schedule: { times: ['08:00', '20:00'] } };
const AS_NEEDED = { schedule: { times: [], asNeeded: true } };

const medicineWith = (details: Partial<MedicineDetails>) =>
  ({
    id: 'm',
    createdAt: '2026-11-01T07:00:00Z',
    details: { name: 'Metformin', ...details },
  }) as unknown as Medicine;

function doseAt(id: string, time: string, { day = DAY, taken = true, author = '' } = {}): Dose {
  const loggedAt = instantOf(day, time).toISOString();
  return {
    ...{ id, medicationId: 'm', taken, loggedAt, proof: null, confirmed: true, createdAt: loggedAt },
    ...(author && { author: { accountId: author } as Dose['author'] }),
  };
}

/** @param here the doses that this device has noted */
const found = (details: Partial<MedicineDetails>, doses: Dose[], here: string[] = []) => {
  const twice = notedTwice(medicineWith(details), doses, NOW, (id) => here.includes(id));
  return twice && [twice.first.id, twice.second.id, twice.time];
};

describe('a dose that two devices have noted', () => {
  const [a, b] = [doseAt('a', '08:02'), doseAt('b', '08:03')];

  it('is found on each of them, with its due time', () => {
    expect(found(TWICE_DAILY, [b, a], ['b'])).toEqual(['a', 'b', '08:00']);
    expect(found(TWICE_DAILY, [b, a], ['a'])).toEqual(['a', 'b', '08:00']);
  });

  it('is found hours later where both are for one due time, and also where two people have noted it', () => {
    const late = doseAt('b', '12:30');
    expect(found(TWICE_DAILY, [late, a], ['b'])).toEqual(['a', 'b', '08:00']);
    expect(found(TWICE_DAILY, [late, a])).toBeUndefined();
    const of = (author: string, id: string, time: string) => doseAt(id, time, { author });
    expect(found(TWICE_DAILY, [of('x', 'b', '12:30'), of('y', 'a', '08:02')])).toBeDefined();
  });

  it('is no second one of another due time, or where the person said for which it is', () => {
    expect(found(TWICE_DAILY, [doseAt('b', '19:30'), a], ['b'])).toBeUndefined();
    const remarks = [{ dose: 'b', answers: `${DAY} 20:00` }];
    expect(found({ ...TWICE_DAILY, remarks }, [b, a], ['b'])).toBeUndefined();
  });

  it('is not asked about again after both were said to be given, nor where one was skipped', () => {
    expect(
      found({ ...TWICE_DAILY, remarks: [{ dose: 'b', isAnother: true }] }, [b, a], ['b']),
    ).toBeUndefined();
    expect(found(TWICE_DAILY, [doseAt('b', '08:03', { taken: false }), a], ['b'])).toBeUndefined();
    expect(found(TWICE_DAILY, [doseAt('c', '08:03', { day: '2026-11-20' }), a], ['a'])).toBeUndefined();
  });

  it.each<[string, object, string, boolean]>([
    ['within two hours', {}, '09:55', true],
    ['after two hours', {}, '10:05', false],
    ['within half of its shortest time', { minHoursBetween: 2 }, '08:55', true],
    ['after half of its shortest time', { minHoursBetween: 2 }, '09:05', false],
  ])('as needed is found %s', (_, schedule, second, isFound) => {
    const details = { schedule: { ...AS_NEEDED.schedule, ...schedule } };
    expect(found(details, [doseAt('b', second), a], ['b']) !== undefined).toBe(isFound);
  });
});

describe('a dose that one device has noted twice', () => {
  const pair = (second: string) => [doseAt('b', second), doseAt('a', '08:05')];

  it.each<[string, Partial<MedicineDetails>, string, boolean]>([
    ['within an hour', TWICE_DAILY, '08:40', true],
    ['after an hour', TWICE_DAILY, '09:10', false],
    ['where it is planned so near', { schedule: { times: ['08:00', '08:30'] } }, '08:40', false],
    ['as needed, without a shortest time', AS_NEEDED, '08:40', false],
    ['as needed, with one', { schedule: { ...AS_NEEDED.schedule, minHoursBetween: 4 } }, '08:40', true],
  ])('%s', (_, details, second, isFound) => {
    expect(found(details, pair(second), ['a', 'b']) !== undefined).toBe(isFound);
    expect(found(details, pair(second)) !== undefined).toBe(isFound);
  });
});
