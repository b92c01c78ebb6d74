import type { Dose } from '@app/client';
import i18next from 'i18next';
import { catalogue as de } from '../../../i18n/de/catalogue';
import { catalogue as en } from '../../../i18n/en/catalogue';
import { catalogue as es } from '../../../i18n/es/catalogue';
import type { Language } from '../../../i18n/languages';
import { instantOf } from '../../../platform/model/dates';
import { dosageOf, enteredOf, hasDailyLimit } from './dosage';
import { asMedicine, type DoseTimes, type Medicine, type MedicineDetails } from '@app/client/documents';
import { planWords } from './plan-words';
import { dosesDueOn, serviceScheduleOf } from './schedule';
import { settle } from '../../doses/model/slots';
import { forecastStock } from './stock';
import { takenAmount } from '../../doses/model/taken-amount';
import { viewOfToday } from '../../doses/model/today-view';

const START = '2026-11-02';
const CREATED = instantOf(START, '07:00').toISOString();

function medicineWith(details: Partial<MedicineDetails>): Medicine {
  return asMedicine({
    id: 'm',
    profileId: 'p',
    createdAt: CREATED,
    details: { name: 'A', startDate: START, dose: { amount: 1, unit: 'tablet' }, ...details },
  } as Medicine);
}
const planOf = (schedule: DoseTimes, details: Partial<MedicineDetails> = {}) =>
  medicineWith({ schedule, ...details });

let last = 0;
function doseAt(day: string, time: string): Dose {
  const loggedAt = instantOf(day, time).toISOString();
  return {
    id: `d${(last += 1)}`,
    medicationId: 'm',
    taken: true,
    loggedAt,
    proof: null,
    confirmed: true,
    createdAt: loggedAt,
  };
}

/** `08:00 1`, for each dose. */
const due = (medicine: Medicine, day: string) =>
  dosesDueOn(medicine, day).map(({ time, dose }) => `${time} ${dose?.amount}`);

// Monday is the second of November.
const PHENPROCOUMON = planOf(
  { times: ['18:00'], amounts: { by: 'weekday', of: [1, 1.5, 1, 0, 1, 1.5, 1] } },
  { strength: '3 mg', dose: { amount: 1.5, unit: 'tablet' } },
);
const TAPER: DoseTimes = {
  times: ['08:00'],
  amounts: { by: 'step', of: [{ amount: 4, days: 5 }, { amount: 2, days: 3 }, { amount: 1 }] },
};
const UNEQUAL: DoseTimes = {
  times: ['08:00', '13:00', '20:00'],
  amounts: { by: 'time', of: { '08:00': 1, '13:00': 0, '20:00': 0.5 } },
};
const MONTHLY: DoseTimes = { times: ['09:00'], everyMonths: 1, dayOfMonth: 31 };
const CYCLE: DoseTimes = { times: ['21:00'], cycle: { on: 21, off: 7 } };

describe('a plan as a doctor writes it is due', () => {
  it.each<[string, Medicine, [string, string[]][]]>([
    [
      'every eight hours',
      planOf({ times: ['06:00'], everyHours: 8 }),
      [
        ['2026-11-02', ['06:00 1', '14:00 1', '22:00 1']],
        ['2026-11-03', ['06:00 1', '14:00 1', '22:00 1']],
      ],
    ],
    [
      'every 36 hours, counted over midnight',
      planOf({ times: ['20:00'], everyHours: 36 }),
      [
        ['2026-11-02', ['20:00 1']],
        ['2026-11-03', []],
        ['2026-11-04', ['08:00 1']],
        ['2026-11-05', ['20:00 1']],
      ],
    ],
    [
      'in unequal amounts by time, without the dose of nothing',
      planOf(UNEQUAL),
      [['2026-11-03', ['08:00 1', '20:00 0.5']]],
    ],
    [
      'in unequal amounts by weekday',
      PHENPROCOUMON,
      [
        ['2026-11-02', ['18:00 1.5']],
        ['2026-11-03', ['18:00 1']],
        ['2026-11-04', []],
        ['2026-11-08', ['18:00 1']],
      ],
    ],
    [
      'in steps that fall',
      planOf(TAPER),
      [
        ['2026-11-02', ['08:00 4']],
        ['2026-11-06', ['08:00 4']],
        ['2026-11-07', ['08:00 2']],
        ['2026-11-10', ['08:00 1']],
        ['2027-01-10', ['08:00 1']],
      ],
    ],
    [
      'in steps that end',
      planOf({ times: ['08:00'], amounts: { by: 'step', of: [{ amount: 2, days: 2 }] } }),
      [
        ['2026-11-03', ['08:00 2']],
        ['2026-11-04', []],
      ],
    ],
    [
      'every month, on the last day of a short one',
      planOf(MONTHLY),
      [
        ['2026-11-29', []],
        ['2026-11-30', ['09:00 1']],
        ['2026-12-30', []],
        ['2026-12-31', ['09:00 1']],
      ],
    ],
    [
      'every three months',
      planOf({ times: ['09:00'], everyMonths: 3, dayOfMonth: 5 }),
      [
        ['2026-11-05', ['09:00 1']],
        ['2026-12-05', []],
        ['2027-02-05', ['09:00 1']],
      ],
    ],
    [
      'on 21 days of 28',
      planOf(CYCLE),
      [
        ['2026-11-22', ['21:00 1']],
        ['2026-11-23', []],
        ['2026-11-29', []],
        ['2026-11-30', ['21:00 1']],
      ],
    ],
  ])('%s', (_, medicine, days) => {
    expect(days.map(([day]) => [day, due(medicine, day)])).toEqual(days);
  });

  it.each([
    [{ times: ['08:00'], amounts: { by: 'weekday', of: [1, 2] } }],
    [{ times: ['08:00'], amounts: { by: 'step', of: [{ amount: 2 }, { amount: 1 }] } }],
    [{ times: ['08:00'], amounts: { by: 'time', of: { '08:00': -1 } } }],
    [{ times: ['08:00'], amounts: { by: 'moon', of: [] } }],
    [{ times: [], everyHours: 8 }],
    [{ times: ['08:00'], everyHours: 0 }],
    [{ times: ['08:00'], cycle: { on: 0, off: 7 } }],
    [{ times: ['08:00'], everyMonths: 1.5 }],
  ])('on no day where its shape is another one: %j', (schedule) => {
    expect(due(planOf(schedule as never), START)).toEqual([]);
  });
});

