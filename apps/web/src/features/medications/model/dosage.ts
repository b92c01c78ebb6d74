import type { DoseAmounts, DoseTimes, MedicineDetails } from '@app/client/documents';

/** What is entered of a dosage: texts as typed. */
export interface EnteredDosage {
  /** Of the medicine. It may hold the strength. */
  name: string;
  /** Of one tablet, one millilitre and so on. */
  strength: string;
  /** How many of `unit` at a time. */
  amount: string;
  unit: string;
  kind: 'times' | 'hours' | 'asNeeded';
  times: string[];
  everyHours: string;
  days: 'every' | 'weekdays' | 'nth' | 'months' | 'cycle';
  weekdays: number[];
  everyDays: string;
  everyMonths: string;
  dayOfMonth: string;
  cycleOn: string;
  cycleOff: string;
  amounts: 'same' | DoseAmounts['by'];
  /** As many as there are times. */
  byTime: string[];
  /** Seven; the first is that of Sunday. */
  byWeekday: string[];
  steps: EnteredStep[];
  /** The least hours between two doses that are taken as needed. */
  apart: string;
  /** The most in 24 hours of what is taken as needed, in `unit`. */
  most: string;
}

/** A step as typed. Empty days in the last one: until further notice. */
export interface EnteredStep {
  amount: string;
  days: string;
}

export const EMPTY_DOSAGE: EnteredDosage = {
  name: '',
  strength: '',
  amount: '1',
  unit: 'tablet',
  kind: 'times',
  times: ['08:00'],
  everyHours: '8',
  days: 'every',
  weekdays: [1, 2, 3, 4, 5],
  everyDays: '2',
  everyMonths: '1',
  dayOfMonth: '1',
  cycleOn: '21',
  cycleOff: '7',
  amounts: 'same',
  byTime: [],
  byWeekday: ['', '', '', '', '', '', ''],
  steps: [
    { amount: '', days: '' },
    { amount: '', days: '' },
  ],
  apart: '',
  most: '',
};

const USUAL_TIMES = ['08:00', '20:00', '12:00', '16:00', '22:00', '06:00'];
const HOURS = Array.from({ length: 24 }, (_, hour) => `${String(hour).padStart(2, '0')}:00`);

/** A time for one more dose of a day: of two equal times one would be lost. Empty where every hour is taken. */
export const nextTime = (times: readonly string[]): string =>
  [...USUAL_TIMES, ...HOURS].find((time) => !times.includes(time)) ?? '';

/** What was entered of a stored medicine. */
export function enteredOf({ name, strength, dose, schedule }: MedicineDetails): EnteredDosage {
  const amounts = schedule?.amounts;
  return {
    ...EMPTY_DOSAGE,
    name,
    strength: strength ?? '',
    amount: dose ? String(dose.amount) : '',
    unit: dose?.unit ?? 'tablet',
    kind: schedule?.asNeeded ? 'asNeeded' : schedule?.everyHours ? 'hours' : 'times',
    times: schedule?.times.length ? schedule.times : ['08:00'],
    everyHours: String(schedule?.everyHours ?? 8),
    days: daysOf(schedule),
    weekdays: schedule?.weekdays ?? EMPTY_DOSAGE.weekdays,
    everyDays: String(schedule?.everyDays ?? 2),
    everyMonths: String(schedule?.everyMonths ?? 1),
    dayOfMonth: String(schedule?.dayOfMonth ?? 1),
    ...(schedule?.cycle && { cycleOn: String(schedule.cycle.on), cycleOff: String(schedule.cycle.off) }),
    amounts: amounts?.by ?? 'same',
    ...(amounts?.by === 'time' && {
      byTime: schedule!.times.map((time) => String(amounts.of[time] ?? dose?.amount ?? '')),
    }),
    ...(amounts?.by === 'weekday' && { byWeekday: amounts.of.map(String) }),
    ...(amounts?.by === 'step' && {
      steps: amounts.of.map(({ amount, days }) => ({ amount: String(amount), days: String(days ?? '') })),
    }),
    apart: schedule?.minHoursBetween ? String(schedule.minHoursBetween) : '',
    most: schedule?.mostIn24Hours ? String(schedule.mostIn24Hours) : '',
  };
}

