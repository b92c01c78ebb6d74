import { today } from '../../../../platform/model/clock';
import type { DoseTimes, Medicine, MedicineChange, MedicineDetails, Stock } from '@app/client/documents';
import {
  amountsOf,
  EMPTY_DOSAGE,
  type EnteredDosage,
  enteredOf,
  largestAmount,
  numberOf,
} from '../../model/dosage';
import { dosesOf } from '../../model/medicines';
import { writtenHere } from '../../../profiles/model/people';
import { lastDayOfSteps } from '../../model/schedule';
import { stockFor } from '../../model/stock';
import { doseWords, scheduleWords } from '../../model/words';

export type FormFault =
  | 'profileId'
  | 'name'
  | 'amount'
  | 'times'
  | 'everyHours'
  | 'weekdays'
  | 'everyDays'
  | 'everyMonths'
  | 'dayOfMonth'
  | 'cycleOn'
  | 'cycleOff'
  | 'amounts'
  | 'apart'
  | 'most'
  | 'start'
  | 'until'
  | 'stock'
  | 'refillAt';

/** What is wrong in a form. `times` and `amounts` have several fields: see `timeFaultsOf` and `amountFaultsOf`. */
export type Faults = { [F in FormFault]?: true };

/** What the form holds: texts as typed. */
export interface MedicineForm extends EnteredDosage {
  profileId: string;
  /** Whether the person said that the reading is right, or wanted the name as it is. */
  isNameSettled: boolean;
  ingredients: string[];
  startDate: string;
  until: string;
  stock: string;
  refillAt: string;
  reason: string;
  prescriber: string;
  instructions: string;
  correction: string;
  notes: string;
}

export function emptyForm(profileId: string): MedicineForm {
  return {
    ...EMPTY_DOSAGE,
    profileId,
    isNameSettled: false,
    ingredients: [],
    startDate: today.value,
    until: '',
    stock: '',
    refillAt: '',
    reason: '',
    prescriber: '',
    instructions: '',
    correction: '',
    notes: '',
  };
}

export function formOf({ profileId, details }: Medicine): MedicineForm {
  const { schedule, stock } = details;
  return {
    ...emptyForm(profileId),
    ...enteredOf(details),
    isNameSettled: details.reading?.confirmed ?? false,
    ingredients: details.reading?.ingredients ?? [],
    startDate: details.startDate ?? '',
    until: schedule?.until ?? '',
    stock: stock ? String(stock.count) : '',
    refillAt: stock ? String(stock.refillAt) : '',
    reason: details.reason ?? '',
    prescriber: details.prescriber ?? '',
    instructions: details.instructions ?? '',
    correction: details.correction ?? '',
    notes: details.notes ?? '',
  };
}

export function scheduleOf(form: MedicineForm): DoseTimes {
  const last = lastDayOf(form);
  const until = last ? { until: last } : {};
  if (form.kind === 'asNeeded') {
    const [apart, most] = [numberOf(form.apart), numberOf(form.most)];
    return {
      times: [],
      asNeeded: true,
      ...(apart && { minHoursBetween: apart }),
      ...(most && { mostIn24Hours: most }),
      ...until,
    };
  }
  const amounts = amountsOf(form);
  const times = [...new Set(form.times.filter(Boolean))].sort();
  return {
    ...(form.kind === 'hours'
      ? { times: form.times.slice(0, 1), everyHours: numberOf(form.everyHours) ?? 8 }
      : { times, ...(amounts?.by !== 'weekday' && daysOf(form)) }),
    ...(amounts && { amounts }),
    ...until,
  };
}

function daysOf(form: MedicineForm): Partial<DoseTimes> {
  const count = (text: string) => numberOf(text) ?? 1;
  switch (form.days) {
    case 'weekdays':
      return { weekdays: [...form.weekdays].sort() };
    case 'nth':
      return { everyDays: numberOf(form.everyDays) ?? 2 };
    case 'months':
      return { everyMonths: count(form.everyMonths), dayOfMonth: count(form.dayOfMonth) };
    case 'cycle':
      return { cycle: { on: count(form.cycleOn), off: count(form.cycleOff) } };
    default:
      return {};
  }
}

/** A plan of steps that end has a last day of its own. */
export function lastDayOf(form: MedicineForm): string {
  const amounts = amountsOf(form);
  const last =
    amounts?.by === 'step' && form.startDate ? lastDayOfSteps(amounts.of, form.startDate) : undefined;
  return last ?? form.until;
}

/** @param before the medicine that is changed; its stock is kept unless the number was changed */
export function detailsOf(form: MedicineForm, rules: string[], before?: Medicine): MedicineDetails {
  const text = (value: string) => value.trim() || undefined;
  const amount = largestAmount(form);
  const schedule = scheduleOf(form);
  const dose = amount ? { amount, unit: form.unit } : undefined;
  // Of an amount in milligrams nobody knows how many tablets it is: one is the likely number.
  const perDose = form.unit === 'mg' || form.unit === 'g' ? 1 : (amount ?? 1);
  return {
    name: form.name.trim(),
    strength: text(form.strength),
    dose,
    schedule,
    stock: stockOf(form, perDose, before),
    startDate: text(form.startDate),
    reason: text(form.reason),
    prescriber: text(form.prescriber),
    instructions: text(form.instructions),
    correction: form.unit === 'unit' ? text(form.correction) : undefined,
    notes: text(form.notes),
    reading: { ingredients: form.ingredients, confirmed: form.isNameSettled },
    seen: { at: new Date().toISOString(), rules },
    changes: [
      ...(before?.details.changes ?? []),
      ...changesOf(form, schedule, dose, before).map((change) => ({
        ...change,
        ...writtenHere(form.profileId),
      })),
    ],
  };
}

function stockOf(form: MedicineForm, perDose: number, before?: Medicine): Stock | undefined {
  const count = numberOf(form.stock);
  if (count === undefined) return undefined;
  const refillAt = numberOf(form.refillAt) ?? 0;
  const now = new Date();
  const known =
    before?.details.stock?.count === count ? stockFor(perDose, before, dosesOf(before.id), now) : undefined;
  return { count, countedAt: now.toISOString(), perDose, ...known, refillAt };
}

function changesOf(
  form: MedicineForm,
  schedule: DoseTimes,
  dose: MedicineDetails['dose'],
  before: Medicine | undefined,
): MedicineChange[] {
  const on = today.value;
  if (!before) return [{ on: form.startDate || on, what: 'started' }];
  const { details } = before;
  const pairs: [MedicineChange['what'], string, string][] = [
    ['strength', details.strength ?? '', form.strength.trim()],
    ['dose', doseWords(details.dose), doseWords(dose)],
    ['times', scheduleWords(details.schedule, details.dose), scheduleWords(schedule, dose)],
  ];
  return pairs.filter(([, from, to]) => from !== to).map(([what, from, to]) => ({ on, what, from, to }));
}

/** What a step of the form about the schedule shows and changes. */
export interface ScheduleStepProps {
  form: MedicineForm;
  change: (changes: Partial<MedicineForm>) => void;
  faults: Faults;
}
