import type { Dose, HealthStat } from '@app/client';
import type { Visit } from '@app/client/documents';
import { addDays, dayNumber, dayOf, instantOf } from '../../../platform/model/dates';
import {
  MEASURES,
  type Medicine,
  ageOn,
  type FamilyMember,
  type HealthFact,
  toAskOf,
} from '@app/client/documents';
import { dayOfCreation, isCurrent, isPaused, timesOn } from '../../medications/model/schedule';
import { countedSince } from '../../doses/model/slots';
import { metricsOf, seriesOf, trendOf, type Direction, type Series } from '../../health-stats/model/series';
import { dueVaccinations, isVaccination, type DueVaccination } from '../../appointments/model/vaccinations';

/** How many of the planned doses were taken. */
export interface SheetAdherence {
  planned: number;
  taken: number;
  /** Percent, whole. */
  rate: number;
}

/** A medicine of the sheet. */
export interface SheetMedicine {
  medicine: Medicine;
  state: 'taken' | 'paused' | 'ended' | 'as-needed' | 'planned';
  /** Local date; of the entry where no start is known. */
  since: string;
  isSinceEntry: boolean;
  /** Absent where nothing was planned in the period, as for a medicine that is taken as needed. */
  adherence?: SheetAdherence;
  /** Of a medicine that is taken as needed: the doses in the period. */
  timesTaken?: number;
}

/** The numbers of one component of a measure. */
export interface SheetComponent extends Direction {
  component: string;
  latest: number;
  least: number;
  most: number;
  mean: number;
}

/** A measure of the sheet. */
export interface SheetMeasure {
  series: Series;
  components: SheetComponent[];
  /** Milliseconds since 1970. */
  latestAt: number;
}

/** The content of the sheet for a doctor or a vet. It has no words but those that the person wrote. */
export interface DoctorSheet {
  member: FamilyMember;
  age?: number;
  /** The newest weight until the end of the period, whenever it was: doses go by it. */
  weight?: HealthStat;
  /** Local dates, both included. */
  from: string;
  to: string;
  medicines: SheetMedicine[];
  measures: SheetMeasure[];
  allergies: HealthFact[];
  conditions: HealthFact[];
  vaccinations: DueVaccination[];
  pastVisits: Visit[];
  nextVisits: Visit[];
  questions: string[];
}

/** The records of one member. */
export interface SheetRecords {
  member: FamilyMember;
  medicines: readonly Medicine[];
  doses: ReadonlyMap<string, readonly Dose[]>;
  visits: readonly Visit[];
  stats: readonly HealthStat[];
}

/** The period of the sheet. */
export interface SheetPeriod {
  from: string;
  to: string;
  /** Now. */
  now: Date;
  /** IANA name. */
  timeZone: string;
}

/** The doses of a medicine from a date to a date. Today does not count: its doses may still come. */
export function adherenceOf(
  medicine: Medicine,
  doses: readonly Dose[],
  { from, to, now }: Pick<SheetPeriod, 'from' | 'to' | 'now'>,
): SheetAdherence | undefined {
  // Of the days before it was entered here nothing is known: none of their doses was missed.
  const entered = dayOf(countedSince(medicine, doses));
  const first = [from, medicine.details.startDate ?? entered, entered].sort()[2];
  const last = [to, addDays(dayOf(now), -1)].sort()[0];
  let planned = 0;
  for (let day = first; day <= last; day = addDays(day, 1)) planned += timesOn(medicine, day).length;
  if (planned === 0) return undefined;
  const taken = doses.filter(
    (dose) => dose.taken && isBetween(dayOf(new Date(dose.loggedAt)), first, last),
  ).length;
  return { planned, taken, rate: Math.round((100 * Math.min(taken, planned)) / planned) };
}

const isBetween = (day: string, from: string, to: string) => from <= day && day <= to;

function sheetMedicine(medicine: Medicine, records: SheetRecords, period: SheetPeriod): SheetMedicine {
  const today = dayOf(period.now);
  const { startDate, schedule } = medicine.details;
  const doses = records.doses.get(medicine.id) ?? [];
  const adherence = adherenceOf(medicine, doses, period);
  const hasBegun = !startDate || startDate <= today;
  const state = !hasBegun
    ? 'planned'
    : !isCurrent(medicine, today)
      ? 'ended'
      : isPaused(medicine, today)
        ? 'paused'
        : schedule?.asNeeded
          ? 'as-needed'
          : 'taken';
  const inPeriod = doses.filter(
    (dose) => dose.taken && isBetween(dayOf(new Date(dose.loggedAt)), period.from, period.to),
  );
  return {
    medicine,
    state,
    since: startDate ?? dayOfCreation(medicine),
    isSinceEntry: startDate === undefined,
    ...(adherence && { adherence }),
    ...(schedule?.asNeeded && { timesTaken: inPeriod.length }),
  };
}

