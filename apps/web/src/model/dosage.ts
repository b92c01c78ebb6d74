import type { DoseUnit, MedicineDetails } from './medication-details';

/** What is entered of a dosage: texts as typed. */
export interface EnteredDosage {
  /** Of the medicine. It may hold the strength. */
  name: string;
  /** Of one tablet, one millilitre and so on. */
  strength: string;
  /** How many of `unit` at a time. */
  amount: string;
  unit: DoseUnit;
  kind: 'times' | 'asNeeded';
  times: string[];
  days: 'every' | 'weekdays' | 'nth';
  weekdays: number[];
  everyDays: string;
  /** The least hours between two doses that are taken as needed. */
  apart: string;
}

export const EMPTY_DOSAGE: EnteredDosage = {
  name: '',
  strength: '',
  amount: '1',
  unit: 'tablet',
  kind: 'times',
  times: ['08:00'],
  days: 'every',
  weekdays: [1, 2, 3, 4, 5],
  everyDays: '2',
  apart: '',
};

/** What was entered of a stored medicine. */
export function enteredOf({ name, strength, dose, schedule }: MedicineDetails): EnteredDosage {
  const isNth = (schedule?.everyDays ?? 1) > 1;
  return {
    name,
    strength: strength ?? '',
    amount: dose ? String(dose.amount) : '',
    unit: dose?.unit ?? 'tablet',
    kind: schedule?.asNeeded ? 'asNeeded' : 'times',
    times: schedule?.times.length ? schedule.times : ['08:00'],
    days: isNth ? 'nth' : schedule?.weekdays?.length ? 'weekdays' : 'every',
    weekdays: schedule?.weekdays ?? EMPTY_DOSAGE.weekdays,
    everyDays: String(schedule?.everyDays ?? 2),
    apart: schedule?.minHoursBetween ? String(schedule.minHoursBetween) : '',
  };
}

/** A number as people type it, with a comma or a point; `undefined` for anything else. */
export function numberOf(text: string): number | undefined {
  const trimmed = text.trim().replace(',', '.');
  if (!/^\d+(\.\d+)?$/.test(trimmed)) return undefined;
  return Number(trimmed);
}

/**
 * The dosage in words that the checks read: `2 x 400 mg 3 times a day`. Empty where nothing says how strong a tablet
 * is.
 */
export function dosageOf(dosage: EnteredDosage): string {
  const amount = amountWords(dosage);
  return amount && `${amount} ${frequencyWords(dosage)}`.trim();
}

function amountWords({ name, strength, amount, unit }: EnteredDosage): string {
  const count = numberOf(amount);
  const each = strength.trim();
  if (count === undefined) return each;
  if (unit === 'mg' || unit === 'g') return `${count} ${unit}`;
  if (unit === 'unit') return `${count} units`;
  // The strength may be a part of the name.
  if (!each) return /\d/.test(name) ? `${count} ${unit}` : '';
  return unit === 'ml' || unit === 'drop' ? `${count} ${unit} of ${each}` : `${count} x ${each}`;
}

/** Whether the dosage says how much is taken on a day at most. */
export function hasDailyLimit(dosage: EnteredDosage): boolean {
  return dosageOf(dosage) !== '' && frequencyWords(dosage) !== '';
}

function frequencyWords({ kind, times, days, weekdays, everyDays, apart }: EnteredDosage): string {
  // As often as the person may take it. Part of an hour is left out, so that there are rather more doses.
  const hours = Math.floor(numberOf(apart) ?? 0);
  if (kind === 'asNeeded') return hours > 0 ? `every ${hours} hours` : '';
  const aDay = new Set(times.filter(Boolean)).size;
  if (aDay === 0) return '';
  // One dose on some days is taken once a week or so. Several doses on a day are held against the limit of a day.
  if (aDay === 1 && days === 'weekdays') return `${weekdays.length} times a week`;
  if (aDay === 1 && days === 'nth') return `every ${numberOf(everyDays) ?? 1} days`;
  return `${aDay} times a day`;
}
