import type { ExportedProfile } from '../transfer/export-document';

const id = (at: number) => `0192f3a0-0000-7000-8000-${String(at).padStart(12, '0')}`;

/** A person with one record of everything that the page writes, and with what FHIR has no place for. */
export const ADA: ExportedProfile = {
  id: id(1),
  kind: 'human',
  relationship: 'self',
  details: {
    name: 'Ada Canary',
    birthDate: '1951-12-10',
    sex: 'female',
    picture: 'data:image/png;base64,iVBORw0KGgo=',
    allergies: [{ text: 'Penicillin', code: 'penicillin' }, { text: 'Latex' }],
    conditions: [{ text: 'Asthma', code: 'asthma' }],
    questions: ['May I stop the tablets?'],
    targets: { 'blood_pressure.systolic': { high: 140, unit: 'mm[Hg]' } },
  },
  medications: [
    {
      id: id(10),
      route: 'oral',
      schedule: { timesPerDay: 2, daysOfWeek: [1, 3, 5] },
      details: {
        name: 'Ibuprofen',
        strength: '400\u00a0mg',
        dose: { amount: 1, unit: 'tablet' },
        schedule: { times: ['08:00', '20:00'], weekdays: [1, 3, 5] },
        stock: { count: 30, countedAt: '2026-11-01T08:00:00.000Z', perDose: 1, refillAt: 6 },
        startDate: '2026-10-01',
        remarks: [{ dose: id(20), amount: 2, unit: 'tablet', note: 'It was bad' }],
        instructions: 'With food',
        reason: 'Pain',
        notes: 'Blue box',
      },
      doses: [
        { id: id(20), taken: true, loggedAt: '2026-11-20T08:02:00.000Z' },
        { id: id(21), taken: false, loggedAt: '2026-11-20T20:00:00.000Z' },
      ],
    },
    {
      id: id(11),
      route: 'inhalation',
      schedule: null,
      details: {
        name: 'Ventilan',
        reading: { ingredients: ['salbutamol'], confirmed: true },
        schedule: { times: [], asNeeded: true, minHoursBetween: 4 },
        pauses: [{ from: '2026-11-01' }],
      },
      doses: [],
    },
    {
      id: id(12),
      route: 'oral',
      schedule: null,
      details: {
        name: 'Methotrexate',
        reading: { ingredients: ['methotrexate'], confirmed: true },
        schedule: { times: ['09:00'], everyDays: 7 },
        endDate: '2026-01-01',
      },
      doses: [],
    },
    {
      id: id(13),
      route: 'oral',
      schedule: { timesPerDay: 3 },
      details: { name: 'Vitamin D', reading: { ingredients: ['vitamin k'], confirmed: false } },
      doses: [],
    },
  ],
  appointments: [
    {
      id: id(30),
      status: 'scheduled',
      details: {
        title: 'Eyes',
        startsAt: '2026-12-03T09:30+01:00',
        durationMinutes: 45,
        location: 'Harbour Street 3',
        practitioner: 'Dr. Ito',
        notes: 'Bring the old glasses',
      },
    },
    { id: id(31), status: 'missed', details: { title: 'Teeth', startsAt: '2026-10-03T09:30:00Z' } },
    { id: id(32), status: 'under way', details: { title: 'Feet', startsAt: 'in spring' } },
    {
      id: id(33),
      status: 'completed',
      details: {
        type: 'vaccination',
        title: 'Influenza',
        vaccine: 'Influenza',
        startsAt: '2026-10-10T10:00:00+02:00',
        lot: 'A7',
        nextDue: '2027-10-10',
        practitioner: 'Dr. Roe',
      },
    },
  ],
  healthStats: [
    ...(
      [
        ['weight', { value: 72.5 }, 'kg'],
        ['blood_pressure', { systolic: 132, diastolic: 84 }, 'mm[Hg]'],
        ['pulse', { value: 66 }, '/min'],
        ['temperature', { value: 98.6 }, '[degF]'],
        ['glucose', { value: 5.5 }, 'mmol/L'],
        ['glucose', { value: 99 }, 'mg/dL'],
        ['oxygen_saturation', { value: 97 }, '%'],
        ['respiratory_rate', { value: 14 }, '/min'],
        ['height', { value: 171 }, 'cm'],
        ['own:Steps', { value: 9000 }, 'steps'],
        ['own:Grip', { left: 20, right: 24 }, 'kg'],
      ] as const
    ).map(([metric, values, unit], at) => ({
      id: id(40 + at),
      recordedAt: `2026-11-${String(1 + at).padStart(2, '0')}T07:00:00.000Z`,
      details: { metric, values: { ...values }, unit, ...(at === 0 && { note: 'Before breakfast' }) },
    })),
  ],
};

