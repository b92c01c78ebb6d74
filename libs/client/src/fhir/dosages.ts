import type { DoseSchedule } from '../records/record-types';
import type { ExportedMedication } from '../transfer/export-document';
import type { Json } from '../json';
import type { Dosage, Timing, TimingRepeat } from 'fhir/r4';
import { asMedicine } from '../documents/medicine';
import type { DoseAmount, DoseTimes, MedicineDetails } from '../documents/schemas/medication';
import { routeOf } from '../documents/routes';
import { concept, fhirText, optional } from './text';

export const WEEKDAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] as const;
const UCUM = 'http://unitsofmeasure.org';

/** Says a plan in the language of the reader. */
export type PlanText = (details: MedicineDetails) => string;

/** 0 to 7 or the beginning of an English name → a weekday of FHIR. */
function weekday(day: Json): (typeof WEEKDAYS)[number] | undefined {
  if (typeof day === 'number') return WEEKDAYS[day % 7];
  return WEEKDAYS.find((name) => typeof day === 'string' && name.startsWith(day.slice(0, 3).toLowerCase()));
}

const daysOfWeek = (days: readonly Json[]) => {
  const dayOfWeek = days.map(weekday).filter((day) => day !== undefined);
  return dayOfWeek.length > 0 ? { dayOfWeek } : {};
};
const timesOfDay = (times: readonly string[]) => ({ timeOfDay: times.map((time) => `${time}:00`) });
const isTime = (time: string) => /^([01]\d|2[0-3]):[0-5]\d$/.test(time);

/** How often: by the plan of the page, else by what the service counts. */
function repeatOf(schedule: DoseSchedule | null, own: DoseTimes | undefined): TimingRepeat | undefined {
  if (own?.asNeeded)
    return own.minHoursBetween ? { frequency: 1, period: own.minHoursBetween, periodUnit: 'h' } : undefined;
  if (own?.everyHours) return { frequency: 1, period: own.everyHours, periodUnit: 'h' };
  const times = (own?.times ?? []).filter(isTime);
  const frequency = schedule?.timesPerDay ?? times.length;
  if (frequency === 0) return undefined;
  return {
    // A time of the day says how often; FHIR asks for one of the two.
    ...(times.length === 0 && { frequency }),
    period: own?.everyMonths ?? own?.everyDays ?? 1,
    periodUnit: own?.everyMonths ? 'mo' : 'd',
    ...daysOfWeek(own?.weekdays ?? schedule?.daysOfWeek ?? []),
    ...(times.length > 0 && timesOfDay(times)),
  };
}

/** One dosage for each amount; the texts stand in the first. */
export function dosagesOf(medication: ExportedMedication, textOf?: PlanText): Dosage[] {
  const { route, schedule } = medication;
  const { details } = asMedicine(medication);
  const own = details.schedule;
  const repeat = repeatOf(schedule, own);
  const isPlan = own !== undefined || details.dose !== undefined;
  const said = {
    ...optional('text', (isPlan && fhirText(textOf?.(details))) || fhirText(details.instructions)),
    ...optional('patientInstruction', isPlan && textOf ? fhirText(details.instructions) : undefined),
    ...(fhirText(details.correction) && { additionalInstruction: [concept(details.correction)] }),
  };
  const timed = (timing: TimingRepeat | undefined): { timing?: Timing } =>
    timing ? { timing: { repeat: timing } } : {};
  const way = routeOf(route, details);
  const common = { asNeededBoolean: own?.asNeeded === true, ...(way && { route: concept(way) }) };
  const parts = partsOf(own, repeat);
  if (parts.length === 0) {
    const most = own?.mostIn24Hours;
    return [
      {
        ...said,
        ...timed(repeat),
        ...common,
        ...rateOf(details.dose, details.dose?.amount),
        ...(most && {
          maxDosePerPeriod: {
            numerator: quantityOf(details.dose, most),
            denominator: { value: 24, unit: 'h', system: UCUM, code: 'h' },
          },
        }),
      },
    ];
  }
  return parts.map(({ amount, timing }, at) => ({
    ...(own?.amounts?.by === 'step' && { sequence: at + 1 }),
    ...(at === 0 && said),
    ...timed(timing),
    ...common,
    ...rateOf(details.dose, amount),
  }));
}

/** A number with the unit in words. */
export const quantityOf = (dose: DoseAmount | undefined, value: number) => ({
  value,
  ...optional('unit', fhirText(dose?.unit)),
});
const rateOf = (dose: DoseAmount | undefined, amount: number | undefined) =>
  amount === undefined ? {} : { doseAndRate: [{ doseQuantity: quantityOf(dose, amount) }] };

/** An amount, and when it is due. */
interface Part {
  amount: number;
  timing: TimingRepeat;
}

/** Amounts that differ; empty where each dose is the same. */
function partsOf(own: DoseTimes | undefined, repeat: TimingRepeat | undefined): Part[] {
  const amounts = own?.amounts;
  if (!amounts || !repeat) return [];
  const distinct = (list: readonly number[]) => [...new Set(list)].filter((amount) => amount > 0);
  if (amounts.by === 'time')
    return distinct(Object.values(amounts.of)).map((amount) => ({
      amount,
      timing: { ...repeat, ...timesOfDay(own.times.filter((time) => amounts.of[time] === amount)) },
    }));
  if (amounts.by === 'weekday')
    return distinct(amounts.of).map((amount) => ({
      amount,
      timing: {
        ...repeat,
        ...daysOfWeek(amounts.of.flatMap((each, day) => (each === amount ? [day] : []))),
      },
    }));
  return amounts.of.map(({ amount, days }) => ({
    amount,
    timing: {
      ...repeat,
      ...(days && { boundsDuration: { value: days, unit: 'd', system: UCUM, code: 'd' } }),
    },
  }));
}
