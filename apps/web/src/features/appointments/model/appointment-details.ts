import type { Appointment, AppointmentDetails } from '@app/client';

/** The encrypted part of an appointment as this page writes it. Other members are kept. */
export interface VisitDetails {
  title: string;
  /** RFC 3339 with an offset. */
  startsAt: string;
  durationMinutes?: number;
  location?: string;
  practitioner?: string;
  notes?: string;
  /** Absent: `visit`. */
  type?: 'visit' | 'vaccination';
  /** Of a vaccination: what it protects against or the product. */
  vaccine?: string;
  lot?: string;
  /** Of a vaccination: the local date of the next one. */
  nextDue?: string;
}

/** An appointment with the members that this page writes. */
export type Visit = Omit<Appointment, 'details'> & { details: VisitDetails };

/** The page's view of an appointment. */
export function asVisit(appointment: Appointment): Visit {
  return { ...appointment, details: { ...appointment.details } };
}

/** The details in the form that the client takes. */
export function toAppointmentDetails(details: Partial<VisitDetails>): AppointmentDetails {
  return details as unknown as AppointmentDetails;
}
