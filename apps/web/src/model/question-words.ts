import type { Json, RecordQuestion } from '@app/client';
import { t, type TextKey } from '../i18n/i18n';
import type { DoseAmount, DoseTimes } from './medication-details';
import { doseWords, scheduleWords } from './words';

/** The labels of the form in which a person has entered the field. */
const LABELS: Record<string, TextKey> = {
  'details.name': 'cabinet.form.name',
  'details.strength': 'cabinet.form.strength',
  'details.dose': 'cabinet.form.amount',
  'details.schedule': 'cabinet.form.when',
  'details.instructions': 'cabinet.form.instructions',
  'details.startDate': 'cabinet.form.start',
  'details.reason': 'cabinet.form.reason',
  'details.prescriber': 'cabinet.form.prescriber',
};

/** One side of a question, in words: each field that differs, with its value. Fields that no form shows are one part. */
export function sideWords({ fields }: Pick<RecordQuestion, 'fields'>, side: 'standing' | 'other'): string {
  const parts = fields.map(({ field, [side]: value }) => fieldWords(field, value));
  const shown = parts.filter((part) => part !== undefined);
  return [...shown, ...(shown.length < parts.length ? [t('more.questions.rest')] : [])].join('; ');
}

function fieldWords(field: string, value: Json): string | undefined {
  if (!field.startsWith('details.')) return undefined;
  const words = value === null ? t('more.questions.nothing') : valueWords(field, value);
  if (words === undefined) return undefined;
  const label = LABELS[field];
  return label ? `${t(label)}: ${words}` : words;
}

/** `undefined` for a value that a person would not understand. */
function valueWords(field: string, value: Json): string | undefined {
  if (field === 'details.dose') return doseWords(value as unknown as DoseAmount);
  if (field === 'details.schedule') return scheduleWords(value as unknown as DoseTimes);
  if (typeof value === 'string' || typeof value === 'number') return String(value);
  if (Array.isArray(value)) {
    const names = value.map(nameOf);
    return names.includes(undefined) ? undefined : names.join(', ');
  }
  return nameOf(value);
}

function nameOf(value: Json): string | undefined {
  if (typeof value === 'string') return value;
  const name = (value as { name?: unknown } | null)?.name;
  return typeof name === 'string' ? name : undefined;
}
