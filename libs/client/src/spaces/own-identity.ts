import type { KeyRing } from '../account/key-ring';
import type { AccountKey } from '../crypto/account-key';
import { ApiError, ifAny, IntegrityError } from '../errors';
import type { CallOptions } from '../records/record-types';
import { makeIdentity, openIdentity, type OwnIdentity } from './formats/identity';
import type { SpaceService } from './space-service';
import { IDENTITY_PATH, readStoredIdentity, storedFormOf } from './stored-identity';

/** An identity of this account, and the account key that opens its seeds. */
export interface Signer {
  own: OwnIdentity;
  under: AccountKey;
}

/** The identity of this account: the keys by which others know it. It is made once. */
export class OwnIdentities {
  #known: { of: AccountKey; identity: OwnIdentity } | undefined;

  constructor(
    private readonly service: SpaceService,
    private readonly keys: KeyRing,
    private readonly accountId: () => string,
  ) {}

  forget(): void {
    this.#known = undefined;
  }

  /** @throws IntegrityError `records_missing` where the service has none; `tampered` for one that is not this account's. */
  async require(options: CallOptions): Promise<OwnIdentity> {
    const found = await this.#find(options);
    if (found) return found;
    throw new IntegrityError('records_missing', 'The service does not show the keys of this account.', {
      kind: 'key:identity',
      id: this.accountId(),
    });
  }

  /**
   * Makes it, where there is none.
   * @param mustExist whether this account shares something already: then a service that shows none withholds it.
   */
  async ensure(mustExist: boolean, options: CallOptions): Promise<OwnIdentity> {
    if (mustExist) return this.require(options);
    const found = await this.#find(options);
    if (found) return found;
    const { accountKey } = this.keys;
    const made = await makeIdentity(accountKey, this.accountId());
    const body = storedFormOf(made);
    try {
      await this.service.send({ method: 'PUT', path: IDENTITY_PATH, body, replayable: true }, options);
    } catch (error) {
      // Another device was faster, or the answer to the first attempt was lost.
      if (!(error instanceof ApiError) || error.code !== 'keys_changed') throw error;
    }
    return this.require(options);
  }

  /** @param former that of before all keys were replaced, where a space may still name it. */
  async signers(former: Signer | undefined, options: CallOptions): Promise<Signer[]> {
    const newest = { own: await this.require(options), under: this.keys.accountKey };
    return former ? [newest, former] : [newest];
  }

  async #find(options: CallOptions): Promise<OwnIdentity | undefined> {
    const { accountKey } = this.keys;
    if (this.#known?.of === accountKey) return this.#known.identity;
    const answer = await ifAny(this.service.send({ method: 'GET', path: IDENTITY_PATH }, options));
    if (!answer) return undefined;
    const identity = await openIdentity(readStoredIdentity(answer), accountKey, this.accountId());
    this.#known = { of: accountKey, identity };
    return identity;
  }
}
