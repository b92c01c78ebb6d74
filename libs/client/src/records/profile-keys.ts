import type { KeyRing } from '../account/key-ring';
import { LockedError } from '../errors';
import type { OpenProfileKey } from '../crypto/profile-key';

/** Finds the key of a profile in memory, or fetches the profile. Concurrent callers share one fetch. */
export class ProfileKeys {
  readonly #keys: KeyRing;
  readonly #fetchProfile: (profileId: string) => Promise<unknown>;
  readonly #fetching = new Map<string, Promise<unknown>>();

  constructor(keys: KeyRing, fetchProfile: (profileId: string) => Promise<unknown>) {
    this.#keys = keys;
    this.#fetchProfile = fetchProfile;
  }

  /** @throws LockedError, ApiError `not_found`, IntegrityError */
  async keyOf(profileId: string): Promise<OpenProfileKey> {
    const known = this.#keys.profileKey(profileId);
    if (known) return known;
    let fetching = this.#fetching.get(profileId);
    if (!fetching) {
      fetching = this.#fetchProfile(profileId).finally(() => this.#fetching.delete(profileId));
      this.#fetching.set(profileId, fetching);
    }
    await fetching;
    const key = this.#keys.profileKey(profileId);
    // The client was locked and unlocked again during the fetch.
    if (!key) throw new LockedError();
    return key;
  }
}