describe('the doses of a plan', () => {
  it('carry their amount to Today, and to the stock', () => {
    const stock = { count: 10, countedAt: CREATED, perDose: 1.5, refillAt: 2 };
    const medicine = { ...PHENPROCOUMON, details: { ...PHENPROCOUMON.details, stock } };
    const monday = doseAt('2026-11-02', '18:10');
    const tuesday = doseAt('2026-11-04', '00:30');
    const doses = [tuesday, monday];
    const now = instantOf('2026-11-05', '17:30');
    expect(doses.map((dose) => takenAmount(medicine, dose)?.amount)).toEqual([1, 1.5]);
    expect(viewOfToday([medicine], () => doses, now).now.map(({ planned }) => planned)).toEqual([
      { amount: 1, unit: 'tablet' },
    ]);
    // 10 - 2.5 are 7.5: 1, 1.5, 1, 1, 1.5 and 1 from Thursday to Tuesday, and nothing on the Wednesday after.
    expect(forecastStock(medicine, doses, now)).toMatchObject({ left: 7.5, emptyOn: '2026-11-12' });
  });

  it('settle over a change of the clocks and midnight', () => {
    const medicine = planOf({ times: ['22:00'], everyHours: 12 }, { startDate: '2026-03-27' });
    const days = settle({ ...medicine, createdAt: '2026-03-27T00:00:00Z' }, [], '2026-03-28', '2026-03-30');
    expect(days.slots.map(({ day, time }) => `${day} ${time}`)).toEqual([
      '2026-03-28 10:00',
      '2026-03-28 22:00',
      '2026-03-29 10:00',
      '2026-03-29 22:00',
      '2026-03-30 10:00',
      '2026-03-30 22:00',
    ]);
  });

  it('are held against the most of 24 hours where they are taken as needed', () => {
    const medicine = planOf(
      { times: [], asNeeded: true, minHoursBetween: 4, mostIn24Hours: 6 },
      { dose: { amount: 2, unit: 'tablet' } },
    );
    const doses = ['18:00', '12:00', '08:00'].map((time) => doseAt('2026-11-03', time));
    const at = (now: Date) => viewOfToday([medicine], () => doses, now).asNeeded[0];
    expect(at(instantOf('2026-11-03', '23:00'))).toMatchObject({
      notBefore: instantOf('2026-11-04', '08:00'),
      within24Hours: { used: 6, most: 6 },
    });
    expect(at(instantOf('2026-11-04', '08:00')).notBefore).toBeUndefined();
    expect(at(instantOf('2026-11-03', '19:00')).notBefore).toEqual(instantOf('2026-11-04', '08:00'));
  });
});

