import { amountsOf, largestAmount, numberOf } from '../../model/dosage';
import type { Faults, FormFault, MedicineForm } from './form-model';

const isCount = (text: string) => /^[1-9]\d*$/.test(text.trim());
const isPositive = (text: string) => (numberOf(text) ?? 0) > 0;

/** What is wrong, by field; empty where the form can be saved. Nothing that was typed is left out silently. */
export function faultsOf(form: MedicineForm): Faults {
  const isNumber = (text: string) => text === '' || numberOf(text) !== undefined;
  const isAsNeeded = form.kind === 'asNeeded';
  const amounts = isAsNeeded ? 'same' : form.amounts;
  const days = form.kind === 'times' && amounts !== 'weekday' ? form.days : undefined;
  const isWrong: { [F in FormFault]: boolean } = {
    profileId: form.profileId === '',
    name: form.name.trim() === '',
    amount: amounts === 'same' && form.amount !== '' && !isPositive(form.amount),
    times: timeFaultsOf(form).some(Boolean),
    everyHours: form.kind === 'hours' && !isCount(form.everyHours),
    weekdays: days === 'weekdays' && form.weekdays.length === 0,
    everyDays: days === 'nth' && !isCount(form.everyDays),
    everyMonths: days === 'months' && !isCount(form.everyMonths),
    dayOfMonth: days === 'months' && !(isCount(form.dayOfMonth) && Number(form.dayOfMonth) <= 31),
    cycleOn: days === 'cycle' && !isCount(form.cycleOn),
    cycleOff: days === 'cycle' && !isCount(form.cycleOff),
    amounts: hasAmountFault(form),
    apart: isAsNeeded && form.apart !== '' && !isPositive(form.apart),
    most: isAsNeeded && form.most !== '' && !isPositive(form.most),
    start: form.startDate === '' && (amounts === 'step' || days === 'cycle' || days === 'months'),
    until: form.until !== '' && form.until < form.startDate,
    stock: !isNumber(form.stock),
    refillAt: form.stock !== '' && !isNumber(form.refillAt),
  };
  return Object.fromEntries(Object.entries(isWrong).filter(([, wrong]) => wrong));
}

/** What is wrong with each time: it is missing, or an earlier one is the same, so that a dose would be lost. */
export function timeFaultsOf({ kind, times }: MedicineForm): ('missing' | 'twice' | undefined)[] {
  const shown = kind === 'asNeeded' ? [] : kind === 'hours' ? times.slice(0, 1) : times;
  return shown.map((time, at) => (!time ? 'missing' : times.indexOf(time) < at ? 'twice' : undefined));
}

/** What is wrong with amounts that differ, by their place in the list of times, weekdays or steps. */
export interface AmountFaults {
  /** `number`: it is none. `zero`: it is, as all the others are. */
  amounts: ('number' | 'zero' | undefined)[];
  /** The steps whose days are wrong. */
  days: boolean[];
}

const FIRST_DAY_SHOWN = 1;

export function amountFaultsOf(form: MedicineForm): AmountFaults {
  const by = amountsOf(form)?.by;
  const isNumber = (text = '') => numberOf(text) !== undefined;
  const numbersOf = (list: readonly (string | undefined)[]) =>
    list.map((text) => (isNumber(text) ? undefined : ('number' as const)));
  const faults: AmountFaults = { amounts: [], days: [] };
  if (by === undefined) return faults;
  // A time that is missing is the fault, not its amount.
  if (by === 'time') faults.amounts = numbersOf(form.times.map((time, at) => (time ? form.byTime[at] : '0')));
  // An empty day of the week is a day without a dose.
  if (by === 'weekday') faults.amounts = numbersOf(form.byWeekday.map((text) => text.trim() || '0'));
  if (by === 'step') {
    faults.amounts = numbersOf(form.steps.map(({ amount }) => amount));
    // Only the last step may have no end.
    faults.days = form.steps.map(
      ({ days }, at) => !isCount(days) && !(days.trim() === '' && at === form.steps.length - 1),
    );
  }
  const isNone = !faults.amounts.some(Boolean) && !isPositive(String(largestAmount(form)));
  if (isNone) faults.amounts[by === 'weekday' ? FIRST_DAY_SHOWN : 0] = 'zero';
  return faults;
}

/** Whether words say all doses that were entered: a wrong amount, and the second of two equal times, would be missing. */
export const isSaid = (form: MedicineForm): boolean =>
  !timeFaultsOf(form).includes('twice') && !amountFaultsOf(form).amounts.includes('number');

function hasAmountFault(form: MedicineForm): boolean {
  const { amounts, days } = amountFaultsOf(form);
  return [...amounts, ...days].some(Boolean);
}