/** A dog, with little. */
export const REX: ExportedProfile = {
  id: id(2),
  kind: 'pet',
  relationship: 'pet',
  details: { name: 'Rex', species: 'dog' },
  medications: [],
  appointments: [
    {
      id: id(50),
      status: 'completed',
      details: {
        type: 'vaccination',
        title: 'Rabies',
        vaccine: 'Rabies',
        startsAt: '2026-05-01T09:00:00Z',
        nextDue: '2027-05-01',
      },
    },
  ],
  healthStats: [],
};

/** Plans that are more than the same amount every day. */
export const PLANS: ExportedProfile = {
  id: id(4),
  kind: 'human',
  relationship: 'parent',
  details: { name: 'Otto Canary' },
  medications: [
    {
      id: id(14),
      route: 'oral',
      schedule: { timesPerDay: 1, daysOfWeek: [0, 1, 2, 4, 5, 6] },
      details: {
        name: 'Phenprocoumon',
        strength: '3 mg',
        reading: { ingredients: ['warfarin'], confirmed: true },
        prescriber: 'Dr. Ito',
        dose: { amount: 1.5, unit: 'tablet' },
        schedule: { times: ['18:00'], amounts: { by: 'weekday', of: [1, 1.5, 1, 0, 1, 1.5, 1] } },
      },
      doses: [],
    },
    {
      id: id(15),
      route: 'oral',
      schedule: { timesPerDay: 1 },
      details: {
        name: 'Prednisolone',
        prescriber: 'Dr. Kim',
        strength: '5 mg',
        dose: { amount: 4, unit: 'tablet' },
        startDate: '2026-11-20',
        schedule: {
          times: ['08:00'],
          amounts: { by: 'step', of: [{ amount: 4, days: 5 }, { amount: 2, days: 5 }, { amount: 1 }] },
        },
      },
      doses: [],
    },
    {
      id: id(16),
      route: 'oral',
      schedule: null,
      details: {
        name: 'Paracetamol',
        strength: '500 mg',
        dose: { amount: 2, unit: 'tablet' },
        schedule: { times: [], asNeeded: true, minHoursBetween: 6, mostIn24Hours: 8 },
      },
      doses: [],
    },
    {
      id: id(17),
      route: 'subcutaneous',
      schedule: { timesPerDay: 2 },
      details: {
        name: 'Insulin lispro',
        dose: { amount: 8, unit: 'unit' },
        correction: '1 more for each 50 mg/dl above 150',
        schedule: { times: ['08:00', '20:00'], amounts: { by: 'time', of: { '08:00': 8, '20:00': 6 } } },
      },
      doses: [],
    },
    {
      id: id(18),
      // The page does not ask for it.
      route: 'oral',
      schedule: { timesPerDay: 1 },
      details: {
        name: 'Insulin glargine',
        reading: { ingredients: ['insulin glargine'], confirmed: true },
        dose: { amount: 10, unit: 'unit' },
        schedule: { times: ['22:00'] },
      },
      doses: [],
    },
  ],
  appointments: [],
  healthStats: [],
};
