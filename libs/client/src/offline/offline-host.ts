import type { Lineage } from '../crypto/lineage';
import type { HttpAnswer, HttpRequest } from '../http/http-transport';
import type { JsonObject } from '../json';
import type { LockRunner } from '../http/locks';
import type { ListedRecord } from '../records/heads';
import type { RecordRoute } from '../records/record-gateway';
import type { SpaceDirectory } from '../spaces/space-directory';
import type { FormerRow, Seal, UnsealedWrite, WireBody } from './offline-rows';

/** Three versions of one record. When each was made is sealed in it. */
export interface Conflict {
  /** The version from which the write was made; absent if there was none. */
  base: WireBody | undefined;
  mine: WireBody;
  theirs: WireBody;
}

/** What the offline part must know of a kind of records. */
export interface SyncedKind {
  /** Of records that belong to the account itself. */
  isOfAccount?: true;
  routeOf(body: WireBody): RecordRoute;
  /**
   * Opens a state in its own place, and compares it with the head of its profile. The one check of what the service
   * says: of the feed, of lists, of answers to writes, and of what is merged.
   * @param realm the space that shows it; empty for the account, which is the default
   * @throws IntegrityError, ProtocolError, LockedError
   */
  verify(body: WireBody, realm?: string): Promise<Seal>;
  /** Of a plaintext record: the profile under whose key it is proved; `undefined` without a proof. */
  provedBy?(body: WireBody): string | undefined;
  /** In a shared profile: who has written a state, where that is sure. */
  authorOf?(body: WireBody): Promise<string | null>;
  /** Whether a stored state still counts by what the heads say now. Absent: it does. */
  isBelieved?(body: WireBody, realm: string): boolean;
  /** Where a state of this device stands, which proves nothing about the service. Absent for plaintext records. */
  lineageOf?(body: WireBody): Promise<Lineage | null>;
  /** Whether a sealed head knows a newer state. Absent for plaintext records. */
  isOlder?(record: { profileId: string; id: string; generation: number }): boolean;
  /** Whether a sealed head says that the record was deleted after this generation. Absent for plaintext records. */
  isDeleted?(record: { profileId: string; id: string; generation: number }, realm: string): boolean;
  /**
   * The body of an update that has the changes of both sides; `undefined` if their version has all of mine.
   * Absent for records that never change.
   * @throws LockedError, IntegrityError
   */
  merge?(conflict: Conflict): Promise<WireBody | undefined>;
  /**
   * Sealed members above every state that was known of a record. Absent for plaintext records.
   * @param replaced the states that a person has compared: the new one follows on all of them.
   */
  reseal?(body: WireBody, replaced: readonly WireBody[]): Promise<WireBody>;
  /**
   * Notes the generations that a confirmed write has proved. Absent for records that no head names.
   * @returns the profiles whose heads may say too little now.
   */
  note?(write: UnsealedWrite): Promise<string[]>;
  /**
   * Whether what this device will send is sealed under the newest key, and in a space by this account.
   * @throws IntegrityError for what no key opens; LockedError
   */
  isOfNow?(body: WireBody): Promise<boolean>;
  /** Of a profile: whether its key is open. */
  isOpen?(id: string): boolean;
  /** Of a profile: the body of an update that seals its head; `undefined` if the head says all that is known. */
  withHead?(body: WireBody): Promise<WireBody | undefined>;
  /**
   * What a former key has sealed, under the newest one: members of `POST /api/reseal`. `undefined` where it is already.
   * @throws LockedError, IntegrityError
   */
  sealAnew?(body: WireBody): Promise<JsonObject | undefined>;
  /** Of a profile with former keys: the epoch of its newest one. */
  epochAfterFormer?(profileId: string): Promise<number | undefined>;
  /**
   * Of a profile: lets the former keys that its newest state has just dropped open once more, for what this device has.
   * @param run gets the epoch of the newest key. It does not run where nothing was dropped.
   */
  withDroppedKeys?(profileId: string, run: (newest: number) => Promise<void>): Promise<void>;
  /** Of a profile: from now on its dropped keys open nothing. */
  forgetDroppedKeys?(profileId: string): void;
  /** Of a profile: the body of an update that drops its former keys. */
  withoutFormerKeys?(body: WireBody): Promise<WireBody>;
  /** Of a new profile that this device has not sent: its key under the newest account key. */
  rewrap?(body: WireBody): Promise<WireBody>;
}

