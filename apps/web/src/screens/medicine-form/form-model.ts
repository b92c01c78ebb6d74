import { today } from '../../model/clock';
import type {
  DoseTimes,
  Medicine,
  MedicineChange,
  MedicineDetails,
  Stock,
} from '../../model/medication-details';
import { EMPTY_DOSAGE, type EnteredDosage, enteredOf, numberOf } from '../../model/dosage';
import { dosesOf } from '../../model/medicines';
import { stockFor } from '../../model/stock';
import { doseWords, scheduleWords } from '../../model/words';

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
    notes: details.notes ?? '',
  };
}

export function scheduleOf(form: MedicineForm): DoseTimes {
  const until = form.until ? { until: form.until } : {};
  if (form.kind === 'asNeeded') {
    const apart = numberOf(form.apart);
    return { times: [], asNeeded: true, ...(apart && { minHoursBetween: apart }), ...until };
  }
  const times = [...new Set(form.times.filter(Boolean))].sort();
  return {
    times,
    ...(form.days === 'weekdays' && { weekdays: [...form.weekdays].sort() }),
    ...(form.days === 'nth' && { everyDays: numberOf(form.everyDays) ?? 2 }),
    ...until,
  };
}

export type FormFault =
  | 'profileId'
  | 'name'
  | 'amount'
  | 'times'
  | 'weekdays'
  | 'everyDays'
  | 'apart'
  | 'until'
  | 'stock'
  | 'refillAt';

/** What is wrong, by field; empty where the form can be saved. Nothing that was typed is left out silently. */
export function faultsOf(form: MedicineForm): { [F in FormFault]?: true } {
  const isPositive = (text: string) => (numberOf(text) ?? 0) > 0;
  const isNumber = (text: string) => text === '' || numberOf(text) !== undefined;
  const hasTimes = form.kind === 'times';
  const isWrong: { [F in FormFault]: boolean } = {
    profileId: form.profileId === '',
    name: form.name.trim() === '',
    amount: form.amount !== '' && !isPositive(form.amount),
    times: hasTimes && !form.times.some(Boolean),
    weekdays: hasTimes && form.days === 'weekdays' && form.weekdays.length === 0,
    everyDays: hasTimes && form.days === 'nth' && !/^[1-9]\d*$/.test(form.everyDays.trim()),
    apart: !hasTimes && form.apart !== '' && !isPositive(form.apart),
    until: form.until !== '' && form.until < form.startDate,
    stock: !isNumber(form.stock),
    refillAt: form.stock !== '' && !isNumber(form.refillAt),
  };
  return Object.fromEntries(Object.entries(isWrong).filter(([, wrong]) => wrong));
}

/** @param before the medicine that is changed; its stock is kept unless the number was changed */
export function detailsOf(form: MedicineForm, rules: string[], before?: Medicine): MedicineDetails {
  const text = (value: string) => value.trim() || undefined;
  const amount = numberOf(form.amount);
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
    notes: text(form.notes),
    reading: { ingredients: form.ingredients, confirmed: form.isNameSettled },
    seen: { at: new Date().toISOString(), rules },
    changes: [...(before?.details.changes ?? []), ...changesOf(form, schedule, dose, before)],
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
    ['times', scheduleWords(details.schedule), scheduleWords(schedule)],
  ];
  return pairs.filter(([, from, to]) => from !== to).map(([what, from, to]) => ({ on, what, from, to }));
}
