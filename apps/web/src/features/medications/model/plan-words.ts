import type { Language } from '../../../i18n/languages';
import type { Texts } from '../../../i18n/measure-words';
import {
  formatDay,
  formatNumber,
  formatTime,
  instantOf,
  localeOf,
  weekdayName,
} from '../../../platform/model/dates';
import type { DoseAmount, DoseAmounts, DoseTimes, DoseUnit, MedicineDetails } from '@app/client/documents';

/** A language, and a lookup of its texts. The doctor may read another one than the family. */
export interface Spoken {
  text: Texts;
  language: Language;
}

/** `2 tablets`. A unit of another program is in no catalogue: it stays as it is. */
export function amountWords({ amount, unit }: DoseAmount, { text, language }: Spoken): string {
  const number = formatNumber(amount, language);
  const words = text(`today.unit.${unit as DoseUnit}`, { count: amount, amount: number });
  return words.startsWith('today.') ? [number, unit].filter(Boolean).join(' ') : words;
}

const WEEK = [1, 2, 3, 4, 5, 6, 0];

/** When a medicine is taken, and how much where that is not always the same: `8:00 and 20:00, every day`. */
export function whenTaken({ schedule, dose }: Plan, spoken: Spoken): string {
  const { text, language } = spoken;
  if (!schedule) return text('cabinet.schedule.none');
  const { asNeeded, minHoursBetween, mostIn24Hours, amounts, until } = schedule;
  const amountOf = (amount: number) =>
    dose ? amountWords({ ...dose, amount }, spoken) : formatNumber(amount, language);
  const parts = asNeeded
    ? [
        text('cabinet.schedule.asNeeded'),
        minHoursBetween ? text('cabinet.schedule.apart', { hours: minHoursBetween }) : '',
        mostIn24Hours ? text('cabinet.schedule.most', { amount: amountOf(mostIn24Hours) }) : '',
      ]
    : [
        amounts?.by === 'time' ? '' : timesWords(schedule, spoken),
        amounts ? amountsWords(amounts, amountOf, spoken) : '',
        amounts?.by === 'weekday' ? '' : daysWords(schedule, spoken),
      ];
  if (until) parts.push(text('cabinet.schedule.until', { day: formatDay(until, language) }));
  return parts.filter(Boolean).join(', ');
}

type Plan = Pick<MedicineDetails, 'schedule' | 'dose'>;

/** A plan as a doctor writes it: `1 tablet, 8:00 and 20:00, every day, until 3 Dec 2026`. */
export function planWords(plan: Plan, spoken: Spoken): string {
  const { schedule, dose } = plan;
  const isSame = dose && !schedule?.amounts;
  return [isSame && amountWords(dose, spoken), whenTaken(plan, spoken)].filter(Boolean).join(', ');
}

const listOf = (parts: string[], { language }: Spoken) =>
  new Intl.ListFormat(localeOf(language), { type: 'conjunction' }).format(parts);

// Any day serves: only the time of it is shown.
const timeWords = (time: string, { language }: Spoken) => formatTime(instantOf('2026-01-01', time), language);

const weekdayList = (days: readonly number[], spoken: Spoken) =>
  listOf(
    WEEK.filter((day) => days.some((each) => each % 7 === day)).map((day) =>
      weekdayName(day, spoken.language),
    ),
    spoken,
  );

function timesWords({ times, everyHours }: DoseTimes, spoken: Spoken): string {
  if (everyHours)
    return spoken.text('cabinet.schedule.hours', { count: everyHours, time: timeWords(times[0], spoken) });
  return listOf(
    times.map((time) => timeWords(time, spoken)),
    spoken,
  );
}

function daysWords(schedule: DoseTimes, spoken: Spoken): string {
  const { text } = spoken;
  const { everyHours, everyMonths, dayOfMonth, cycle, everyDays, weekdays = [] } = schedule;
  if (everyMonths) return text('cabinet.schedule.months', { count: everyMonths, day: dayOfMonth });
  if (cycle) return text('cabinet.schedule.cycle', { ...cycle });
  if (everyDays && everyDays > 1) return text('cabinet.schedule.every', { count: everyDays });
  if (weekdays.length > 0 && weekdays.length < 7) return weekdayList(weekdays, spoken);
  return everyHours ? '' : text('cabinet.schedule.everyDay');
}

function amountsWords(amounts: DoseAmounts, amountOf: (amount: number) => string, spoken: Spoken): string {
  const { text } = spoken;
  if (amounts.by === 'time')
    return listOf(
      Object.entries(amounts.of)
        .filter(([, amount]) => amount > 0)
        .sort(([a], [b]) => a.localeCompare(b))
        .map(([time, amount]) =>
          text('cabinet.schedule.at', { dose: amountOf(amount), time: timeWords(time, spoken) }),
        ),
      spoken,
    );
  if (amounts.by === 'weekday')
    return [...new Set(WEEK.map((day) => amounts.of[day]))]
      .filter((amount) => amount > 0)
      .map((amount) => {
        const days = amounts.of.flatMap((each, day) => (each === amount ? [day] : []));
        return text('cabinet.schedule.on', { dose: amountOf(amount), days: weekdayList(days, spoken) });
      })
      .join('; ');
  return amounts.of
    .map(({ amount, days }) =>
      days ? text('cabinet.schedule.step', { dose: amountOf(amount), count: days }) : amountOf(amount),
    )
    .reduce((first, next) => text('cabinet.schedule.then', { first, next }));
}
