import { requireId } from '../ids';
import type { HttpRequest } from '../http/http-transport';
import { ObjectReader } from '../http/object-reader';
import { pages } from '../http/paging';
import { collect, signalOf } from '../records/encrypted-collection';
import type { CallOptions, PageOptions } from '../records/record-types';
import type { ServiceConnection } from '../records/service-connection';

const PATH = '/api/auth/sessions';

/** A device that is signed in. Plaintext on the service. */
export interface DeviceSession {
  id: string;
  createdAt: string;
  /** The last sign-in or refresh. */
  lastUsedAt: string;
  /** Whether this is the session of this client. */
  current: boolean;
  /** The `deviceLabel` of its login. */
  deviceLabel: string | null;
}

/** The devices that are signed in to the account. */
export class Sessions {
  constructor(private readonly connection: ServiceConnection) {}

  /** Most recently used first. Pages are fetched during the iteration. */
  async *iterate(options: PageOptions = {}): AsyncGenerator<DeviceSession, void, undefined> {
    const request = { method: 'GET', path: PATH, ...signalOf(options) } as const;
    const send = (each: HttpRequest) => this.connection.send(each);
    for await (const page of pages(send, request, this.connection.baseUrl, options.pageSize))
      yield* page.map(readSession);
  }

  /** All sessions in one array, most recently used first. */
  list(options: PageOptions = {}): Promise<DeviceSession[]> {
    return collect(this.iterate(options));
  }

  /**
   * Makes the service know this device. Keep the token on the device, also after a logout, and pass it as
   * `deviceToken` to `login`, `recover` and `verifyRecoveryPhrase`. It opens nothing by itself.
   *
   * @returns a token for 180 days after its last use. `logoutEverywhere` ends it.
   */
  async rememberDevice(options: CallOptions = {}): Promise<string> {
    const answer = await this.connection.send({
      method: 'POST',
      path: '/api/auth/device-token',
      ...signalOf(options),
    });
    return new ObjectReader(answer.body, 'device token').text('device_token');
  }

  /**
   * Signs another device out. For this device, use `logout`. Its access token ends within 60 seconds;
   * `logoutEverywhere` and a new password end every device at once.
   * @throws ApiError `not_found`
   */
  async end(id: string, options: CallOptions = {}): Promise<void> {
    const path = `${PATH}/${requireId(id, 'The session id')}`;
    await this.connection.send({ method: 'DELETE', path, ...signalOf(options) });
  }
}

function readSession(body: unknown): DeviceSession {
  const reader = new ObjectReader(body, 'session');
  return {
    id: reader.id('id'),
    createdAt: reader.timestamp('created_at'),
    lastUsedAt: reader.timestamp('last_used_at'),
    current: reader.boolean('current'),
    deviceLabel: reader.nullable('device_label', (name) => reader.text(name)),
  };
}