/** What was changed, by this tab, another tab or another device. */
export interface RecordsChanged {
  kinds: string[];
  /** The ids of the medications whose doses were changed; absent where they are not known: then it may be any. */
  dosesOf?: string[];
  /** What this client has written itself, or that the service has it now as it was written. Absent for all else. */
  isOwn?: true;
}

/** The client, as the offline part sees it. */
export interface OfflineHost {
  readonly baseUrl: string;
  readonly lock: LockRunner;
  /** With the access token of the session. */
  send(request: HttpRequest): Promise<HttpAnswer>;
  sendPublic(request: HttpRequest): Promise<HttpAnswer>;
  kindOf(kind: string): SyncedKind | undefined;
  /** The records that the head of a profile says exist, with the kinds of the feed. */
  listed(profileId: string): ListedRecord[];
  /** Names the account key. @throws LockedError */
  accountKeyId(): string;
  /** Opens, while `run` runs, what this device has stored under the keys of before, as far as they are known. */
  withFormerKeys(former: readonly FormerRow[], run: () => Promise<void>): Promise<void>;
  /** Whether records of the account may still be sealed under an account key of before. */
  hasFormerAccountKeys(): Promise<boolean>;
  /** No record of the account needs them any more. */
  dropFormerAccountKeys(): Promise<void>;
  /** Which spaces there are; absent without the option `spaces`. */
  spaces(): SpaceDirectory | undefined;
  /** Sends into a space: see `Places.sendIn`. */
  sendIn(spaceId: string, request: HttpRequest): Promise<HttpAnswer>;
  /** Drops the key of a profile. */
  forgetKey(profileId: string): void;
  /** The service deleted a record that the session has seen. */
  forget(kind: string, id: string): void;
  /** The database of the service was restored: older versions are no contradiction. */
  forgetAll(): void;
  statusChanged(status: SyncStatus): void;
  recordsChanged(change: RecordsChanged): void;
  refuse(status: number, code: string, message: string): Error;
  locked(): Error;
  /** The error for what the storage of this device has thrown. */
  storageFailed(cause: unknown): Error;
}

/** A write or a record that needs a decision of a person. */
export interface SyncProblem {
  id: string;
  /** The kind of the record: `medication`, `dose` … */
  kind: string;
  recordId: string;
  /**
   * `changed_elsewhere`: deleted here, changed elsewhere. `deleted_elsewhere`: changed here, deleted elsewhere
   * (itself or its profile). `missing_after_reset`: the service no longer has it after a restore.
   * Of what the service shows and this device does not believe: `deletion_unproven`: the service says it was deleted,
   * and no device has sealed that. `withheld`: a device has sealed that it exists, and the service does not show it.
   * `rolled_back`: the service shows an older state. `stale_revision`: a state that was made without
   * the one of this device.
   * `unproven`: a dose that no device has proved, `tampered`, `format_unsupported`, `key_mismatch`, `protocol_violation`: it cannot be opened.
   * In a shared profile: `access_ended`: the change was not sent before the access ended, or no key opens it any more.
   * `space_role_too_low`: the role was lowered before it was sent. Both can be discarded alone: copy the text before.
   * Otherwise the code with which the service or the client refused the write, for example `quota_exceeded`.
   */
  code: string;
  message: string;
  /** What the person can choose. */
  resolutions: readonly Resolution[];
}

/** The state of the synchronisation between this device and the service. */
export interface SyncStatus {
  /**
   * `reset`: the service asked for a new listing, and the copy is compared with all of its records. `failed`: the last
   * sync ended with the error that `failure` names, and is tried again; or the storage of this device has refused a write.
   */
  state: 'idle' | 'syncing' | 'offline' | 'reset' | 'failed';
  /** Why the last sync ended early, or the storage of this device refused; `null` after a sync that did not. */
  failure: { code: string; message: string } | null;
  /** Writes in the outbox. */
  pending: number;
  /** After all keys, or that of a shared profile, were replaced: the records that this sync has still to seal anew. Absent for none. */
  resealing?: number;
  /** The last complete sync, RFC 3339; `null` before the first. All that is read is at least this new. */
  lastSuccess: string | null;
  problems: SyncProblem[];
}

/**
 * `retry` sends the write again, or asks the service again. `keep` keeps the record as this device has it, and offers it
 * to the service as its newest state. `discard` drops the write, or takes what the service shows.
 */
export type Resolution = 'retry' | 'discard' | 'keep';
