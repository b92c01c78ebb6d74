import { ApiError, IntegrityError, InvalidArgumentError, WrongPasswordError } from '../errors';
import { rewrapDataKey, type WrappedKey } from '../crypto/key-wrapping';
import type { KeyPurpose } from '../crypto/labels';
import { derivePasswordKeys, passwordBytes, type PasswordKeys } from '../crypto/password-keys';
import type { Key } from '../crypto/web-crypto';
import type { HttpTransport } from '../http/http-transport';
import { ObjectReader } from '../http/object-reader';

/** Shortest new password, in characters after NFKC. Source: NIST SP 800-63B, section 5.1.1.2. */
export const MIN_PASSWORD_LENGTH = 8;

/** @throws InvalidArgumentError for a new password that is too short or ill-formed. */
export function checkNewPassword(password: string): void {
  passwordBytes(password).fill(0);
  if ([...password.normalize('NFKC')].length < MIN_PASSWORD_LENGTH) {
    throw new InvalidArgumentError(`A password needs at least ${MIN_PASSWORD_LENGTH} characters.`);
  }
}

/** The email without white space around it; the service normalises the rest. @throws InvalidArgumentError */
export function checkEmail(email: string): string {
  const trimmed = email.trim();
  if (!/^[^@]+@[^@]+$/.test(trimmed)) throw new InvalidArgumentError('This is not an email address.');
  return trimmed;
}

/**
 * Asks the service how the master key of an email is derived, and derives what the password yields.
 * @throws KdfRefusedError for parameters that would weaken the password.
 */
export async function derivePasswordKeysFor(
  http: HttpTransport,
  email: string,
  password: string,
  signal?: AbortSignal,
): Promise<PasswordKeys> {
  passwordBytes(password).fill(0);
  const answer = await http.send({
    method: 'POST',
    path: '/api/auth/prelogin',
    body: { email },
    replayable: true,
    ...(signal ? { signal } : {}),
  });
  const reader = new ObjectReader(answer.body, 'prelogin');
  return derivePasswordKeys(password, {
    kdf: reader.text('kdf'),
    iterations: reader.number('iterations'),
    salt: reader.text('salt'),
  });
}

/** The account key as wrapped by the password. @throws ProtocolError */
export function readWrappedAccountKey(body: unknown): WrappedKey {
  const reader = new ObjectReader(body, 'account');
  return { wrapped: reader.text('wrapped_dek'), iv: reader.text('wrapped_dek_iv') };
}

/** Wraps the account key, which the current password opens, for another secret. @throws WrongPasswordError */
export async function rewrapFromPassword(
  wrapped: WrappedKey,
  current: PasswordKeys,
  to: { key: Key; purpose: KeyPurpose },
): Promise<WrappedKey> {
  try {
    return await rewrapDataKey(wrapped, { key: current.wrappingKey, purpose: { purpose: 'password' } }, to);
  } catch (cause) {
    throw asWrongPassword(cause);
  }
}

/** What a wrong password looks like on the device (a key that does not open) or to the service, as one error. */
export function asWrongPassword(cause: unknown): unknown {
  const onDevice = cause instanceof IntegrityError && cause.code === 'tampered';
  const byService = cause instanceof ApiError && cause.code === 'current_password_wrong';
  return onDevice || byService ? new WrongPasswordError(undefined, { cause }) : cause;
}
