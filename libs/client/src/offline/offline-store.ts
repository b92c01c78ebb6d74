import type { JsonObject } from '../json';
import type { Adherence, CallOptions } from '../records/record-types';
import type { RecordGateway } from '../records/record-gateway';
import type { OfflineHost, Resolution, SyncStatus } from './offline-host';
import type { CachedAccount, CachedSecret } from './offline-rows';

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
}

/** The offline part of one client. */
export interface OfflineEngine {
  readonly gateway: RecordGateway;
  readonly sync: ClientSync;
  /** What the unlock of this account needs; `undefined` if this device does not know the account. */
  readAccount(email: string): Promise<CachedAccount | undefined>;
  /** Begins after an unlock. `isNewSession`: after a login, whose account may be another one. */
  open(email: string, isNewSession: boolean): void;
  /** Ends at a lock. Only encrypted rows remain, in the store. */
  close(): void;
  /** The number of writes that the service has not confirmed, also while the client is locked. */
  pending(): Promise<number>;
  /** Removes everything of the account from this device. */
  erase(): Promise<void>;
  /** After a new password or email: from now on, an unlock without a network takes the new one only. */
  replaceSecret(secret: CachedSecret): Promise<void>;
  adherence(medicationId: string, timeZone: string, options: CallOptions): Promise<Adherence>;
  readKnowledge(): Promise<CachedKnowledge | undefined>;
  writeKnowledge(knowledge: CachedKnowledge): Promise<void>;
}

/** A store for the option `offline` of the client: `indexedDbStore`, `memoryOfflineStore`, `fileStore`. */
export interface OfflineStore {
  connect(host: OfflineHost): OfflineEngine;
}
