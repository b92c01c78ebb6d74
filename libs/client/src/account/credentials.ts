import {
  ApiError,
  IntegrityError,
  InvalidArgumentError,
  KdfRefusedError,
  WrongPasswordError,
} from '../errors';
import { openPasswordWrap, type AccountKey, type OpenedWrap } from '../crypto/account-key';
import type { WrappedKey } from '../crypto/key-wrapping';
import { requireText } from '../records/encrypted-collection';
import type { ProofOptions } from '../records/record-types';
import type { CachedAccount } from '../offline/offline-rows';
import {
  checkKdfParameters,
  derivePasswordKeys,
  passwordBytes,
  type KdfParameters,
  type PasswordKeys,
} from '../crypto/password-keys';
import type { HttpTransport } from '../http/http-transport';
import { ObjectReader } from '../http/object-reader';
import { requireStrongSecret } from './strength';

/** Shortest new password, in characters after NFKC. Source: NIST SP 800-63B, section 5.1.1.2. */
export const MIN_PASSWORD_LENGTH = 8;

/**
 * @param userInputs words that an attacker would try first.
 * @throws InvalidArgumentError for a new password that is too short or ill-formed, WeakSecretError
 */
export async function checkNewPassword(password: string, userInputs: readonly string[]): Promise<void> {
  passwordBytes(password).fill(0);
  if ([...password.normalize('NFKC')].length < MIN_PASSWORD_LENGTH) {
    throw new InvalidArgumentError(`A password needs at least ${MIN_PASSWORD_LENGTH} characters.`);
  }
  await requireStrongSecret(password, userInputs);
}

/**
 * The email without surrounding white space. The service does the other normalisation.
 * @throws InvalidArgumentError
 */
export function checkEmail(email: string): string {
  const trimmed = email.trim();
  if (!/^[^@]+@[^@]+$/.test(trimmed)) throw new InvalidArgumentError('This is not an email address.');
  return trimmed;
}

/**
 * The key-derivation parameters of an email, as the service tells them.
 * @throws KdfRefusedError for parameters that would weaken the password, or take too long.
 */
export async function fetchKdfParameters(
  http: HttpTransport,
  email: string,
  signal?: AbortSignal,
): Promise<KdfParameters> {
  const answer = await http.send({
    method: 'POST',
    path: '/api/auth/prelogin',
    body: { email },
    replayable: true,
    ...(signal ? { signal } : {}),
  });
  const reader = new ObjectReader(answer.body, 'prelogin');
  const parameters = {
    kdf: reader.text('kdf'),
    iterations: reader.number('iterations'),
    salt: reader.text('salt'),
  };
  checkKdfParameters(parameters);
  return parameters;
}

/** Fetches the key-derivation parameters of an email, then derives the keys of the password. @throws KdfRefusedError */
export async function derivePasswordKeysFor(
  http: HttpTransport,
  email: string,
  password: string,
  signal?: AbortSignal,
): Promise<DerivedKeys> {
  passwordBytes(password).fill(0);
  return deriveWith(password, await fetchKdfParameters(http, email, signal));
}

export async function deriveWith(password: string, parameters: KdfParameters): Promise<DerivedKeys> {
  return { ...(await derivePasswordKeys(password, parameters)), parameters };
}

/** The keys of a password, and how they were derived. */
export interface DerivedKeys extends PasswordKeys {
  parameters: KdfParameters;
}

/**
 * What the service is told of a new secret. It refuses one that was derived with a false salt, or at a lower cost
 * than the account has: a false answer of prelogin must not make a secret that is never right again.
 */
export function kdfOf({ parameters: { kdf, iterations, salt } }: DerivedKeys) {
  return { new_kdf: { kdf, iterations, salt } };
}

/** Reads the account key that the password wraps. @throws ProtocolError */
export function readWrappedAccountKey(body: unknown): WrappedKey {
  const reader = new ObjectReader(body, 'account');
  return { wrapped: reader.text('wrapped_dek'), iv: reader.text('wrapped_dek_iv') };
}

/** Opens the account key with the current password. @throws WrongPasswordError */
export function openWithPassword(
  wrapped: WrappedKey,
  own: PasswordKeys,
  accountId: string,
): Promise<OpenedWrap> {
  return provingPassword(openPasswordWrap(wrapped, own.wrappingKey, accountId));
}

/** The result of what needs the current password. @throws WrongPasswordError */
export function provingPassword<T>(result: Promise<T>): Promise<T> {
  return result.catch((cause: unknown) => {
    throw asWrongPassword(cause);
  });
}

/**
 * Converts every sign of a wrong password to one error: a key that does not open on the device, and a refusal
 * by the service. Returns other errors unchanged.
 */
export function asWrongPassword(cause: unknown): unknown {
  const onDevice = cause instanceof IntegrityError && cause.code === 'tampered';
  const refusal = cause instanceof ApiError ? cause.code : undefined;
  if (refusal === 'invalid_credentials') {
    return new WrongPasswordError('The email or the password is wrong.', { cause });
  }
  const isWrong = onDevice || refusal === 'current_password_wrong';
  return isWrong ? new WrongPasswordError(undefined, { cause }) : cause;
}

/** The comparison of the service: NFKC and lower case. */
export function sameEmail(a: string, b: string): boolean {
  return a.normalize('NFKC').toLowerCase() === b.normalize('NFKC').toLowerCase();
}

/**
 * @returns `undefined` for another password (perhaps it was changed on another device), and where the device
 * keeps what no password can open.
 */
export async function openOnDevice(
  { id, kdf, wrapped }: CachedAccount,
  password: string,
): Promise<AccountKey | undefined> {
  // A device that knows the account by a passkey alone.
  if (!kdf || !wrapped) return undefined;
  try {
    const own = await derivePasswordKeys(password, kdf);
    return (await openPasswordWrap(wrapped, own.wrappingKey, id)).accountKey;
  } catch (error) {
    if (error instanceof IntegrityError || error instanceof KdfRefusedError) return undefined;
    throw error;
  }
}

export function deviceTokenOf({ deviceToken }: ProofOptions): { device_token?: string } {
  return deviceToken === undefined ? {} : { device_token: deviceToken };
}

/** @throws InvalidArgumentError */
export function deviceLabelOf({ deviceLabel }: { deviceLabel?: string }): { device_label?: string } {
  if (deviceLabel === undefined) return {};
  requireText(deviceLabel, 'The label of the device', 64);
  return { device_label: deviceLabel };
}

/** Words that an attacker would try first. */
export function wordsOf(email: string, name?: unknown): string[] {
  return ['health records', email, ...(typeof name === 'string' ? [name] : [])];
}
