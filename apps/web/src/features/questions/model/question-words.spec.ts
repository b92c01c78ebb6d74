import type { HealthStat, RecordQuestion } from '@app/client';
import { textsIn } from '../../../i18n/i18n';
import { sideWords, subjectWords, wordsOf } from './question-words';

beforeAll(() => textsIn('en'));

const question = (fields: RecordQuestion['fields']): Omit<RecordQuestion, 'entry'> => ({
  unit: 'medicine',
  fields,
  standingAt: '2026-11-23T13:59:00.000Z',
  otherAt: '2026-11-23T13:58:00.000Z',
});

describe('the words of a question', () => {
  it('name both doses by the labels of the form', () => {
    const asked = question([
      { field: 'details.strength', standing: '15 mg', other: '7.5 mg' },
      {
        field: 'details.dose',
        standing: { amount: 1, unit: 'tablet' },
        other: { amount: 2, unit: 'tablet' },
      },
    ]);
    expect(sideWords(asked, 'standing')).toBe('Strength: 15 mg; How much at a time: 1 tablet');
    expect(sideWords(asked, 'other')).toBe('Strength: 7.5 mg; How much at a time: 2 tablets');
  });

  it('say that a value is missing, and name the entries of a list', () => {
    const asked = question([
      { field: 'details.instructions', standing: 'at night', other: null },
      { field: 'details.allergies', standing: [{ name: 'penicillin' }, 'nuts'], other: [] },
    ]);
    expect(sideWords(asked, 'standing')).toBe('How to take it: at night; Allergies: penicillin, nuts');
    expect(sideWords(asked, 'other')).toContain('How to take it: nothing');
  });

  it('name allergies, illnesses and numbers of a profile as its form does', () => {
    const asked = question([
      {
        field: 'details.allergies',
        standing: [{ code: 'penicillin', text: 'Penicillin' }, { text: 'nuts' }],
        other: [],
      },
      { field: 'details.egfr', standing: 61.5, other: null },
      { field: 'details.pregnant', standing: true, other: false },
      { field: 'details.birthDate', standing: '1979-03-31', other: '1979-03-13' },
    ]);
    expect(sideWords(asked, 'standing')).toBe(
      'Allergies: Penicillin, nuts; Kidney function (eGFR, ml/min/1.73 m²): 61.5; Pregnant: Yes; Birthday: Mar 31, 1979',
    );
    expect(sideWords(asked, 'other')).toBe(
      'Allergies: nothing; Kidney function (eGFR, ml/min/1.73 m²): nothing; Pregnant: No; Birthday: Mar 13, 1979',
    );
  });

  it('say a reading with its unit and its time, also where only one of them differs', () => {
    const reading = {
      profileId: 'nobody',
      recordedAt: '2026-01-05T08:00:00.000Z',
      details: { metric: 'weight', values: { value: 72.5 }, unit: 'kg' },
    } as unknown as HealthStat;
    const about = { kind: 'reading', name: 'Ada', reading } as const;
    const values = question([{ field: 'details.values', standing: { value: 72.5 }, other: { value: 75.2 } }]);
    const asked = { about, question: values as RecordQuestion };
    expect(subjectWords(asked)).toBe('Ada, Weight');
    expect(wordsOf(asked, 'standing', '2026-11-25')).toBe('72.5\u00a0kg');
    expect(wordsOf(asked, 'other', '2026-11-25')).toBe('75.2\u00a0kg');
    const units = question([
      { field: 'details.unit', standing: 'kg', other: '[lb_av]' },
      { field: 'meta.recorded_at', standing: reading.recordedAt, other: '2026-01-06T08:00:00.000Z' },
    ]);
    const other = wordsOf({ about, question: units as RecordQuestion }, 'other', '2026-11-25');
    expect(other).toMatch(/^72\.5\u00a0lb, Jan 6, /);
  });

  it('never show the form in which a value is stored', () => {
    const asked = question([
      { field: 'meta.dose_schedule', standing: { times_per_day: 2 }, other: null },
      { field: 'details.unknown', standing: { deep: 1 }, other: [{ deep: 2 }] },
    ]);
    expect(sideWords(asked, 'standing')).toBe('other details');
    expect(sideWords(asked, 'other')).toBe('other details');
  });
});
