import type { Appointment } from '../records/record-types';
import { readDetails } from './read-details';
import { APPOINTMENT, type VisitDetails } from './schemas/appointment';

/** An appointment with what of it fits the schema. */
export type Visit = Omit<Appointment, 'details'> & { details: VisitDetails };

/** The view of an appointment. Members that another client wrote in another shape are left out. */
export function asVisit(appointment: Appointment): Visit {
  return { ...appointment, details: readDetails(APPOINTMENT, appointment.details) };
}
