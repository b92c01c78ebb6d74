import type { RecordQuestion } from '@app/client';
import { textsIn } from '../i18n/i18n';
import { sideWords } from './question-words';

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
    expect(sideWords(asked, 'standing')).toBe('How to take it: at night; penicillin, nuts');
    expect(sideWords(asked, 'other')).toContain('How to take it: nothing');
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
