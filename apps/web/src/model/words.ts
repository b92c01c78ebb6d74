import { language, t } from '../i18n/i18n';
import { addDays, dayOf, formatDay, formatNumber, formatTime, instantOf, weekdayName } from './dates';
import { type DoseAmount, type DoseTimes, type Medicine, remarkOf } from './medication-details';

/** What the page says about medicines and times, in the language of the page. */

export function doseWords(dose: DoseAmount | undefined): string {
  if (!dose) return '';
  const { amount, unit } = dose;
  return t(`today.unit.${unit}`, { count: amount, amount: formatNumber(amount, language.value) });
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
  return `${near ?? formatDay(day, language.value, { day: 'numeric', month: 'short' })}, ${clockWords(at)}`;
}

/** Today, tomorrow or yesterday in words. */
export function relativeDay(day: string, today: string): string | undefined {
  const words = new Intl.RelativeTimeFormat(language.value, { numeric: 'auto' });
  for (const offset of [-1, 0, 1]) if (addDays(today, offset) === day) return words.format(offset, 'day');
  return undefined;
}

export function dayWords(day: string): string {
  return formatDay(day, language.value);
}

/** A schedule in words: `8:00 and 20:00, Mon, Wed, until 3 Dec 2026`. */
export function scheduleWords(schedule: DoseTimes | undefined): string {
  if (!schedule) return t('cabinet.schedule.none');
  const list = new Intl.ListFormat(language.value, { type: 'conjunction' });
  const { times, weekdays, everyDays, asNeeded, minHoursBetween, until } = schedule;
  const parts = asNeeded
    ? [t('today.asNeeded'), minHoursBetween ? t('cabinet.schedule.apart', { hours: minHoursBetween }) : '']
    : [
        list.format(times.map(timeWords)),
        everyDays && everyDays > 1 ? t('cabinet.schedule.every', { count: everyDays }) : '',
        !everyDays && weekdays && weekdays.length > 0 && weekdays.length < 7
          ? list.format(
              [...weekdays]
                .sort((a, b) => ((a + 6) % 7) - ((b + 6) % 7))
                .map((day) => weekdayName(day, language.value)),
            )
          : '',
      ];
  if (until) parts.push(t('cabinet.schedule.until', { day: dayWords(until) }));
  return parts.filter(Boolean).join(', ');
}
