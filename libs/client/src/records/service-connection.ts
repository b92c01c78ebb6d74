import type { Key } from '../crypto/web-crypto';
import type { HttpAnswer, HttpRequest } from '../http/http-transport';
import type { SessionLedger } from './session-ledger';

/** What a collection needs of the client. */
export interface ServiceConnection {
  readonly baseUrl: string;
  readonly ledger: SessionLedger;
  /** Sends with the session's token. */
  send(request: HttpRequest): Promise<HttpAnswer>;
  /** The key of a profile, fetched when it is not yet open. */
  keyOf(profileId: string, signal?: AbortSignal): Promise<Key>;
}
