import type { HealthStat, Json, RecordQuestion } from '@app/client';
import { hasText, language, t, type TextKey } from '../../../i18n/i18n';
import { metricName, numberText, valuesText } from '../../../i18n/measure-words';
import { MEDICATION, readDetails } from '@app/client/documents';
import type { Asked } from './questions';
import { dayWords, doseWords, scheduleWords, whenWords } from '../../medications/model/words';

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
  'details.allergies': 'profiles.allergies',
  'details.conditions': 'profiles.conditions',
  'details.weight': 'measures.name.weight',
  'details.egfr': 'profiles.egfr',
  'details.pregnant': 'profiles.pregnant',
  'details.birthDate': 'profiles.birthDate',
  'details.species': 'profiles.species',
};

type Side = 'standing' | 'other';

/** Whose the record is, and what: `Ada`, or `Ada, Weight`. */
export function subjectWords({ about }: Pick<Asked, 'about'>): string {
  const metric = about.kind === 'reading' ? metricName(about.reading.details.metric, t) : '';
  return [about.name, metric].filter(Boolean).join(', ');
}

/** One side of a question, in words. @param today of the calendar, for times */
export function wordsOf(
  { about, question }: Pick<Asked, 'about' | 'question'>,
  side: Side,
  today: string,
): string {
  if (about.kind === 'reading') return readingWords(about.reading, question, side, today);
  return sideWords(question, side);
}

/** Each field that differs, with its value. Fields that no form shows are one part. */
export function sideWords({ fields }: Pick<RecordQuestion, 'fields'>, side: Side): string {
  const parts = fields.map(({ field, [side]: value }) => fieldWords(field, value));
  const shown = parts.filter((part) => part !== undefined);
  return [...shown, ...(shown.length < parts.length ? [t('more.questions.rest')] : [])].join('; ');
}

/** A value means nothing without its unit, so both are said, and the time where it differs: `72.5 kg, today, 8:00`. */
function readingWords(reading: HealthStat, { fields }: RecordQuestion, side: Side, today: string): string {
  const of = (field: string, standing: Json): Json => {
    const found = fields.find((each) => each.field === field);
    return found ? found[side] : standing;
  };
  const { metric, values, unit } = reading.details;
  const numbers = of('details.values', values) as HealthStat['details']['values'] | null;
  const [which, inUnit] = [of('details.metric', metric), of('details.unit', unit)].map(String);
  const recordedAt = of('meta.recorded_at', reading.recordedAt);
  const at = new Date(typeof recordedAt === 'string' ? recordedAt : NaN);
  const timeWords = Number.isNaN(at.getTime()) ? t('more.questions.unknownTime') : whenWords(at, today);
  const parts = [
    which !== metric || fields.some(({ field }) => field === 'details.metric') ? metricName(which, t) : '',
    numbers ? valuesText(which, numbers, inUnit, language.value) : t('more.questions.nothing'),
    fields.some(({ field }) => field === 'meta.recorded_at') ? timeWords : '',
  ];
  const known = ['details.values', 'details.metric', 'details.unit', 'meta.recorded_at'];
  if (fields.some(({ field }) => !known.includes(field))) parts.push(t('more.questions.rest'));
  return parts.filter(Boolean).join(', ');
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
  const { dose, schedule } = readDetails(MEDICATION, { [field.slice('details.'.length)]: value });
  if (field === 'details.dose') return doseWords(dose);
  if (field === 'details.schedule') return scheduleWords(schedule);
  if (field === 'details.birthDate' && typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value))
    return dayWords(value);
  const species = `profiles.speciesName.${typeof value === 'string' ? value : ''}`;
  if (field === 'details.species' && hasText(species)) return t(species);
  if (typeof value === 'boolean') return t(value ? 'common.action.yes' : 'common.action.no');
  if (typeof value === 'number') return numberText(value, '', language.value);
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) {
    if (value.length === 0) return t('more.questions.nothing');
    const names = value.map(nameOf);
    return names.includes(undefined) ? undefined : names.join(', ');
  }
  return nameOf(value);
}

/** An allergy or an illness of the list has a code, a typed one only its text. */
function nameOf(value: Json): string | undefined {
  if (typeof value === 'string') return value;
  const { name, text, code } = (value ?? {}) as Record<string, unknown>;
  const fact = `profiles.fact.${String(code)}`;
  if (typeof code === 'string' && hasText(fact)) return t(fact);
  return [text, name].find((each) => typeof each === 'string');
}