function daysOf(schedule: DoseTimes | undefined): EnteredDosage['days'] {
  if (schedule?.everyMonths) return 'months';
  if (schedule?.cycle) return 'cycle';
  if ((schedule?.everyDays ?? 1) > 1) return 'nth';
  return schedule?.weekdays?.length ? 'weekdays' : 'every';
}

/** What was entered of amounts that are not the same; `undefined` where they are. An empty or wrong amount counts as 0. */
export function amountsOf({
  kind,
  amounts,
  times,
  byTime,
  byWeekday,
  steps,
}: EnteredDosage): DoseAmounts | undefined {
  const amountOf = (text = '') => numberOf(text) ?? 0;
  if (kind === 'asNeeded' || amounts === 'same') return undefined;
  if (amounts === 'step')
    return {
      by: 'step',
      of: steps.map(({ amount, days }) => ({
        amount: amountOf(amount),
        ...(days.trim() && { days: amountOf(days) }),
      })),
    };
  if (amounts === 'weekday') return { by: 'weekday', of: byWeekday.map(amountOf) };
  // Every few hours there are no times of their own.
  if (kind === 'hours') return undefined;
  const of: { [time: string]: number } = {};
  times.forEach((time, at) => time && (of[time] = amountOf(byTime[at])));
  return { by: 'time', of };
}

/** The largest amount at one time. */
export function largestAmount(dosage: EnteredDosage): number | undefined {
  const amounts = amountsOf(dosage);
  if (!amounts) return numberOf(dosage.amount);
  const all =
    amounts.by === 'time'
      ? Object.values(amounts.of)
      : amounts.by === 'weekday'
        ? amounts.of
        : amounts.of.map(({ amount }) => amount);
  return Math.max(...all);
}

const FRACTIONS = new Map([...'½⅓⅔¼¾⅕⅛'].map((sign) => [sign, sign.normalize('NFKD').replace('⁄', '/')]));
const WHOLE_AND_PART = /^(?:(\d+)\s+)?([1-9])\/([2-9])$/;

/** A number as people type it, with a comma or a point, or as a part: `1/2`, `1½`; `undefined` for anything else. */
export function numberOf(text: string): number | undefined {
  const trimmed = text
    .trim()
    .replace(',', '.')
    .replace(/[^\d.]$/u, (sign) => (FRACTIONS.has(sign) ? ` ${FRACTIONS.get(sign)}` : sign))
    .replace(/\s*[/⁄]\s*/, '/')
    .trim();
  const [, whole = '0', part, of] = WHOLE_AND_PART.exec(trimmed) ?? [];
  if (part && Number(part) < Number(of)) return round(Number(whole) + Number(part) / Number(of));
  if (!/^\d+(\.\d+)?$/.test(trimmed)) return undefined;
  return Number(trimmed);
}

const round = (value: number) => Math.round(value * 1e4) / 1e4;

/**
 * The dosage in words that the checks read: `2 x 400 mg 3 times a day`. Empty where nothing says how strong a tablet
 * is. Of amounts that differ, each has its own part; of steps the largest counts.
 */
export function dosageOf(dosage: EnteredDosage): string {
  return partsOf(dosage)
    .map(({ amount, often }) => {
      const words = amountWords(dosage, amount);
      return words && `${words} ${often}`.trim();
    })
    .filter(Boolean)
    .join(' and ');
}

/** An amount, and how often it is taken. */
interface DosagePart {
  amount: number | undefined;
  often: string;
}

function partsOf(dosage: EnteredDosage): DosagePart[] {
  const amounts = amountsOf(dosage);
  const counted = (list: readonly number[], span: string): DosagePart[] =>
    [...new Set(list)]
      .filter((amount) => amount > 0)
      .map((amount) => ({
        amount,
        often: `${list.filter((each) => each === amount).length} times a ${span}`,
      }));
  const isOnceADay = dosage.kind === 'times' && new Set(dosage.times.filter(Boolean)).size === 1;
  if (amounts?.by === 'time') return counted(Object.values(amounts.of), 'day');
  if (amounts?.by === 'weekday' && isOnceADay) return counted(amounts.of, 'week');
  return [{ amount: largestAmount(dosage), often: frequencyWords(dosage) }];
}

