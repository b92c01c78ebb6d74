import type { IntegrityError, ProtocolError } from '../errors';
import type { Json } from '../json';

/** Members that every stored record has. Times are RFC 3339 in UTC. */
export interface StoredRecord {
  id: string;
  profileId: string;
  /** 1 when created, one more with each update. */
  revision: number;
  createdAt: string;
  updatedAt: string;
  /**
   * Plaintext fields (names of the wire) whose value is not the one that was encrypted with the record: changed by the
   * service, or by a client that does not seal them. Empty in the normal case.
   */
  altered: readonly string[];
}

/** A record as the collections return it. */
export type DomainRecord<Details, Meta> = StoredRecord & Meta & { details: Details };

/** How often a medication is due. Plaintext on the service, which computes adherence from it. */
export interface DoseSchedule {
  /** 1 to 24. */
  timesPerDay: number;
  /** As in cron, 0 to 7 with Sunday as 0 and 7, or English names; absent means every day. */
  daysOfWeek?: (number | string)[];
}

/** What is encrypted of a medication. Further members are kept as they are. */
export interface MedicationDetails {
  name: string;
  strength?: string;
  form?: string;
  instructions?: string;
  prescriber?: string;
  startDate?: string;
  endDate?: string;
  notes?: string;
  [member: string]: Json | undefined;
}

/** Plaintext fields of a medication. */
export interface MedicationMeta {
  /** 1 to 64 characters, `oral` for example. */
  route: string;
  schedule: DoseSchedule | null;
}
export type Medication = DomainRecord<MedicationDetails, MedicationMeta>;

/** A logged dose; not encrypted. */
export interface Dose {
  id: string;
  medicationId: string;
  /** `false`: skipped. */
  taken: boolean;
  loggedAt: string;
  createdAt: string;
}

/** Adherence over the last 30 calendar dates; `null` where there is nothing to divide by. Rates are percentages. */
export interface Adherence {
  medicationId: string;
  periodDays: number;
  periodStart: string;
  periodEnd: string;
  timezone: string;
  takenDoses: number;
  skippedDoses: number;
  totalLogged: number;
  scheduledDoses: number | null;
  missedDoses: number | null;
  extraDoses: number | null;
  adherenceRate: number | null;
  sinceStart: {
    start: string;
    scheduledDoses: number | null;
    takenDoses: number;
    adherenceRate: number | null;
  } | null;
}

/** What is encrypted of an appointment. Further members are kept as they are. */
export interface AppointmentDetails {
  title: string;
  /** RFC 3339 with offset. */
  startsAt: string;
  durationMinutes?: number;
  location?: string;
  practitioner?: string;
  notes?: string;
  [member: string]: Json | undefined;
}

/** Plaintext fields of an appointment. */
export interface AppointmentMeta {
  /** `scheduled`, `completed`, `cancelled` or `missed`; other values of other clients are returned as they are. */
  status: string;
}
export type Appointment = DomainRecord<AppointmentDetails, AppointmentMeta>;

/** What is encrypted of a health statistic. Further members are kept as they are. */
export interface HealthStatDetails {
  /** `weight`, `blood_pressure` … */
  metric: string;
  /** One number as `value`, several by name: `systolic`, `diastolic`. */
  values: { [component: string]: number };
  /** UCUM code by preference: `kg`, `mm[Hg]`. */
  unit: string;
  note?: string;
  [member: string]: Json | undefined;
}

/** Plaintext field of a health statistic. */
export interface HealthStatMeta {
  recordedAt: string;
}
export type HealthStat = DomainRecord<HealthStatDetails, HealthStatMeta>;

/** What is encrypted of a profile. Further members are kept as they are. */
export interface ProfileDetails {
  /** Empty for a profile that was made without a name. */
  name: string;
  birthDate?: string;
  /** Of a pet: `dog`, `cat` … */
  species?: string;
  notes?: string;
  [member: string]: Json | undefined;
}

/** A person or a pet. */
export interface Profile extends Omit<StoredRecord, 'profileId'> {
  kind: 'human' | 'pet';
  /** 1 to 64 characters; `self` for the owner. */
  relationship: string;
  details: ProfileDetails;
}

/** A record that could not be decrypted; the others of the list can. */
export interface UnreadableRecord {
  kind: string;
  id: string;
  error: IntegrityError | ProtocolError;
}

/** Options of every call. */
export interface CallOptions {
  signal?: AbortSignal;
}

/** Options of a login. */
export interface LoginOptions extends CallOptions {
  /** What the list of sessions calls this device, 1 to 64 characters. Plaintext on the service. */
  deviceLabel?: string;
}

/** Options of a list that is not encrypted. */
export interface PageOptions extends CallOptions {
  /** Records of one request, 1 to 1000; default 200. */
  pageSize?: number;
}

/** Options of every list of records. */
export interface ListOptions extends PageOptions {
  /** Called for records that cannot be decrypted, which are then left out. Without it the first one ends the list. */
  onUnreadable?: (record: UnreadableRecord) => void;
}
