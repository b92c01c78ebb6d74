import type { Texts } from '../../i18n/measure-words';
import { formatDay, formatNumber, formatTime, instantOf, weekdayName } from '../../model/dates';
import type { Medicine } from '../../model/medication-details';

/** `1 tablet`, in the words of a language. */
function amountWords({ details }: Medicine, text: Texts, language: string): string | undefined {
  const { dose } = details;
  if (!dose) return undefined;
  const unit = text(`doctor.sheet.unit.${dose.unit}`, { count: dose.amount });
  // A unit of another program is in no catalogue: it stays as it is.
  return `${formatNumber(dose.amount, language)} ${unit.startsWith('doctor.') ? dose.unit : unit}`;
}

/** How a medicine is taken: `1 tablet, 08:00 and 20:00, Mon, Wed`. Empty where nothing is known. */
export function doseWords(medicine: Medicine, text: Texts, language: string): string {
  const { schedule, instructions } = medicine.details;
  const parts: (string | undefined)[] = [amountWords(medicine, text, language)];
  if (schedule?.asNeeded) {
    parts.push(text('doctor.sheet.asNeeded'));
    if (schedule.minHoursBetween)
      parts.push(text('doctor.sheet.minHours', { count: schedule.minHoursBetween }));
  } else if (schedule && schedule.times.length > 0) {
    // Any day serves: only the time of it is shown.
    const times = schedule.times.map((time) => formatTime(instantOf('2026-01-01', time), language));
    parts.push(new Intl.ListFormat(language).format(times));
    const { weekdays, everyDays } = schedule;
    if (everyDays && everyDays > 1) parts.push(text('doctor.sheet.everyDays', { count: everyDays }));
    else if (weekdays && weekdays.length > 0 && weekdays.length < 7)
      parts.push(new Intl.ListFormat(language).format(weekdays.map((day) => weekdayName(day, language))));
    else parts.push(text('doctor.sheet.everyDays', { count: 1 }));
  } else if (medicine.schedule) {
    parts.push(text('doctor.sheet.perDay', { count: medicine.schedule.timesPerDay }));
  }
  const until = medicine.details.endDate ?? schedule?.until;
  if (until) parts.push(text('doctor.sheet.until', { when: formatDay(until, language) }));
  if (instructions) parts.push(instructions);
  return parts.filter(Boolean).join(', ');
}
