import type { HttpRequest } from '../http/http-transport';
import { ObjectReader } from '../http/object-reader';
import { pages } from '../http/paging';
import { collect, signalOf } from '../records/encrypted-collection';
import type { PageOptions } from '../records/record-types';
import type { ServiceConnection } from '../records/service-connection';

/** Events that concern the credentials of an account. A type alone: a list would weigh on every page. */
export type SecurityEventKind =
  | 'registered'
  | 'login'
  | 'login_failed'
  | 'step_up_failed'
  | 'password_changed'
  | 'email_changed'
  | 'email_verified'
  | 'email_released'
  | 'erasure_planned'
  | 'erasure_stopped'
  | 'recovery_set_up'
  | 'recovery_failed'
  | 'recovery_used'
  | 'session_ended'
  | 'logged_out_everywhere'
  | 'token_reuse'
  | 'token_repeated'
  | 'device_remembered'
  | 'device_forgotten'
  | 'sign_in_added'
  | 'sign_in_removed'
  | 'passkey_added'
  | 'passkey_removed'
  | 'passkey_login'
  | 'erasure_asked'
  | 'operator_ended_sessions'
  | 'operator_exported'
  | 'operator_held'
  | 'operator_released'
  | 'operator_resumed'
  | 'operator_suspended'
  | 'keys_rotated';
/** Events that concern the credentials of an account. */
export const SECURITY_EVENT_KINDS = [
  'registered',
  'login',
  'login_failed',
  'step_up_failed',
  'password_changed',
  'email_changed',
  'recovery_set_up',
  'recovery_failed',
  'recovery_used',
  'session_ended',
  'logged_out_everywhere',
  'token_reuse',
  'token_repeated',
  'device_remembered',
  'device_forgotten',
  'sign_in_added',
  'sign_in_removed',
  'passkey_added',
  'passkey_removed',
  'passkey_login',
  'second_step_on',
  'second_step_off',
  'second_step_failed',
  'keys_rotated',
] as const;

/** One event that concerns the credentials. Plaintext on the service, which keeps it for 180 days. */
export interface SecurityEvent {
  id: string;
  /** A newer service may send other kinds. */
  kind: SecurityEventKind | (string & {});
  createdAt: string;
  /** An identifier of the network of origin, equal for equal networks. `null` when the network is unknown. */
  origin: string | null;
  /** How often it happened in an hour, from this network. 1 from a service that does not count. */
  count: number;
}

/** The security events of the account. A person can find actions that somebody else made. */
export class SecurityEvents {
  constructor(private readonly connection: ServiceConnection) {}

  /** Newest first. Pages are fetched during the iteration. */
  async *iterate(options: PageOptions = {}): AsyncGenerator<SecurityEvent, void, undefined> {
    const request = { method: 'GET', path: '/api/users/me/events', ...signalOf(options) } as const;
    const send = (each: HttpRequest) => this.connection.send(each);
    for await (const page of pages(send, request, this.connection.baseUrl, options.pageSize))
      yield* page.map(readEvent);
  }

  /** All events in one array, newest first. */
  list(options: PageOptions = {}): Promise<SecurityEvent[]> {
    return collect(this.iterate(options));
  }
}

function readEvent(body: unknown): SecurityEvent {
  const reader = new ObjectReader(body, 'event');
  return {
    id: reader.id('id'),
    kind: reader.text('kind'),
    createdAt: reader.timestamp('created_at'),
    origin: reader.nullable('origin', (name) => reader.text(name)),
    count: reader.raw('count') === undefined ? 1 : reader.integer('count', 1),
  };
}
