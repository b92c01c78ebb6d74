import { hasText, language, t } from '../../../i18n/i18n';
import {
  dayNumber,
  dayOf,
  formatDay,
  formatTime,
  instantOf,
  nearDayName,
} from '../../../platform/model/dates';
import {
  type DoseAmount,
  type DoseTimes,
  type Medicine,
  type MedicineDetails,
  remarkOf,
} from '@app/client/documents';
import { amountWords, planWords, whenTaken } from './plan-words';

/** What the page says about medicines and times, in the language of the page. */

export function doseWords(dose: DoseAmount | undefined): string {
  return dose ? amountWords(dose, spoken()) : '';
}

/** The unit of a dose. One of another program is in no catalogue: it stays as it is. */
export function unitWords(unit: string): string {
  const key = `cabinet.unit.${unit}`;
  return hasText(key) ? t(key) : unit;
}

/** What was said of a logged dose: `2 tablets · after breakfast`; empty where nothing was. */
export function remarkWords(medicine: Medicine, doseId: string): string {
  const { amount, unit, note } = remarkOf(medicine, doseId) ?? {};
  const dose = amount === undefined || !unit ? '' : doseWords({ amount, unit });
  return [dose, note].filter(Boolean).join(' · ');
}

/** Name and strength: `Ibuprofen 400 mg`. */
export function nameWords({ details }: Pick<Medicine, 'details'>): string {
  return [details.name, details.strength].filter(Boolean).join(' ');
}

export function timeWords(time: string): string {
  return formatTime(instantOf('2026-01-01', time), language.value);
}

export function clockWords(at: Date): string {
  return formatTime(at, language.value);
}

/** `today, 8:00`, or a day and a time. */
export function whenWords(at: Date, today: string): string {
  const day = dayOf(at);
  const near = relativeDay(day, today);
  return `${near ?? shortDay(day)}, ${clockWords(at)}`;
}

/** A time, with its day where that is not today; fits after “not before”. */
export function nearWords(at: Date, today: string): string {
  const [day, time] = [dayOf(at), clockWords(at)];
  if (day === today) return t('common.near.today', { time });
  const near = relativeDay(day, today);
  if (near) return t('common.near.relative', { day: near, time });
  return t('common.near.date', { day: shortDay(day), time });
}

/** Today, tomorrow or yesterday in words. */
export function relativeDay(day: string, today: string): string | undefined {
  const offset = dayNumber(day) - dayNumber(today);
  return Math.abs(offset) > 1 ? undefined : nearDayName(offset, language.value);
}

/** A day of this year: `25 Nov`. */
export function shortDay(day: string): string {
  return formatDay(day, language.value, { day: 'numeric', month: 'short' });
}

export function dayWords(day: string): string {
  return formatDay(day, language.value);
}

const spoken = () => ({ text: t, language: language.value });

/** When it is taken, in words: `8:00 and 20:00, Mon, Wed, until 3 Dec 2026`. @param dose for amounts that differ */
export const scheduleWords = (schedule: DoseTimes | undefined, dose?: DoseAmount): string =>
  whenTaken({ ...(schedule && { schedule }), ...(dose && { dose }) }, spoken());

/** How much and when, in words. */
export const howTaken = (details: Pick<MedicineDetails, 'schedule' | 'dose'>): string =>
  planWords(details, spoken());