function sheetMeasure(stats: readonly HealthStat[], metric: string, timeZone: string): SheetMeasure[] {
  const series = seriesOf(stats, metric);
  const components = series.components.flatMap((component): SheetComponent[] => {
    const values = series.points
      .map((point) => point.values[component])
      .filter((value) => value !== undefined);
    if (values.length === 0) return [];
    const trend = trendOf(series.points, component, timeZone);
    const { direction, perWeek, spanDays } = trend;
    const { minimum, maximum, mean } = trend;
    return [
      {
        component,
        latest: values.at(-1)!,
        least: minimum!,
        most: maximum!,
        mean: mean!,
        direction,
        perWeek,
        spanDays,
      },
    ];
  });
  return components.length === 0 ? [] : [{ series, components, latestAt: series.points.at(-1)!.at }];
}

const STATES: SheetMedicine['state'][] = ['taken', 'as-needed', 'paused', 'planned', 'ended'];

/** The sheet of one member for a period. Ended medicines are on it where they ended in the period. */
export function doctorSheet(records: SheetRecords, period: SheetPeriod): DoctorSheet {
  const { member, visits } = records;
  const { from, to, now, timeZone } = period;
  const today = dayOf(now);
  const medicines = records.medicines
    .filter((medicine) => hadNotEndedBefore(medicine, from))
    .map((medicine) => sheetMedicine(medicine, records, period))
    .sort(
      (a, b) =>
        STATES.indexOf(a.state) - STATES.indexOf(b.state) ||
        a.medicine.details.name.localeCompare(b.medicine.details.name),
    );
  const [start, end] = [instantOf(from, '00:00').getTime(), instantOf(addDays(to, 1), '00:00').getTime()];
  const stats = records.stats.filter(({ recordedAt }) => {
    const at = Date.parse(recordedAt);
    return at >= start && at < end;
  });
  const weight = records.stats
    .filter(({ details, recordedAt }) => details.metric === 'weight' && Date.parse(recordedAt) < end)
    .sort((a, b) => Date.parse(b.recordedAt) - Date.parse(a.recordedAt))
    .at(0);
  const known = MEASURES.map(({ metric }) => metric);
  const metrics = [...metricsOf(stats).keys()].sort(
    (a, b) => (known.indexOf(a) + 1 || 99) - (known.indexOf(b) + 1 || 99) || a.localeCompare(b),
  );
  const others = visits
    .filter((visit) => !isVaccination(visit) && visit.status !== 'cancelled')
    .sort((a, b) => Date.parse(a.details.startsAt) - Date.parse(b.details.startsAt));
  const isPast = (visit: Visit) => Date.parse(visit.details.startsAt) < now.getTime();
  const { birthDate, allergies = [], conditions = [] } = member.details;
  return {
    member,
    ...(birthDate && { age: ageOn(birthDate, today) }),
    ...(weight && { weight }),
    from,
    to,
    medicines,
    measures: metrics.flatMap((metric) => sheetMeasure(stats, metric, timeZone)),
    allergies,
    conditions,
    vaccinations: dueVaccinations(visits, today),
    pastVisits: others
      .filter((visit) => isPast(visit) && visit.details.startsAt.slice(0, 10) >= from)
      .reverse(),
    nextVisits: others.filter((visit) => !isPast(visit)),
    questions: toAskOf(member.details),
  };
}

/** Whether a medicine had not ended before the period. */
function hadNotEndedBefore({ details }: Medicine, from: string): boolean {
  const last = [details.endDate, details.schedule?.until].filter((each) => each !== undefined).sort()[0];
  return last === undefined || last >= from;
}

/** The periods that a person can choose, in days; `null` is everything. */
export const PERIODS = [30, 90, 365, null] as const;

/** The dates of a period that ends today. Everything begins with the first record. */
export function periodDates(
  days: number | null,
  today: string,
  firstRecord: string | undefined,
): { from: string; to: string } {
  if (days !== null) return { from: addDays(today, 1 - days), to: today };
  const first = firstRecord !== undefined && dayNumber(firstRecord) < dayNumber(today) ? firstRecord : today;
  return { from: first, to: today };
}
