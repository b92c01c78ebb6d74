import { EXPORT_FORMAT, EXPORT_VERSION, newId, type ExportDocument, type ExportedProfile } from '@app/client';
import { addDays, dayOf, instantOf } from '../../../platform/model/dates';
import {
  type DoseTimes,
  type FamilyMemberDetails,
  type MedicineDetails,
  STORED_ROUTE,
  type VisitDetails,
} from '@app/client/documents';
import { serviceScheduleOf } from '../../medications/model/schedule';

const DOSE_DAYS = 14;

function medicine(details: MedicineDetails, now: Date, missedDays: readonly number[] = []) {
  const today = dayOf(now);
  const { schedule } = details;
  const doses = [];
  for (let ago = DOSE_DAYS; schedule && !schedule.asNeeded && ago >= 0; ago -= 1) {
    for (const time of schedule.times) {
      const at = instantOf(addDays(today, -ago), time);
      const late = new Date(at.getTime() + ((ago * 7 + time.length) % 25) * 60_000);
      // The doses of the last hours stay open, so that there is something to answer.
      if (late.getTime() > now.getTime() - 3 * 3_600_000 || missedDays.includes(ago)) continue;
      doses.push({ id: newId(), taken: true, loggedAt: late.toISOString() });
    }
  }
  return {
    id: newId(),
    route: STORED_ROUTE,
    schedule: serviceScheduleOf(schedule),
    details: { startDate: addDays(today, -120), ...details },
    doses,
  };
}

function reading(now: Date, ago: number, metric: string, values: Record<string, number>, unit: string) {
  const recordedAt = instantOf(addDays(dayOf(now), -ago), '08:15').toISOString();
  return { id: newId(), recordedAt, details: { metric, values, unit } };
}

function visit(
  now: Date,
  inDays: number,
  time: string,
  details: Omit<VisitDetails, 'startsAt'>,
  status = 'scheduled',
) {
  const startsAt = instantOf(addDays(dayOf(now), inDays), time).toISOString();
  return { id: newId(), status, details: { ...details, startsAt } };
}

const at = (...times: string[]): DoseTimes => ({ times });

/** Three invented members of a family: an old person with many medicines, a child, a dog. */
export function demoDocument(now: Date): ExportDocument {
  const today = dayOf(now);
  const counted = instantOf(addDays(today, -DOSE_DAYS - 1), '12:00').toISOString();
  const stock = (count: number, refillAt: number) => ({ count, countedAt: counted, perDose: 1, refillAt });
  const tablet = { amount: 1, unit: 'tablet' } as const;
  const days = Array.from({ length: 20 }, (_, index) => 20 - index);
  const rosa: ExportedProfile = {
    id: newId(),
    kind: 'human',
    relationship: 'parent',
    details: {
      name: 'Rosa',
      birthDate: `${now.getFullYear() - 79}-03-14`,
      sex: 'female',
      allergies: [{ text: 'Penicillin', code: 'penicillin' }],
      conditions: [{ text: 'Heart failure', code: 'heart_failure' }],
    } satisfies FamilyMemberDetails,
    medications: [
      medicine(
        { name: 'Ramipril', strength: '5 mg', dose: tablet, schedule: at('08:00'), stock: stock(40, 7) },
        now,
      ),
      medicine(
        { name: 'Hydrochlorothiazide', strength: '25 mg', dose: tablet, schedule: at('08:00') },
        now,
        [4],
      ),
      medicine(
        { name: 'Simvastatin', strength: '40 mg', dose: tablet, schedule: at('20:00'), stock: stock(20, 7) },
        now,
        [1, 6],
      ),
      medicine(
        {
          name: 'Metformin',
          strength: '500 mg',
          dose: tablet,
          schedule: at('08:00', '18:00'),
          stock: stock(90, 14),
        },
        now,
        [6],
      ),
      medicine(
        {
          name: 'Ibuprofen',
          strength: '400 mg',
          dose: tablet,
          schedule: { times: [], asNeeded: true, minHoursBetween: 6 },
        },
        now,
      ),
    ],
    appointments: [
      visit(now, 0, '16:30', { title: 'Dr Weber', practitioner: 'Dr Weber', location: 'Market Street 4' }),
      visit(
        now,
        -30,
        '09:00',
        { title: 'Influenza', type: 'vaccination', vaccine: 'Influenza', nextDue: addDays(today, 335) },
        'completed',
      ),
    ],
    healthStats: days.flatMap((ago) => [
      reading(
        now,
        4 * ago,
        'blood_pressure',
        { systolic: 131 + ago + ((ago * 5) % 7), diastolic: 78 + Math.round(ago / 3) + ((ago * 3) % 5) },
        'mm[Hg]',
      ),
      reading(now, 4 * ago, 'weight', { value: 67.6 + ago / 20 + ((ago * 7) % 5) / 10 }, 'kg'),
    ]),
  };
  const ben: ExportedProfile = {
    id: newId(),
    kind: 'human',
    relationship: 'child',
    details: {
      name: 'Ben',
      birthDate: `${now.getFullYear() - 8}-07-02`,
      sex: 'male',
    } satisfies FamilyMemberDetails,
    medications: [
      medicine(
        { name: 'Cetirizine', strength: '10 mg', dose: tablet, schedule: { times: ['20:00'] } },
        now,
        [2],
      ),
    ],
    appointments: [visit(now, 6, '15:00', { title: 'Dentist' })],
    healthStats: [5, 4, 3].map((ago) => reading(now, ago, 'temperature', { value: 36.6 + ago / 5 }, 'Cel')),
  };
  const luna: ExportedProfile = {
    id: newId(),
    kind: 'pet',
    relationship: 'pet',
    details: {
      name: 'Luna',
      species: 'dog',
      birthDate: `${now.getFullYear() - 6}-05-20`,
    } satisfies FamilyMemberDetails,
    medications: [
      medicine(
        { name: 'Carprofen', strength: '50 mg', dose: tablet, schedule: at('18:00'), stock: stock(24, 6) },
        now,
      ),
    ],
    appointments: [
      visit(
        now,
        -200,
        '10:00',
        { title: 'Rabies', type: 'vaccination', vaccine: 'Rabies', nextDue: addDays(today, 12) },
        'completed',
      ),
    ],
    healthStats: days
      .filter((ago) => ago % 5 === 0)
      .map((ago) => reading(now, ago, 'weight', { value: 24 + (ago % 3) / 5 }, 'kg')),
  };
  return {
    format: EXPORT_FORMAT,
    version: EXPORT_VERSION,
    exportedAt: now.toISOString(),
    profiles: [rosa, ben, luna],
  };
}
