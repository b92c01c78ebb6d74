import type { Medicine } from '@app/client/documents';
import { amountWords, planWords, type Spoken } from '../../../medications/model/plan-words';
import { formatDay } from '../../../../platform/model/dates';

/** How a medicine is taken: `1 tablet, 08:00 and 20:00, Mon, Wed`. Empty where nothing is known. */
export function doseWords({ schedule: counted, details }: Medicine, spoken: Spoken): string {
  const { text, language } = spoken;
  const { schedule, dose, endDate, instructions, correction } = details;
  const parts = [
    schedule
      ? planWords({ dose, schedule: { ...schedule, ...(endDate && { until: endDate }) } }, spoken)
      : undefined,
    !schedule && dose && amountWords(dose, spoken),
    !schedule && counted && text('doctor.sheet.perDay', { count: counted.timesPerDay }),
    !schedule && endDate && text('cabinet.schedule.until', { day: formatDay(endDate, language) }),
    correction,
    instructions,
  ];
  return parts.filter(Boolean).join(', ');
}
