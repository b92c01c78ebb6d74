import type { KeyRing } from '../account/key-ring';
import type { AccountKey } from '../crypto/account-key';
import { ApiError, ifAny, IntegrityError } from '../errors';
import { ObjectReader } from '../http/object-reader';
import type { CallOptions } from '../records/record-types';
import { makeIdentity, openIdentity, type OwnIdentity } from './formats/identity';
import type { SpaceService } from './space-service';

const PATH = '/api/users/me/keys';

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
    const { sharing: sharing_public, signing: signing_public, wrapped } = made;
    const body = { sharing_public, signing_public, wrapped: wrapped.wrapped, wrapped_iv: wrapped.iv };
    try {
      await this.service.send({ method: 'PUT', path: PATH, body, replayable: true }, options);
    } catch (error) {
      // Another device was faster, or the answer to the first attempt was lost.
      if (!(error instanceof ApiError) || error.code !== 'keys_changed') throw error;
    }
    return this.require(options);
  }

  async #find(options: CallOptions): Promise<OwnIdentity | undefined> {
    const { accountKey } = this.keys;
    if (this.#known?.of === accountKey) return this.#known.identity;
    const answer = await ifAny(this.service.send({ method: 'GET', path: PATH }, options));
    if (!answer) return undefined;
    const reader = new ObjectReader(answer.body, 'keys');
    const stored = {
      sharing_public: reader.text('sharing_public'),
      signing_public: reader.text('signing_public'),
      wrapped: reader.text('wrapped'),
      wrapped_iv: reader.text('wrapped_iv'),
    };
    const identity = await openIdentity(stored, accountKey, this.accountId());
    this.#known = { of: accountKey, identity };
    return identity;
  }
}
