import type { Account } from '../account/account';
import type { KeyRing } from '../account/key-ring';
import type { TrustBooks } from '../account/trust-book';
import type { SessionTransport } from '../http/session-transport';
import type { CallOptions } from '../records/record-types';
import type { Profiles } from '../records/profiles';
import type { ServiceConnection } from '../records/service-connection';
import type { SpaceDirectory, SpaceMemory } from './space-directory';
import type { Spaces } from './space-types';

/** The parts of the client that shared profiles need. */
export interface SpaceParts {
  transport: SessionTransport;
  keys: KeyRing;
  account: Account;
  connection: ServiceConnection;
  profiles: Profiles;
  /** Loaded with the first use. */
  trustBooks: () => Promise<TrustBooks>;
  /** What this device keeps of each space. */
  memory: SpaceMemory;
  /** Sends what waits, and reads what is new. Without an offline store, it does nothing. */
  sync: (options?: CallOptions) => Promise<void>;
  /** The same, beside what the caller does. Not where the application has stopped the sync. */
  syncSoon: () => void;
  /** How many records of a profile still have to be sealed anew, as far as this device knows. */
  resealing: (profileId: string) => number | undefined;
}

/** What the option `spaces` gives to the client. */
export interface SpacesPart {
  spaces: Spaces;
  directory: SpaceDirectory;
  /** Ends with a lock: what was read is forgotten. */
  lock(): void;
  /**
   * Before the account is erased.
   * @param takesSole whether profiles of which nobody else is an owner end with it.
   * @throws SpaceError `sole_owner`, WrongPasswordError: nothing has changed then.
   */
  leaveAll(currentPassword: string, takesSole: boolean, options: CallOptions): Promise<void>;
}

/** The option `spaces` of the client. */
export type SpacesFactory = (parts: SpaceParts) => SpacesPart;
