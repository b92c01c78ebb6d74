import { IntegrityError, LockedError } from '../errors';
import type { AccountKey } from '../crypto/account-key';
import type { WrappedKey } from '../crypto/key-wrapping';
import { openProfileKey, type OpenProfileKey } from '../crypto/profile-key';

/** A key and the wrap that it was opened from. */
interface OpenedWrap {
  key: OpenProfileKey;
  wrap: string;
}

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
   * @throws LockedError after a lock; IntegrityError `key_mismatch` for another account key than before it.
   */
  unlock(account: AccountKey): void;
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
    const unlock = (account: AccountKey) => {
      check();
      this.requireSame(account);
      this.#accountKeyId = account.id;
      this.#open = { account, profiles: new Map() };
    };
    return { check, unlock };
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
    this.#open = undefined;
  }

  /** The key of a profile if it is already open. @throws LockedError */
  profileKey(profileId: string): OpenProfileKey | undefined {
    return this.#keys().profiles.get(profileId)?.key;
  }

  /**
   * Opens and remembers the key of a profile. A profile keeps its key for life, so a later answer of the
   * service never replaces an open key. Another wrap must open all the same: it is stored, and read after a reload.
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
    const { key } = keys.profiles.get(profileId) ?? { key: opened };
    keys.profiles.set(profileId, { key, wrap });
    return key;
  }

  forgetProfile(profileId: string): void {
    this.#open?.profiles.delete(profileId);
  }

  #keys(): OpenKeys {
    if (!this.#open) throw new LockedError();
    return this.#open;
  }
}
