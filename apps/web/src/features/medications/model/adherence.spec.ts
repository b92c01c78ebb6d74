import type { Dose } from '@app/client';
import type { Medicine } from '@app/client/documents';
import { adherenceOf } from './adherence';
import { instantOf } from '../../../platform/model/dates';

const NOW = instantOf('2026-11-26', '12:00');

const daily = (startDate: string) =>
  ({
    id: 'm',
    profileId: 'p',
    createdAt: instantOf(startDate, '06:00').toISOString(),
    details: { name: 'm', startDate, schedule: { times: ['08:00'] } },
  }) as unknown as Medicine;
const taken = (day: string) =>
  ({
    id: day,
    medicationId: 'm',
    taken: true,
    loggedAt: instantOf(day, '08:00').toISOString(),
    confirmed: true,
  }) as Dose;

it.each([
  ['2026-11-25', '2026-11-25'],
  ['2026-11-20', undefined],
  ['2026-10-01', undefined],
])('a medicine that began on %s counts few days since %p', (start, since) => {
  const view = adherenceOf(daily(start), [taken('2026-11-25'), taken('2026-11-26')], NOW, 30);
  expect([view.taken, view.since]).toEqual([2, since]);
});
