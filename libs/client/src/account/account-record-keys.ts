import { accountDataKeyOf } from '../crypto/account-data-key';
import type { AccountKey } from '../crypto/account-key';
import type { ProfileKey } from '../crypto/profile-key';
import { IntegrityError } from '../errors';
import type { KeyRing } from './key-ring';
import type { TrustBooks } from './trust-book';

/**
 * The key of the records that belong to the account itself. It follows from the account key. After a replacement of all keys
 * the trust book opens the keys of before, until a sync has sealed all such records anew.
 */
export class AccountRecordKeys {
  #newest: { of: AccountKey; key: Promise<ProfileKey> } | undefined;
  #former: Promise<ProfileKey[]> | undefined;

  constructor(
    private readonly keys: KeyRing,
    private readonly trustBooks: () => Promise<TrustBooks>,
  ) {}

  /** @throws LockedError */
  newest(): Promise<ProfileKey> {
    const of = this.keys.accountKey;
    if (this.#newest?.of !== of) this.#newest = { of, key: accountDataKeyOf(of) };
    return this.#newest.key;
  }

  /** Opens a record with the newest key, else with one of before. @throws IntegrityError, LockedError */
  async open<T>(open: (key: ProfileKey) => Promise<T>): Promise<T> {
    const newest = await this.newest();
    try {
      return await open(newest);
    } catch (error) {
      if (!(error instanceof IntegrityError) || error.code !== 'tampered') throw error;
      const own = this.keys.formerAccount;
      const older = [...(await this.#formerKeys()), ...(own ? [await accountDataKeyOf(own)] : [])];
      if (older.length === 0) throw error;
      return open({ ...newest, older });
    }
  }

  async hasFormer(): Promise<boolean> {
    return (await this.#formerKeys()).length > 0;
  }

  async dropFormer(): Promise<void> {
    await (await this.trustBooks()).closeFormer(this.keys.accountKey);
    this.forget();
  }

  /** At a lock, and after a replacement of all keys. */
  forget(): void {
    this.#former = this.#newest = undefined;
  }

  #formerKeys(): Promise<ProfileKey[]> {
    const { accountKey } = this.keys;
    const former = (this.#former ??= this.trustBooks()
      .then((books) => books.formersOfRecords(accountKey))
      .then((formers) => Promise.all(formers.map(accountDataKeyOf))));
    // The next call asks again.
    former.catch(() => {
      if (this.#former === former) this.#former = undefined;
    });
    return former;
  }
}