function amountWords({ name, strength, unit }: EnteredDosage, count: number | undefined): string {
  const each = strength.trim();
  if (count === undefined) return unit === 'ml' ? '' : each;
  if (unit === 'mg' || unit === 'g') return `${count} ${unit}`;
  if (unit === 'unit') return `${count} units`;
  // The strength may be a part of the name.
  if (unit === 'ml') return volumeWords(`${count} ml`, name, each);
  if (!each) return /\d/.test(name) ? `${count} ${unit}` : '';
  return unit === 'drop' ? `${count} ${unit} of ${each}` : `${count} x ${each}`;
}

function volumeWords(volume: string, name: string, strength: string): string {
  const inMl = perMillilitres(strength);
  if (inMl) return `${volume} of ${inMl}`;
  const ofName = !strength && perMillilitres(name);
  return ofName ? `${volume} of ${ofName}` : '';
}

const CONCENTRATION =
  /(\d+(?:[.,]\d+)*\s*\p{L}[\p{L}.]*)\s*(?:[/=]|\b(?:per|pro|por|je|in|auf|en|cada)\b)\s*(\d+(?:[.,]\d+)?)?\s*ml\b/iu;
const PERCENT = /(\d+(?:[.,]\d+)?)\s*%/;
const MASS = /\d\s*(?:mg|g|[µμ]g|mcg|ug)(?!\p{L})/giu;

/** How strong a liquid is, as the checks read it; `undefined` where a text does not say in how many millilitres. */
function perMillilitres(text: string): string | undefined {
  // Of two amounts nobody knows which substance is meant.
  if ((text.match(MASS) ?? []).length > 1) return undefined;
  const [, amount, volume] = CONCENTRATION.exec(text) ?? [];
  if (amount) return `${amount}/${volume ? `${volume} ` : ''}ml`;
  const [, percent] = PERCENT.exec(text) ?? [];
  // A percentage of a medicine is grams in 100 ml.
  return percent && `${round(Number(percent.replace(',', '.')) * 10)} mg/ml`;
}

/** Whether an amount in millilitres says nothing, because the strength does not say in how many. */
export function lacksVolume(dosage: EnteredDosage): boolean {
  const { name, strength, unit } = dosage;
  const said = strength.trim() || (/\d/.test(name) ? name : '');
  const isKnown = CONCENTRATION.test(said) || PERCENT.test(said);
  return unit === 'ml' && said !== '' && (largestAmount(dosage) ?? 0) > 0 && !isKnown;
}

/** Whether the dosage says how much is taken on a day at most. */
export function hasDailyLimit(dosage: EnteredDosage): boolean {
  return dosageOf(dosage) !== '' && partsOf(dosage).every(({ often }) => often !== '');
}

const DAYS_OF_MONTH = 30;

function frequencyWords(dosage: EnteredDosage): string {
  const { kind, times, days, weekdays, everyDays, everyMonths } = dosage;
  if (kind === 'asNeeded') return asNeededWords(dosage);
  if (kind === 'hours') {
    const hours = numberOf(dosage.everyHours) ?? 0;
    return hours > 0 ? `every ${hours} hours` : '';
  }
  const aDay = new Set(times.filter(Boolean)).size;
  if (aDay === 0) return '';
  // One dose on some days is taken once a week or so. Several doses on a day are held against the limit of a day.
  if (aDay === 1 && days === 'weekdays') return `${weekdays.length} times a week`;
  if (aDay === 1 && days === 'nth') return `every ${numberOf(everyDays) ?? 1} days`;
  if (aDay === 1 && days === 'months') return `every ${(numberOf(everyMonths) ?? 1) * DAYS_OF_MONTH} days`;
  return `${aDay} times a day`;
}

/** As often as the person may take it. Part of an hour is left out, so that there are rather more doses. */
function asNeededWords({ apart, most, amount }: EnteredDosage): string {
  const hours = Math.floor(numberOf(apart) ?? 0);
  const aDay = Math.floor((numberOf(most) ?? 0) / (numberOf(amount) ?? 1));
  if (aDay >= 1 && (hours === 0 || aDay < 24 / hours)) return `${aDay} times a day`;
  return hours > 0 ? `every ${hours} hours` : '';
}
