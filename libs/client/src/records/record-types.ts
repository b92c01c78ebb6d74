import type { IntegrityError, ProtocolError } from '../errors';
import type { EditTimes } from '../crypto/edit-time';
import type { Lineage } from '../crypto/lineage';
import type { HttpAnswer } from '../http/http-transport';
import type { RecordAuthor, SpaceBlock, SpaceRole } from '../spaces/space-role';
import type { AppointmentDetails } from '../documents/schemas/appointment';
import type { HealthStatDetails } from '../documents/schemas/health-stat';
import type { MedicationDetails } from '../documents/schemas/medication';
import type { ProfileDetails } from '../documents/schemas/profile';
import type { JsonObject } from '../json';

export type { AppointmentDetails, HealthStatDetails, MedicationDetails, ProfileDetails };

/**
 * Why the newest state that the service shows of a record was not taken over. What is shown is the last state that
 * passed. `code`: that of the check (`tampered`, `rolled_back`, `stale_revision` …), `deletion_unproven` or `withheld`.
 */
export interface RecordDoubt {
  code: string;
  /** When this device saw it first. RFC 3339. */
  since: string;
}

/** Members that every stored record has. Times are RFC 3339 in UTC. */
export interface StoredRecord {
  id: string;
  profileId: string;
  /** 1 after the create; each update adds one. */
  revision: number;
  /**
   * The epoch of the revision. Absent while the service is in its first epoch. A restore of the service begins
   * another one.
   */
  epoch?: string;
  createdAt: string;
  updatedAt: string;
  /**
   * Plaintext fields (wire names) whose value on the service differs from the one that was sealed. The service
   * changed it, or a client that seals no copy. The record shows the sealed value. Normally empty.
   */
  altered: readonly string[];
  /** Present while the newest write of this device waits in the outbox. */
  pending?: true;
  /** Present while the service shows something that this device cannot believe. */
  doubt?: RecordDoubt;
  /** In a shared profile: who has written this state. Absent for what was written before it was shared. */
  author?: RecordAuthor;
  /** When its parts were changed, as it was sealed: see `questionsOf`. Give it back unchanged in an update. */
  edited?: EditTimes;
  /** The place of this state in the sealed history of the record. Give it back unchanged in an update. */
  lineage: Lineage;
}

/** A record as the collections return it. */
export type DomainRecord<Details, Meta> = StoredRecord & Meta & { details: Details };

/** How often a medication is due. Plaintext on the service, which needs it to compute adherence. */
export interface DoseSchedule {
  /** 1 to 24. */
  timesPerDay: number;
  /** As in cron: 0 to 7 (0 and 7 are Sunday), or English names. Absent: every day. */
  daysOfWeek?: (number | string)[];
}

/** Plaintext fields of a medication. */
export interface MedicationMeta {
  /** 1 to 64 characters, for example `oral`. */
  route: string;
  schedule: DoseSchedule | null;
}
/** A medication as the collections return it. */
export type Medication = DomainRecord<MedicationDetails, MedicationMeta>;

/** A logged dose. It is not encrypted. */
export interface Dose {
  id: string;
  medicationId: string;
  /** `false` means skipped. */
  taken: boolean;
  loggedAt: string;
  /** The seal that a device made over the dose, as the service returned it; `null` without one. */
  proof: string | null;
  createdAt: string;
  /** Whether a device of the account has written it. Of one that is not, the service may have made all. Do not count it. */
  confirmed: boolean;
  /** Why it is not confirmed, or why the service shows something else than this. */
  doubt?: RecordDoubt;
  /** Present while the dose waits in the outbox. */
  pending?: true;
  /** In a shared profile: who has written it, by the word of the service. */
  author?: RecordAuthor;
}

/** Adherence over the last 30 calendar dates. Rates are percentages; `null` when the divisor is zero. */
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

/** Plaintext fields of an appointment. */
export interface AppointmentMeta {
  /** `scheduled`, `completed`, `cancelled` or `missed`. Values from other clients are returned unchanged. */
  status: string;
}
/** An appointment as the collections return it. */
export type Appointment = DomainRecord<AppointmentDetails, AppointmentMeta>;

/** Plaintext field of a health statistic. */
export interface HealthStatMeta {
  recordedAt: string;
}
/** A health statistic as the collections return it. */
export type HealthStat = DomainRecord<HealthStatDetails, HealthStatMeta>;

/** Where a shared profile lies, and what this account may do there. */
export interface ProfileSpace {
  id: string;
  role: SpaceRole;
  /** Why this device writes nothing here now. */
  blocked: SpaceBlock | null;
  /** `removed`, `deleted`: access has ended. The copy of this device can be exported, until `spaces.forget`. */
  state: 'member' | 'removed' | 'deleted';
  /** What the profile is to this person, sealed for this account alone; empty where nothing was said. See `spaces.relate`. */
  relationship: string;
}

/** A person or a pet. */
export interface Profile extends Omit<StoredRecord, 'profileId' | 'lineage'> {
  /** `null` for a profile that no client has sealed yet: its kind is then only what the service says. */
  lineage: Lineage | null;
  kind: 'human' | 'pet';
  /** 1 to 64 characters; `self` for the owner of the account. In a shared profile: what it is to the person who entered it. */
  relationship: string;
  details: ProfileDetails;
  /** Present in a profile that several accounts share. */
  space?: ProfileSpace;
}

/** A record that could not be decrypted. The other records of the list could. */
export interface UnreadableRecord {
  kind: string;
  id: string;
  error: IntegrityError | ProtocolError;
}

/** Options of every call. */
export interface CallOptions {
  signal?: AbortSignal;
}

/** Options of a request that proves who owns an account. */
export interface ProofOptions extends CallOptions {
  /** From `sessions.rememberDevice`. With it, strangers' wrong tries do not shut this device out. */
  deviceToken?: string;
}

/** Options of a login. */
export interface LoginOptions extends ProofOptions {
  /** The name of this device in the list of sessions, 1 to 64 characters. Plaintext on the service. */
  deviceLabel?: string;
  /**
   * Asks the person for the second step of an account that has one: `bySecondStep` of `@health-records/client/passkeys`.
   * Without it, its login is refused with the ApiError `second_step_required`.
   */
  secondStep?: SecondStepper;
}

/**
 * Goes on with a login whose password was right.
 * @param asked the answer of the service.
 * @param send gives the service a second step. @returns the answer of the login.
 */
export type SecondStepper = (
  asked: unknown,
  send: (step: JsonObject) => Promise<HttpAnswer>,
) => Promise<HttpAnswer>;

/** Options of what ends the use of this device. */
export interface LeaveOptions extends CallOptions {
  /** Also with writes in the outbox, which are then lost. */
  force?: boolean;
}

/** Options of the erasure of an account. */
export interface EraseOptions extends LeaveOptions {
  /** Takes along the shared profiles of which nobody else is an owner. Without it they stop the erasure. */
  soleSpaces?: 'delete';
}

/** Options of a list without encryption. */
export interface PageOptions extends CallOptions {
  /** Records per request, 1 to 1000; default 200. */
  pageSize?: number;
}

/** Options of every list of records. */
export interface ListOptions extends PageOptions {
  /**
   * Called for each record that cannot be decrypted; the list then omits it. Without it, the first such
   * record ends the list.
   */
  onUnreadable?: (record: UnreadableRecord) => void;
}
