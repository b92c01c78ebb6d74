import type { HttpAnswer, HttpRequest } from '../http/http-transport';
import type { LockRunner } from '../http/locks';
import type { RecordRoute } from '../records/record-gateway';
import type { UnsealedWrite, WireBody } from './offline-rows';

/** Three versions of one record, and when this device made its own. */
export interface Conflict {
  /** The version from which the write was made; absent if there was none. */
  base: WireBody | undefined;
  mine: WireBody;
  theirs: WireBody;
  editedAt: string;
}

/** What the offline part must know of a kind of records. */
export interface SyncedKind {
  routeOf(body: WireBody): RecordRoute;
  /**
   * The body of an update that has the changes of both sides; `undefined` if their version has all of mine.
   * Absent for records that never change.
   * @throws LockedError, IntegrityError
   */
  merge?(conflict: Conflict): Promise<WireBody | undefined>;
  /** Sealed members above every state that was known of a record, for its new create. Absent for plaintext records. */
  reseal?(body: WireBody): Promise<WireBody>;
  /**
   * Notes the generations that a confirmed write has proved. Absent for records that no head names.
   * @returns the profiles whose heads may say too little now.
   */
  note?(write: UnsealedWrite): Promise<string[]>;
  /** Of a profile: the body of an update that seals its head; `undefined` if the head says all that is known. */
  withHead?(body: WireBody): Promise<WireBody | undefined>;
}

/** The client, as the offline part sees it. */
export interface OfflineHost {
  readonly baseUrl: string;
  readonly lock: LockRunner;
  /** With the access token of the session. */
  send(request: HttpRequest): Promise<HttpAnswer>;
  sendPublic(request: HttpRequest): Promise<HttpAnswer>;
  kindOf(kind: string): SyncedKind | undefined;
  /** The service deleted a record that the session has seen. */
  forget(kind: string, id: string): void;
  /** The database of the service was restored: older versions are no contradiction. */
  forgetAll(): void;
  statusChanged(status: SyncStatus): void;
  recordsChanged(kinds: string[]): void;
  refuse(status: number, code: string, message: string): Error;
  locked(): Error;
}

/** A write or a record that needs a decision of a person. */
export interface SyncProblem {
  id: string;
  /** The kind of the record: `medication`, `dose` … */
  kind: string;
  recordId: string;
  /**
   * `changed_elsewhere`: deleted here, changed elsewhere. `deleted_elsewhere`: changed here, deleted elsewhere
   * (itself or its profile). `missing_after_reset`: the service no longer has it after a restore. Otherwise the
   * code with which the service or the client refused the write, for example `quota_exceeded`.
   */
  code: string;
  message: string;
}

/** The state of the synchronisation between this device and the service. */
export interface SyncStatus {
  /** `reset`: the service asked for a new listing, and the copy is compared with all of its records. */
  state: 'idle' | 'syncing' | 'offline' | 'reset';
  /** Writes in the outbox. */
  pending: number;
  /** The last complete sync, RFC 3339; `null` before the first. All that is read is at least this new. */
  lastSuccess: string | null;
  problems: SyncProblem[];
}

/** `retry` sends the write again, `discard` drops it, `keep` keeps the record as this device has it. */
export type Resolution = 'retry' | 'discard' | 'keep';
