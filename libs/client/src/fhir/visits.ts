import type { ExportedAppointment } from '../transfer/export-document';
import type { JsonObject } from '../json';
import type { Appointment, AppointmentParticipant, Immunization } from 'fhir/r4';
import { PARTICIPATION } from './codes';
import { keep, restore } from './kept';
import { concept, conceptText, fhirText, fullTime, optional, referenceTo } from './text';

export type VisitRecord = { status: string; details: JsonObject };

const STATUS: Record<string, Appointment['status']> = {
  scheduled: 'booked',
  completed: 'fulfilled',
  cancelled: 'cancelled',
  missed: 'noshow',
};
const STATUS_OF_FHIR: Record<string, string> = {
  booked: 'scheduled',
  pending: 'scheduled',
  proposed: 'scheduled',
  arrived: 'completed',
  'checked-in': 'completed',
  fulfilled: 'completed',
  cancelled: 'cancelled',
  noshow: 'missed',
};
/** FHIR asks for an end; without a duration this one is sent. */
const USUAL_MINUTES = 30;

const named = (code: string, display: string): AppointmentParticipant => ({
  type: [{ coding: [{ system: PARTICIPATION, code }] }],
  actor: { display },
  status: 'accepted',
});

const minutesOf = ({ durationMinutes }: JsonObject) =>
  typeof durationMinutes === 'number' && Number.isInteger(durationMinutes) && durationMinutes > 0
    ? durationMinutes
    : undefined;

export function toAppointment({ id, status, details }: ExportedAppointment, patientId: string): Appointment {
  const start = fullTime(details.startsAt);
  const minutes = minutesOf(details);
  const end = start && new Date(Date.parse(start) + (minutes ?? USUAL_MINUTES) * 60_000).toISOString();
  const [location, practitioner] = [fhirText(details.location), fhirText(details.practitioner)];
  const resource: Appointment = {
    resourceType: 'Appointment',
    id,
    // Without a time only these two are allowed.
    status: start ? (STATUS[status] ?? 'booked') : status === 'cancelled' ? 'cancelled' : 'proposed',
    ...optional('description', fhirText(details.title)),
    ...(start && { start, end }),
    ...optional('minutesDuration', minutes),
    ...optional('comment', fhirText(details.notes)),
    participant: [
      { actor: referenceTo(patientId), status: 'accepted' },
      ...(location ? [named('LOC', location)] : []),
      ...(practitioner ? [named('ATND', practitioner)] : []),
    ],
  };
  return keep(resource, { status, details }, readAppointment(resource));
}

function readAppointment(resource: Appointment): VisitRecord {
  const nameOf = (code: string) =>
    fhirText(
      resource.participant?.find(({ type }) =>
        type?.some(({ coding }) => coding?.some((each) => each.code === code)),
      )?.actor?.display,
    );
  const title =
    fhirText(resource.description) ??
    conceptText(resource.appointmentType) ??
    conceptText(resource.serviceType?.[0]);
  return {
    status: STATUS_OF_FHIR[resource.status] ?? 'scheduled',
    details: {
      title: title ?? '',
      ...optional('startsAt', fullTime(resource.start)),
      ...optional('durationMinutes', resource.minutesDuration),
      ...optional('location', nameOf('LOC')),
      ...optional('practitioner', nameOf('ATND')),
      ...optional('notes', fhirText(resource.comment)),
    },
  };
}

/** The visit; `undefined` without a start, or where it was entered in error. `title` may be empty. */
export function fromAppointment(resource: Appointment): VisitRecord | undefined {
  const read = restore(resource, readAppointment(resource));
  const isVoid = resource.status === 'entered-in-error' || typeof read.details.startsAt !== 'string';
  return isVoid ? undefined : read;
}

/** A vaccination that took place. One that is only planned is an appointment. */
export function isImmunization({ status, details }: ExportedAppointment): boolean {
  return status === 'completed' && details.type === 'vaccination' && fullTime(details.startsAt) !== undefined;
}

export function toImmunization(
  { id, status, details }: ExportedAppointment,
  patientId: string,
): Immunization {
  const practitioner = fhirText(details.practitioner);
  const resource: Immunization = {
    resourceType: 'Immunization',
    id,
    status: 'completed',
    vaccineCode: concept(fhirText(details.vaccine) ?? details.title),
    patient: referenceTo(patientId),
    occurrenceDateTime: fullTime(details.startsAt)!,
    ...optional('lotNumber', fhirText(details.lot)),
    ...(practitioner && { performer: [{ actor: { display: practitioner } }] }),
    ...(fhirText(details.notes) && { note: [{ text: fhirText(details.notes)! }] }),
  };
  return keep(resource, { status, details }, readImmunization(resource));
}

function readImmunization(resource: Immunization): VisitRecord {
  const at = fullTime(resource.occurrenceDateTime) ?? dateAtNoon(resource.occurrenceDateTime);
  const vaccine = conceptText(resource.vaccineCode) ?? '';
  return {
    status: 'completed',
    details: {
      type: 'vaccination',
      title: vaccine,
      vaccine,
      ...optional('startsAt', at),
      ...optional('lot', fhirText(resource.lotNumber)),
      ...optional('practitioner', fhirText(resource.performer?.[0]?.actor?.display)),
      ...optional('notes', fhirText(resource.note?.[0]?.text)),
    },
  };
}

const dateAtNoon = (date: string | undefined) =>
  date && /^\d{4}-\d{2}-\d{2}$/.test(date) ? `${date}T12:00:00Z` : undefined;

/** The vaccination; `undefined` where it was not given or has no date. */
export function fromImmunization(resource: Immunization): VisitRecord | undefined {
  const read = restore(resource, readImmunization(resource));
  const isGiven = resource.status === 'completed' && typeof read.details.startsAt === 'string';
  return isGiven && read.details.vaccine !== '' ? read : undefined;
}
