import type { IdleLockOptions } from './account/idle-lock';
import type { OpenChannel } from './account/tabs';
import type { HttpTransportOptions } from './http/http-transport';
import type { LockRunner } from './http/locks';
import type { SessionStore } from './http/session-store';
import { InvalidArgumentError } from './errors';
import { MAX_KDF_ITERATIONS, MIN_KDF_ITERATIONS, NEW_KDF_ITERATIONS } from './crypto/password-keys';
import type { NamesOf } from './inputs';
import type { InteractionEngineFactory, Person } from './interactions/interaction-types';
import type { KnowledgeTrustOptions } from './interactions/knowledge-trust';
import type { PasskeysFactory } from './passkeys/passkey-types';
import type { HeadStore } from './records/head-store';
import type { OfflineStore } from './offline/offline-store';
import type { AnyKind } from './records/record-kind';
import type { CallOptions } from './records/record-types';
import type { SpacesFactory } from './spaces/space-parts';

/** The address of the service and the parts of the platform to use. */
export interface HealthRecordsClientOptions extends HttpTransportOptions {
  /**
   * The storage that tabs use to share tokens. Default: memory. In a browser, use
   * `new WebStorageSessionStore(localStorage, window)`.
   */
  sessionStore?: SessionStore;
  /** Default: Web Locks, or a lock inside this process. */
  lock?: LockRunner;
  /**
   * The least cost of the key derivation of a new secret: at a change of password or email and at a recovery;
   * it never falls. 600,000 to 10,000,000, default 1,000,000.
   */
  kdfIterations?: number;
  /** Locks when nobody has been active in any tab. Default: never. */
  idleLock?: IdleLockOptions;
  /**
   * Messages between the tabs of a session, for `lock` and `unlockFromOtherTab`. Default: `BroadcastChannel` for
   * a store that tabs share, else none.
   */
  channel?: OpenChannel;
  /**
   * Keeps records and unsent writes on this device: `indexedDbStore`, `memoryOfflineStore` or `fileStore`.
   * Default: none, and every read and write is a request.
   */
  offline?: OfflineStore;
  /** The kinds of records of modules of your own, from `defineRecordKind`. Exports contain them. */
  kinds?: readonly AnyKind[];
  /** The engine for checks on the device. */
  interactionEngine?: InteractionEngineFactory;
  /** Default: the client accepts the knowledge base of the service as it is. */
  knowledgeTrust?: KnowledgeTrustOptions;
  /** Sign-in and unlock by passkey: `webPasskeys()` of `@health-records/client/passkeys`. Default: none. */
  passkeys?: PasskeysFactory;
  /** Where this device keeps the heads of profiles. Default: nowhere. */
  headStore?: HeadStore;
  /** Profiles that several accounts share: `sharedProfiles()` of `@health-records/client/spaces`. Default: none. */
  spaces?: SpacesFactory;
}

export const CLIENT_OPTIONS: NamesOf<HealthRecordsClientOptions> = {
  baseUrl: true,
  fetch: true,
  timeoutMs: true,
  retry: true,
  wait: true,
  sessionStore: true,
  lock: true,
  kinds: true,
  idleLock: true,
  channel: true,
  kdfIterations: true,
  offline: true,
  interactionEngine: true,
  knowledgeTrust: true,
  headStore: true,
  passkeys: true,
  spaces: true,
};

/** Options of a check of all that a profile takes. */
export interface ProfileCheckOptions extends CallOptions {
  /** Security: stays on the device, like the names. */
  person?: Person;
  /** The language of the texts: `en`, `de`, `es`. Default: English. */
  language?: string;
}

/** @throws InvalidArgumentError */
export function kdfIterationsOf({ kdfIterations = NEW_KDF_ITERATIONS }: HealthRecordsClientOptions): number {
  const isValid = Number.isSafeInteger(kdfIterations) && kdfIterations <= MAX_KDF_ITERATIONS;
  if (isValid && kdfIterations >= MIN_KDF_ITERATIONS) return kdfIterations;
  throw new InvalidArgumentError(`kdfIterations is ${MIN_KDF_ITERATIONS} to ${MAX_KDF_ITERATIONS}.`);
}

/**
 * `signed-out`: no tokens. `locked`: tokens but no keys (after a reload or `lock`). `unlocked`: tokens and
 * keys.
 */
export type ClientState = 'signed-out' | 'locked' | 'unlocked';
