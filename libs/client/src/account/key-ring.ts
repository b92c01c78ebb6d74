import { IntegrityError, LockedError } from '../errors';
import type { AccountKey } from '../crypto/account-key';
import type { WrappedKey } from '../crypto/key-wrapping';
import { openChain } from '../crypto/key-chain';
import { openProfileKey, type OpenProfileKey, wrapProfileKey } from '../crypto/profile-key';

/** A key and the wrap that it was opened from. */
interface OpenedWrap {
  /** With its former keys. */
  key: OpenProfileKey;
  wrap: string;
  /** The chain of former keys in the newest state of the profile, as JSON. */
  chain: string;
}

/** The keys of an account before all were replaced. They open only what this device itself has stored. */
export interface FormerKeys {
  account: AccountKey;
  profiles: ReadonlyMap<string, OpenProfileKey>;
}

/** JSON of none. */
const NO_CHAIN = '';
/** Equal to no JSON. */
const UNKNOWN_CHAIN = 'unknown';
/** Of the key of a shared profile. */
const NO_WRAP = '';

interface OpenKeys {
  account: AccountKey;
  profiles: Map<string, OpenedWrap>;
}

/** The steps between the start of an unlock and its end. A lock in the meantime wins. */
export interface UnlockAttempt {
  /** @throws LockedError after a lock. */
  check(): void;
  /**
   * Takes the key.
   * @param isOfDevice whether it comes from this device itself, its store or another tab, which may have replaced all keys.
   * @throws LockedError after a lock; IntegrityError `key_mismatch` for another account key than before it.
   */
  unlock(account: AccountKey, isOfDevice?: boolean): void;
}

/**
 * The keys of an unlocked account. They stay in memory, no script can read their bytes, and `lock` removes
 * them.
 */
export class KeyRing {
  #open: OpenKeys | undefined;
  #locks = 0;
  /** Outlives a lock: the next unlock must open the same account key. */
  #accountKeyId: string | undefined;
  #former: FormerKeys | undefined;
  /** The former keys that the newest state of a profile has dropped, until {@link forgetDropped}. */
  readonly #dropped = new Map<string, readonly OpenProfileKey[]>();

  get isUnlocked(): boolean {
    return this.#open !== undefined;
  }

  /** @throws LockedError */
  get accountKey(): AccountKey {
    return this.#keys().account;
  }

