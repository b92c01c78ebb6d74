import { requireKnownMembers, type NamesOf } from '../inputs';
import type { NewProfile } from '../records/sealed-profile';

/** The input of a registration. */
export interface Registration {
  email: string;
  password: string;
  /**
   * From `generateRecoveryPhrase`. Show it to the person first. `null`: the account has no recovery phrase.
   * If the password is lost and there is no phrase, nobody can recover the account.
   */
  recoveryPhrase: string | null;
  /** The first profile of the account. If it is absent, the account starts without a profile. */
  profile?: NewProfile;
  /** The name of this device in the list of sessions, 1 to 64 characters. Plaintext on the service. */
  deviceLabel?: string;
}

const REGISTRATION: NamesOf<Registration> = {
  email: true,
  password: true,
  recoveryPhrase: true,
  profile: true,
  deviceLabel: true,
};

/** @throws InvalidArgumentError for an unknown member. */
export function checkRegistration(registration: Registration): void {
  requireKnownMembers(registration, REGISTRATION, 'The registration');
}
