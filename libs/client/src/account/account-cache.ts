import type { CachedAccount } from '../offline/offline-rows';

/** What this device keeps of the account, for an unlock without a network. */
export interface AccountCache {
  readAccount(accountId: string): Promise<CachedAccount | undefined>;
  /** The account that this device has seen under the account key of this id. */
  accountOf(keyId: string): Promise<string | undefined>;
  /** Only for a wrap that has opened the account key. `check` prevents the write after the end of the session. */
  writeAccount(account: CachedAccount, check: () => void): Promise<void>;
}
