import type { Visit, VisitDetails } from '@app/client/documents';
import { dayOf, instantOf, isDay, timeOf } from '../../../platform/model/dates';
import type { NewVisit } from '../model/visits';

/** What stands in the fields of the form, as typed. */
export interface VisitDraft {
  type: 'visit' | 'vaccination';
  profileId: string;
  /** The vaccine, for a vaccination. */
  title: string;
  date: string;
  time: string;
  minutes: string;
  location: string;
  practitioner: string;
  status: string;
  notes: string;
  lot: string;
  nextDue: string;
}

export type VisitField = 'title' | 'date' | 'minutes' | 'nextDue';
export type VisitProblem = 'needTitle' | 'needDate' | 'badMinutes' | 'dueBefore';

const MOST_MINUTES = 1440;

/** The fields of a new entry: a visit tomorrow at nine, a vaccination now. */
export function newDraft(type: VisitDraft['type'], profileId: string, now: Date): VisitDraft {
  const tomorrow = dayOf(new Date(now.getTime() + 86_400_000));
  return {
    type,
    profileId,
    title: '',
    date: type === 'vaccination' ? dayOf(now) : tomorrow,
    time: type === 'vaccination' ? timeOf(now) : '09:00',
    minutes: '',
    location: '',
    practitioner: '',
    status: type === 'vaccination' ? 'completed' : 'scheduled',
    notes: '',
    lot: '',
    nextDue: '',
  };
}

export function draftOf({ profileId, status, details }: Visit): VisitDraft {
  const at = new Date(details.startsAt);
  const isReadable = !Number.isNaN(at.getTime());
  return {
    type: details.type === 'vaccination' ? 'vaccination' : 'visit',
    profileId,
    title: details.vaccine || details.title,
    date: isReadable ? dayOf(at) : '',
    time: isReadable ? timeOf(at) : '',
    minutes: details.durationMinutes === undefined ? '' : String(details.durationMinutes),
    location: details.location ?? '',
    practitioner: details.practitioner ?? '',
    status,
    notes: details.notes ?? '',
    lot: details.lot ?? '',
    nextDue: details.nextDue ?? '',
  };
}

/** The local time with its offset, so that another zone shows the same instant. */
export function withOffset(at: Date): string {
  const two = (part: number) => String(Math.abs(part)).padStart(2, '0');
  const offset = -at.getTimezoneOffset();
  const sign = offset < 0 ? '-' : '+';
  return `${dayOf(at)}T${timeOf(at)}:00${sign}${two(Math.trunc(offset / 60))}:${two(offset % 60)}`;
}

/** The visit that a draft means, or what is wrong with it. An empty field removes its member. */
export function readDraft(draft: VisitDraft): {
  visit?: NewVisit;
  problems: { [F in VisitField]?: VisitProblem };
} {
  const problems: { [F in VisitField]?: VisitProblem } = {};
  const title = draft.title.trim();
  if (title === '') problems.title = 'needTitle';
  if (!isDay(draft.date) || !/^\d{2}:\d{2}/.test(draft.time)) problems.date = 'needDate';
  const minutes = draft.minutes.trim() === '' ? undefined : Number(draft.minutes);
  if (minutes !== undefined && !(Number.isInteger(minutes) && minutes >= 1 && minutes <= MOST_MINUTES)) {
    problems.minutes = 'badMinutes';
  }
  const isVaccination = draft.type === 'vaccination';
  const nextDue = isVaccination && draft.nextDue !== '' ? draft.nextDue : undefined;
  if (nextDue !== undefined && !(isDay(nextDue) && nextDue > draft.date)) problems.nextDue = 'dueBefore';
  if (Object.keys(problems).length > 0) return { problems };
  const text = (value: string) => value.trim() || undefined;
  const details: VisitDetails = {
    title,
    startsAt: withOffset(instantOf(draft.date, draft.time.slice(0, 5))),
    durationMinutes: minutes,
    location: text(draft.location),
    practitioner: text(draft.practitioner),
    notes: text(draft.notes),
    type: isVaccination ? 'vaccination' : undefined,
    vaccine: isVaccination ? title : undefined,
    lot: isVaccination ? text(draft.lot) : undefined,
    nextDue,
  };
  return { visit: { profileId: draft.profileId, status: draft.status, details }, problems };
}
