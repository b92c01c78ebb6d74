import type { OpenProfileKey, ProfileKey } from '../crypto/profile-key';
import type { RecordReference } from '../errors';
import type { HttpAnswer, HttpRequest } from '../http/http-transport';
import type { Heads } from './heads';
import type { SyncedKind } from '../offline/offline-host';
import type { Places } from './places';
import type { OpenedRecords } from './opened-records';
import type { RecordGateway } from './record-gateway';
import type { CallOptions, ListOptions } from './record-types';
import type { SessionLedger } from './session-ledger';

/** The parts of the client that a collection needs. */
export interface ServiceConnection {
  readonly baseUrl: string;
  readonly ledger: SessionLedger;
  /** Where records are read and written. */
  readonly records: RecordGateway;
  /** Where profiles lie. */
  readonly places: Places;
  /** The space of a medication; empty for one of the account. @throws ApiError `not_found` */
  spaceOfMedication(id: string, options: CallOptions): Promise<string>;
  /** What is already decrypted of the cache; absent without an offline store. */
  readonly opened: OpenedRecords | undefined;
  /** What devices have sealed about the newest states. */
  readonly heads: Heads;
  /** Seals the head into its profile and stores it on this device, if that is possible now. Never fails. */
  publishHead(profileId: string, options: CallOptions): Promise<void>;
  /** Reads the newest head of a profile that this client can have. */
  learnHead(profileId: string): Promise<void>;
  /** The same of all profiles. */
  learnHeads(options: ListOptions): Promise<void>;
  /** Each collection adds the kind of its records. */
  readonly kinds: Map<string, SyncedKind>;
  /** Sends a request with the access token of the session. */
  send(request: HttpRequest): Promise<HttpAnswer>;
  /** Reports records that another device deleted, by an event. */
  gone(records: readonly RecordReference[]): void;
  /** The key of a profile. It is fetched if it is not yet open. */
  keyOf(profileId: string, signal?: AbortSignal): Promise<OpenProfileKey>;
  /** The id of the account of the session. @throws SessionEndedError */
  accountId(): string;
  /** The key that seals the records of a profile, or those of the account by its id. */
  ownerKeyOf(ownerId: string, signal?: AbortSignal): Promise<ProfileKey>;
  /**
   * Opens a record with {@link ownerKeyOf}. One of the account may be sealed under the account key of before all keys were
   * replaced, until a sync has sealed it anew.
   */
  withOwnerKey<T>(ownerId: string, open: (key: ProfileKey) => Promise<T>, signal?: AbortSignal): Promise<T>;
  /** The same if it is open already. @throws LockedError */
  openKeyOf(profileId: string): OpenProfileKey | undefined;
}
