import { looseObject, optional, picklist } from 'valibot';
import { ofEveryKind } from './conflicts';
import { amount, anyText, type MembersOf, offsetTime, type OtherMembers, text } from './parts';

/** What the details of every appointment have, also of one that another client has stored. */
export const STORED_APPOINTMENT = looseObject({ title: text(), startsAt: text(64) });

/** The details of an appointment. */
export const APPOINTMENT = looseObject({
  /** What it is. */
  title: text(),
  /** When it begins, RFC 3339 with an offset. */
  startsAt: offsetTime,
  /** How long it takes. */
  durationMinutes: optional(amount),
  /** Where it is. */
  location: anyText,
  /** Whom it is with. */
  practitioner: anyText,
  /** Any words. */
  notes: anyText,
  /** What kind of appointment it is. Absent: `visit`. */
  type: optional(picklist(['visit', 'vaccination'])),
  /** Of a vaccination: what it protects against or the product. */
  vaccine: anyText,
  /** Of a vaccination: the lot. */
  lot: anyText,
  /** Of a vaccination: the local date of the next one. */
  nextDue: anyText,
  ...ofEveryKind,
});

/** The members of the encrypted part of an appointment that have a meaning. */
export type VisitDetails = MembersOf<typeof APPOINTMENT>;
/** The encrypted part of an appointment. Other members are kept unchanged. */
export type AppointmentDetails = VisitDetails & OtherMembers;