describe('a plan in words', () => {
  const texts: Record<Language, object> = { en, de, es };
  beforeAll(async () => {
    await i18next.init({ lng: 'en', interpolation: { escapeValue: false }, resources: {} });
    for (const [language, catalogue] of Object.entries(texts))
      i18next.addResourceBundle(language, 'translation', catalogue);
  });
  const words = (medicine: Medicine, language: Language) =>
    planWords(medicine.details, {
      language,
      text: (key, values) => i18next.t(key, { ...values, lng: language }),
    });

  it.each<[string, Medicine, string, string, string]>([
    [
      'every day',
      planOf({ times: ['08:00', '20:00'] }),
      '1 tablet, 8:00 AM and 8:00 PM, every day',
      '1 Tablette, 8:00 und 20:00, jeden Tag',
      '1 comprimido, 8:00 y 20:00, todos los días',
    ],
    [
      'by weekday',
      PHENPROCOUMON,
      '6:00 PM, 1.5 tablets on Mon and Fri; 1 tablet on Tue, Thu, Sat, and Sun',
      '18:00, 1,5 Tabletten am Mo und Fr; 1 Tablette am Di, Do, Sa und So',
      '18:00, 1,5 comprimidos el lun y vie; 1 comprimido el mar, jue, sáb y dom',
    ],
    [
      'by time',
      planOf(UNEQUAL),
      '1 tablet at 8:00 AM and 0.5 tablets at 8:00 PM, every day',
      '1 Tablette um 8:00 und 0,5 Tabletten um 20:00, jeden Tag',
      '1 comprimido a las 8:00 y 0,5 comprimidos a las 20:00, todos los días',
    ],
    [
      'in steps',
      planOf(TAPER),
      '8:00 AM, 4 tablets for 5 days, then 2 tablets for 3 days, then 1 tablet, every day',
      '8:00, 4 Tabletten für 5 Tage, danach 2 Tabletten für 3 Tage, danach 1 Tablette, jeden Tag',
      '8:00, 4 comprimidos durante 5 días, después 2 comprimidos durante 3 días, después 1 comprimido, todos los días',
    ],
    [
      'every few hours',
      planOf({ times: ['06:00'], everyHours: 8 }),
      '1 tablet, every 8 hours from 6:00 AM on',
      '1 Tablette, alle 8 Stunden, zuerst um 6:00',
      '1 comprimido, cada 8 horas, desde las 6:00',
    ],
    [
      'in cycles',
      planOf(CYCLE),
      '1 tablet, 9:00 PM, 21 days, then 7 days without',
      '1 Tablette, 21:00, 21 Tage, dann 7 Tage Pause',
      '1 comprimido, 21:00, 21 días, luego 7 días sin tomarlo',
    ],
    [
      'as needed',
      planOf({ times: [], asNeeded: true, minHoursBetween: 6, mostIn24Hours: 4 }),
      '1 tablet, as needed, at least 6 hours apart, at most 4 tablets in 24 hours',
      '1 Tablette, bei Bedarf, mindestens 6 Stunden Abstand, höchstens 4 Tabletten in 24 Stunden',
      '1 comprimido, si hace falta, al menos 6 horas entre tomas, como máximo 4 comprimidos en 24 horas',
    ],
  ])('%s', (_, medicine, english, german, spanish) => {
    const plain = (text: string) => text.replaceAll(/[\u00a0\u202f]/g, ' ');
    expect((['en', 'de', 'es'] as const).map((each) => plain(words(medicine, each)))).toEqual([
      english,
      german,
      spanish,
    ]);
  });
});

describe('the checks and the service learn of a plan', () => {
  it.each<[string, Medicine, string, boolean, unknown]>([
    [
      'every hours',
      planOf({ times: ['06:00'], everyHours: 8 }),
      '1 x 5 mg every 8 hours',
      true,
      { timesPerDay: 3 },
    ],
    ['every 36 hours', planOf({ times: ['06:00'], everyHours: 36 }), '1 x 5 mg every 36 hours', true, null],
    ['by time', planOf(UNEQUAL), '1 x 5 mg 1 times a day and 0.5 x 5 mg 1 times a day', true, null],
    [
      'by weekday',
      PHENPROCOUMON,
      '1 x 5 mg 4 times a week and 1.5 x 5 mg 2 times a week',
      true,
      { timesPerDay: 1, daysOfWeek: [0, 1, 2, 4, 5, 6] },
    ],
    ['in steps, by the largest', planOf(TAPER), '4 x 5 mg 1 times a day', true, { timesPerDay: 1 }],
    ['monthly', planOf(MONTHLY), '1 x 5 mg every 30 days', true, null],
    ['in cycles', planOf(CYCLE), '1 x 5 mg 1 times a day', true, null],
    [
      'as needed, by the most of a day',
      planOf({ times: [], asNeeded: true, minHoursBetween: 2, mostIn24Hours: 4 }),
      '1 x 5 mg 4 times a day',
      true,
      null,
    ],
  ])('%s', (_, { details }, words, isLimited, counted) => {
    const entered = enteredOf({ ...details, strength: '5 mg' });
    expect(dosageOf(entered)).toBe(words);
    expect(hasDailyLimit(entered)).toBe(isLimited);
    expect(serviceScheduleOf(details.schedule)).toEqual(counted);
  });
});
