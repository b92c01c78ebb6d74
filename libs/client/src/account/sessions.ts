import { requireId } from '../ids';
import type { HttpRequest } from '../http/http-transport';
import { ObjectReader, readArray } from '../http/object-reader';
import { pages } from '../http/paging';
import { collect, signalOf } from '../records/encrypted-collection';
import type { CallOptions, PageOptions } from '../records/record-types';
import type { ServiceConnection } from '../records/service-connection';
import type { Account } from './account';

const PATH = '/api/auth/sessions';
const DEVICES_PATH = '/api/users/me/device-tokens';

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
  constructor(
    private readonly connection: ServiceConnection,
    private readonly account: Account,
  ) {}

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
   * @returns a token for 180 days after its last use. `logoutEverywhere` ends it, and so does a new password on
   * another device.
   * @throws WrongPasswordError
   */
  async rememberDevice(currentPassword: string, options: CallOptions = {}): Promise<string> {
    const { own } = await this.account.reauthenticate(currentPassword, options);
    const answer = await this.account.stepUp({
      method: 'POST',
      path: '/api/auth/device-token',
      body: { current_password: own.authSecret },
      ...signalOf(options),
    });
    return new ObjectReader(answer.body, 'device token').text('device_token');
  }

  /** The devices that have a device token, last used first. `current` is whether it is the one of this client. */
  async rememberedDevices(options: CallOptions = {}): Promise<DeviceSession[]> {
    const answer = await this.connection.send({ method: 'GET', path: DEVICES_PATH, ...signalOf(options) });
    return readArray(answer.body, 'device tokens').map(readSession);
  }

  /** Ends the token of a device. @throws ApiError `not_found` */
  async forgetDevice(id: string, options: CallOptions = {}): Promise<void> {
    const path = `${DEVICES_PATH}/${requireId(id, 'The device id')}`;
    await this.connection.send({ method: 'DELETE', path, ...signalOf(options) });
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
