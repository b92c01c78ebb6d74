import type { HttpTransportOptions } from './http/http-transport';
import type { LockRunner } from './http/locks';
import type { SessionStore } from './http/session-store';
import type { NamesOf } from './inputs';
import type { InteractionEngineFactory, Person } from './interactions/interaction-types';
import type { KnowledgeTrustOptions } from './interactions/knowledge-trust';
import type { CallOptions } from './records/record-types';

/** The address of the service and the parts of the platform to use. */
export interface HealthRecordsClientOptions extends HttpTransportOptions {
  /**
   * The storage that tabs use to share tokens. Default: memory. In a browser, use
   * `new WebStorageSessionStore(localStorage, window)`.
   */
  sessionStore?: SessionStore;
  /** Default: Web Locks, or a lock inside this process. */
  lock?: LockRunner;
  /** The engine for checks on the device. */
  interactionEngine?: InteractionEngineFactory;
  /** Default: the client accepts the knowledge base of the service as it is. */
  knowledgeTrust?: KnowledgeTrustOptions;
}

export const CLIENT_OPTIONS: NamesOf<HealthRecordsClientOptions> = {
  baseUrl: true,
  fetch: true,
  timeoutMs: true,
  retry: true,
  wait: true,
  sessionStore: true,
  lock: true,
  interactionEngine: true,
  knowledgeTrust: true,
};

/** Options of a check of all that a profile takes. */
export interface ProfileCheckOptions extends CallOptions {
  /** Security: stays on the device, like the names. */
  person?: Person;
  /** The language of the texts: `en`, `de`, `es`. Default: English. */
  language?: string;
}