  attempt(): UnlockAttempt {
    const before = this.#locks;
    const check = () => {
      if (this.#locks !== before) throw new LockedError('The client was locked in the meantime.');
    };
    const unlock = (account: AccountKey, isOfDevice = false) => {
      check();
      if (!isOfDevice) this.requireSame(account);
      this.#accountKeyId = account.id;
      this.#open = { account, profiles: new Map() };
    };
    return { check, unlock };
  }

  /** The account key of before, while what this device has stored under it is opened. */
  get formerAccount(): AccountKey | undefined {
    return this.#former?.account;
  }

  /**
   * Compares a key with the account key of this session, if one was open.
   * @throws IntegrityError `key_mismatch`
   */
  requireSame({ id }: AccountKey): void {
    if (this.#accountKeyId === undefined || this.#accountKeyId === id) return;
    throw new IntegrityError('key_mismatch', 'The wrap holds another key than that of this account.', {
      kind: 'key:account',
      id: 'account',
    });
  }

  /** Drops the keys and the memory of which account they belong to. */
  forget(): void {
    this.lock();
    this.#accountKeyId = undefined;
  }

  lock(): void {
    this.#locks += 1;
    this.#open = this.#former = undefined;
    this.#dropped.clear();
  }

  /** The key of a profile if it is already open. @throws LockedError */
  profileKey(profileId: string): OpenProfileKey | undefined {
    return this.#keys().profiles.get(profileId)?.key;
  }

  /**
   * Opens and remembers the key of a profile. Only a key of a later epoch replaces an open one. Another wrap must open
   * all the same: it is stored, and read after a reload.
   * @throws LockedError; IntegrityError `tampered` for a key that does not belong to this profile,
   * `key_mismatch` for one that another account key has wrapped.
   */
  async openProfileKey(profileId: string, wrapped: WrappedKey): Promise<OpenProfileKey> {
    const keys = this.#keys();
    const wrap = `${wrapped.iv} ${wrapped.wrapped}`;
    const known = keys.profiles.get(profileId);
    if (known?.wrap === wrap) return known.key;
    const opened = await openProfileKey(wrapped, keys.account, profileId);
    if (this.#open !== keys) throw new LockedError();
    const before = keys.profiles.get(profileId);
    const isNewer = !before || before.key.epoch < opened.epoch;
    const entry = isNewer ? { key: this.#withFormer(profileId, opened, []), chain: NO_CHAIN } : before;
    keys.profiles.set(profileId, { ...entry, wrap });
    return entry.key;
  }

  /**
   * The same for what this device itself has stored: perhaps before all keys were replaced.
   * Security: never for what the service has sent.
   */
  async openStoredKey(profileId: string, wrapped: WrappedKey): Promise<OpenProfileKey> {
    const former = this.#former;
    try {
      return await this.openProfileKey(profileId, wrapped);
    } catch (error) {
      if (!former || !(error instanceof IntegrityError) || error.code !== 'key_mismatch') throw error;
      return openProfileKey(wrapped, former.account, profileId);
    }
  }

  /** Wraps a key that only this device has, of a profile that was never sent, under the newest account key. */
  async rewrapStored(profileId: string, wrapped: WrappedKey): Promise<WrappedKey> {
    const { account } = this.#keys();
    const former = this.#former?.account ?? account;
    return wrapProfileKey(await openProfileKey(wrapped, former, profileId, true), account, profileId);
  }

  /**
   * Takes the newest key of a shared profile, which no wrap in the profile holds. The one before opens what this device has,
   * until the newest state of the profile says which former keys there are.
   * @throws LockedError
   */
  takeSpaceKey(profileId: string, key: OpenProfileKey): void {
    const { profiles } = this.#keys();
    const before = profiles.get(profileId);
    if (before && before.key.epoch >= key.epoch) return;
    const { older = [], ...former } = before?.key ?? {};
    const chain = before ? [former as OpenProfileKey, ...older] : [];
    profiles.set(profileId, {
      key: this.#withFormer(profileId, key, chain),
      wrap: NO_WRAP,
      chain: before ? UNKNOWN_CHAIN : NO_CHAIN,
    });
  }

  /**
   * Takes the former keys that are sealed in the newest state of a profile, in place of those of the state before.
   * @param epoch of the key that has sealed the state.
   * @throws LockedError; IntegrityError for a chain that does not open.
   */
  async takeChain(profileId: string, sealed: unknown, epoch: number): Promise<void> {
    const keys = this.#keys();
    const chain = JSON.stringify(sealed) ?? NO_CHAIN;
    const known = keys.profiles.get(profileId);
    // A state of before says nothing of the keys before the newest one.
    if (!known || known.chain === chain || epoch < known.key.epoch) return;
    const older = await openChain(sealed, known.key, profileId);
    if (this.#open !== keys) throw new LockedError();
    if (older.length === 0 && known.key.older) this.#dropped.set(profileId, known.key.older);
    keys.profiles.set(profileId, { ...known, chain, key: this.#withFormer(profileId, known.key, older) });
  }

  /**
   * Opens once more the former keys that the newest state of a profile has just dropped, for what this device itself has
   * stored under them. Does nothing where none were dropped.
   * @param run gets the epoch of the newest key.
   * Security: never for what the service has sent.
   */
  async withDropped(profileId: string, run: (newest: number) => Promise<void>): Promise<void> {
    const older = this.#dropped.get(profileId);
    const entry = this.#keys().profiles.get(profileId);
    if (!older || !entry) return;
    const { key } = entry;
    entry.key = { ...key, older };
    try {
      await run(key.epoch);
    } finally {
      entry.key = key;
    }
  }

  /** From now on they open nothing. */
  forgetDropped(profileId: string): void {
    this.#dropped.delete(profileId);
  }

  /** Lets what this device has stored under the keys of before be opened, until it is called without any. */
  set former(former: FormerKeys | undefined) {
    const gone = this.#former?.profiles;
    this.#former = former;
    for (const [profileId, entry] of this.#open?.profiles ?? []) {
      const older = (entry.key.older ?? []).filter((each) => each !== gone?.get(profileId));
      entry.key = this.#withFormer(profileId, entry.key, older);
    }
  }

  #withFormer(profileId: string, key: OpenProfileKey, chain: readonly OpenProfileKey[]): OpenProfileKey {
    const former = this.#former?.profiles.get(profileId);
    const older = former ? [...chain, former] : chain;
    const { older: before = [], ...newest } = key;
    if (older.length === before.length && older.every((each, at) => each === before[at])) return key;
    return { ...newest, ...(older.length > 0 && { older }) };
  }

  forgetProfile(profileId: string): void {
    this.#open?.profiles.delete(profileId);
  }

  #keys(): OpenKeys {
    if (!this.#open) throw new LockedError();
    return this.#open;
  }
}
