import type { Json, RecordQuestion } from '@app/client';
import { hasText, t } from '../i18n/i18n';
import type { DoseAmount, DoseTimes } from './medication-details';
import { doseWords, scheduleWords } from './words';

/** The labels of the form in which a person has entered the field. */
const LABELS: Record<string, string> = {
  'details.dose': 'cabinet.form.amount',
  'details.schedule': 'cabinet.form.when',
  'details.instructions': 'cabinet.form.instructions',
  'details.startDate': 'cabinet.form.start',
  'details.reason': 'cabinet.form.reason',
  'details.prescriber': 'cabinet.form.prescriber',
};

/** One side of a question, in words: each field that differs, with its value. */
export function sideWords({ fields }: RecordQuestion, side: 'standing' | 'other'): string {
  return fields
    .filter(({ field }) => field.startsWith('details.'))
    .map(({ field, [side]: value }) => fieldWords(field, value))
    .join('; ');
}

function fieldWords(field: string, value: Json): string {
  const label = LABELS[field];
  const words = value === null ? t('more.questions.nothing') : valueWords(field, value);
  return label && hasText(label) ? `${t(label)}: ${words}` : words;
}

function valueWords(field: string, value: Json): string {
  if (typeof value === 'string' || typeof value === 'number') return String(value);
  if (field === 'details.dose') return doseWords(value as unknown as DoseAmount);
  if (field === 'details.schedule') return scheduleWords(value as unknown as DoseTimes);
  if (Array.isArray(value)) return value.map((each) => valueWords('', each)).join(', ');
  const name = (value as { name?: unknown } | null)?.name;
  return typeof name === 'string' ? name : JSON.stringify(value);
}
