import type { JsonObject } from '../json';
import type { Adherence, CallOptions } from '../records/record-types';
import type { RecordGateway } from '../records/record-gateway';
import type { SpaceMemory, SpacePlace } from '../spaces/space-directory';
import type { OfflineHost, Resolution, SyncStatus } from './offline-host';
import type { CachedAccount } from './offline-rows';

/** Synchronisation, as `client.sync`. Without an offline store nothing waits, and nothing happens. */
export interface ClientSync {
  readonly status: SyncStatus;
  /**
   * Syncs now. Without a network the state is then `offline`, and there is no error.
   * @returns the status afterwards.
   */
  now(): Promise<SyncStatus>;
  /** Syncs after each write, each minute, and when the network returns. This is so after each unlock. */
  start(): void;
  /** Syncs only when `now` is called. */
  stop(): void;
  /** Settles a problem. */
  resolve(problemId: string, resolution: Resolution): Promise<void>;
}

/** The knowledge base of the last check, for checks without a network. */
export interface CachedKnowledge {
  etag: string | null;
  /** RFC 3339. */
  fetchedAt: string;
  body: JsonObject;
  /** The language that was asked for; English when absent. */
  language?: string;
}

/** The offline part of one client. */
export interface OfflineEngine {
  readonly gateway: RecordGateway;
  /** That of a space. */
  inSpace(spaceId: string): RecordGateway;
  /** The spaces whose records this device can show. Waits until those of the account are here. */
  readable(): Promise<readonly SpacePlace[]>;
  /** For the directory of spaces, from an unlock to the next lock. */
  readonly memory: SpaceMemory;
  readonly sync: ClientSync;
  /** There is something to send that no write of a record tells: it begins soon, unless the sync was stopped. */
  syncSoon(): void;
  /** What the unlock of this account needs; `undefined` if this device does not know the account. */
  readAccount(accountId: string): Promise<CachedAccount | undefined>;
  /** The account that this device has seen under the account key of this id. */
  accountOf(keyId: string): Promise<string | undefined>;
  /**
   * Stores what the unlocks without a network need from now on. It has opened the account key.
   * @param check called at once before the write; what it throws prevents the write.
   */
  writeAccount(account: CachedAccount, check: () => void): Promise<void>;
  /** Begins after an unlock. */
  open(accountId: string): void;
  /** Ends at a lock. Only encrypted rows remain, in the store. */
  close(): void;
  /**
   * The number of writes that the service has not confirmed, also while the client is locked. Without an account:
   * of the last one of this device, whose session has ended.
   */
  pending(accountId?: string): Promise<number>;
  /** Removes everything of the account from this device, in one step. Without an account: of the last one. */
  erase(accountId?: string): Promise<void>;
  adherence(medicationId: string, timeZone: string, options: CallOptions): Promise<Adherence>;
  /** The number of records on this device whose kind the client does not know. */
  unknownRecords(): Promise<number>;
  /** The records of a shared profile on this device that are not sealed under its newest key. @param epoch of that key */
  sealedBefore(profileId: string, epoch: number): number | undefined;
  readKnowledge(): Promise<CachedKnowledge | undefined>;
  writeKnowledge(knowledge: CachedKnowledge): Promise<void>;
}

/** A store for the option `offline` of the client: `indexedDbStore`, `memoryOfflineStore`, `fileStore`. */
export interface OfflineStore {
  /** Called once by the client to which the store is given. */
  connect(host: OfflineHost): OfflineEngine;
}
