import type { HttpRequest } from '../http/http-transport';
import { ObjectReader } from '../http/object-reader';
import { pages } from '../http/paging';
import { collect, signalOf } from '../records/encrypted-collection';
import type { PageOptions } from '../records/record-types';
import type { ServiceConnection } from '../records/service-connection';

/** What can happen to the credentials of an account. */
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
] as const;

/** Something that happened to the credentials of the account. Plaintext on the service, kept there for 180 days. */
export interface SecurityEvent {
  id: string;
  /** One of `SECURITY_EVENT_KINDS`; a newer service may know more. */
  kind: string;
  createdAt: string;
  /** A mark of the network from which it came, the same for the same network; `null` where it is not known. */
  origin: string | null;
}

/** What happened to the credentials of the account, so that a person notices what was not theirs. */
export class SecurityEvents {
  constructor(private readonly connection: ServiceConnection) {}

  /** Newest first, fetched as they are consumed. */
  async *iterate(options: PageOptions = {}): AsyncGenerator<SecurityEvent, void, undefined> {
    const request = { method: 'GET', path: '/api/users/me/events', ...signalOf(options) } as const;
    const send = (each: HttpRequest) => this.connection.send(each);
    for await (const page of pages(send, request, this.connection.baseUrl, options.pageSize))
      yield* page.map(readEvent);
  }

  /** All at once, newest first. */
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
  };
}
