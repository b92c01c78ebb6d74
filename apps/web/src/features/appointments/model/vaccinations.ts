import type { VisitDetails } from '@app/client/documents';
import { dayNumber, isDay } from '../../../platform/model/dates';

/** What a vaccination needs of a visit. */
export interface VisitRecord {
  id: string;
  status: string;
  details: Partial<VisitDetails>;
}

/** A vaccination that was given. Dates are `YYYY-MM-DD`. */
export interface Vaccination {
  id: string;
  vaccine: string;
  givenOn: string;
  lot?: string;
  /** The date on which it is due again; absent where it is not. */
  nextDue?: string;
}

/** The latest vaccination with one vaccine, and when it is due again. */
export interface DueVaccination extends Vaccination {
  state: 'overdue' | 'soon' | 'later' | 'done';
  /** Days until it is due; negative when overdue; absent where it is not due again. */
  inDays?: number;
}

const SOON_DAYS = 30;
const STATES = ['overdue', 'soon', 'later', 'done'];

export function isVaccination({ details }: Pick<VisitRecord, 'details'>): boolean {
  return details.type === 'vaccination';
}

/** Its local date, which is the first part of its time. */
export function vaccinatedOn({ startsAt }: Partial<VisitDetails>): string | undefined {
  const day = startsAt?.slice(0, 10);
  return isDay(day) ? day : undefined;
}

/** The vaccination of a visit; `undefined` for another visit, or one that did not take place. */
export function vaccinationOf({ id, status, details }: VisitRecord): Vaccination | undefined {
  const { lot, nextDue, title } = details;
  const vaccine = details.vaccine || title;
  const givenOn = vaccinatedOn(details);
  if (!isVaccination({ details }) || !vaccine || status !== 'completed' || !givenOn) return undefined;
  return {
    id,
    vaccine,
    givenOn,
    ...(lot && { lot }),
    ...(isDay(nextDue) && { nextDue }),
  };
}

/** The same vaccine however it is spelled. */
const keyOf = (vaccine: string) =>
  vaccine
    .normalize('NFKD')
    .replace(/[^\p{L}\p{N}]/gu, '')
    .toLowerCase();

/**
 * The latest vaccination with each vaccine, the most urgent first.
 * @param today `YYYY-MM-DD` where the person is.
 */
export function dueVaccinations(visits: Iterable<VisitRecord>, today: string): DueVaccination[] {
  const latest = new Map<string, Vaccination>();
  for (const visit of visits) {
    const given = vaccinationOf(visit);
    if (!given) continue;
    const before = latest.get(keyOf(given.vaccine));
    if (!before || before.givenOn <= given.givenOn) latest.set(keyOf(given.vaccine), given);
  }
  const due = [...latest.values()].map((given): DueVaccination => {
    if (!given.nextDue) return { ...given, state: 'done' };
    const inDays = dayNumber(given.nextDue) - dayNumber(today);
    return { ...given, inDays, state: inDays < 0 ? 'overdue' : inDays <= SOON_DAYS ? 'soon' : 'later' };
  });
  return due.sort(
    (a, b) =>
      STATES.indexOf(a.state) - STATES.indexOf(b.state) ||
      (a.inDays ?? 0) - (b.inDays ?? 0) ||
      a.vaccine.localeCompare(b.vaccine),
  );
}

/** The date some months later. The last day of a shorter month stands for a day that it does not have. */
export function addMonths(date: string, months: number): string {
  const [year, month, day] = date.split('-').map(Number);
  const lastDay = new Date(Date.UTC(year, month + months, 0)).getUTCDate();
  return new Date(Date.UTC(year, month - 1 + months, Math.min(day, lastDay))).toISOString().slice(0, 10);
}
