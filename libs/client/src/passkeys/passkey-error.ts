import { HealthRecordsError } from '../errors';

/** The codes of a {@link PasskeyError}. */
export type PasskeyFailure =
  'passkey_unavailable' | 'passkey_cancelled' | 'passkey_exists' | 'passkey_failed' | 'passkey_cannot_unlock';

/**
 * A passkey that was not made or not used. `code`:
 * - `passkey_unavailable`: this browser has no passkeys, or this account has none that unlocks;
 * - `passkey_cancelled`: the person has refused, or took too long;
 * - `passkey_exists`: this device has one of this account already;
 * - `passkey_failed`: the browser or the authenticator has refused;
 * - `passkey_cannot_unlock`: it gives no key, or another one than that which wraps the account key. Use the password.
 */
export class PasskeyError extends HealthRecordsError {
  override readonly name: string = 'PasskeyError';

  constructor(code: PasskeyFailure, message: string, options?: { cause?: unknown }) {
    super(code, message, options);
  }
}
