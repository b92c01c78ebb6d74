import { LockedError } from '../errors';
import { unwrapDataKey, type WrappedKey } from '../crypto/key-wrapping';
import type { Key } from '../crypto/web-crypto';

interface OpenKeys {
  account: Key;
  profiles: Map<string, Key>;
}

/** The steps between the start of an unlock and its end. A lock in the meantime wins. */
export interface UnlockAttempt {
  /** @throws LockedError after a lock. */
  check(): void;
  /** Takes the key. @throws LockedError after a lock. */
  unlock(account: Key): void;
}

/**
 * The keys of an unlocked account. They stay in memory, no script can read their bytes, and `lock` removes
 * them.
 */
export class KeyRing {
  #open: OpenKeys | undefined;
  #locks = 0;

  get isUnlocked(): boolean {
    return this.#open !== undefined;
  }

  /** @throws LockedError */
  get accountKey(): Key {
    return this.#keys().account;
  }

  attempt(): UnlockAttempt {
    const before = this.#locks;
    const check = () => {
      if (this.#locks !== before) throw new LockedError('The client was locked in the meantime.');
    };
    const unlock = (account: Key) => {
      check();
      this.#open = { account, profiles: new Map() };
    };
    return { check, unlock };
  }

  lock(): void {
    this.#locks += 1;
    this.#open = undefined;
  }

  /** The key of a profile if it is already open. @throws LockedError */
  profileKey(profileId: string): Key | undefined {
    return this.#keys().profiles.get(profileId);
  }

  /**
   * Opens and remembers the key of a profile. A profile keeps its key for life, so a later answer of the
   * service never replaces an open key.
   * @throws LockedError; IntegrityError `tampered` for a key that does not belong to this profile.
   */
  async openProfileKey(profileId: string, wrapped: WrappedKey): Promise<Key> {
    const keys = this.#keys();
    const known = keys.profiles.get(profileId);
    if (known) return known;
    const key = await unwrapDataKey(wrapped, keys.account, { purpose: 'profile', profileId });
    if (this.#open !== keys) throw new LockedError();
    keys.profiles.set(profileId, key);
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
