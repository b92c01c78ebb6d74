import {
  ApiError,
  IntegrityError,
  InvalidArgumentError,
  KdfRefusedError,
  WrongPasswordError,
} from '../errors';
import { openAccountKey, type AccountKey } from '../crypto/account-key';
import { rewrapDataKey, type WrappedKey } from '../crypto/key-wrapping';
import { requireText } from '../records/encrypted-collection';
import type { ProofOptions } from '../records/record-types';
import type { CachedAccount } from '../offline/offline-rows';
import type { KeyPurpose } from '../crypto/labels';
import {
  checkKdfParameters,
  derivePasswordKeys,
  passwordBytes,
  type KdfParameters,
  type PasswordKeys,
} from '../crypto/password-keys';
import type { Key } from '../crypto/web-crypto';
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

/** The key-derivation parameters of an email. */
async function prelogin(http: HttpTransport, email: string, signal?: AbortSignal): Promise<KdfParameters> {
  const answer = await http.send({
    method: 'POST',
    path: '/api/auth/prelogin',
    body: { email },
    replayable: true,
    ...(signal ? { signal } : {}),
  });
  const reader = new ObjectReader(answer.body, 'prelogin');
  return { kdf: reader.text('kdf'), iterations: reader.number('iterations'), salt: reader.text('salt') };
}

/**
 * Fetches the key-derivation parameters of an email, then derives the keys of the password.
 * @throws KdfRefusedError for parameters that would weaken the password.
 */
export async function derivePasswordKeysFor(
  http: HttpTransport,
  email: string,
  password: string,
  signal?: AbortSignal,
): Promise<DerivedKeys> {
  passwordBytes(password).fill(0);
  const parameters = await prelogin(http, email, signal);
  return { ...(await derivePasswordKeys(password, parameters)), parameters };
}

/** The keys of a password, and how they were derived. */
export interface DerivedKeys extends PasswordKeys {
  parameters: KdfParameters;
}

/** The keys of a new password, and the cost that the service must be told. */
export interface NewPasswordKeys extends DerivedKeys {
  newKdf: { new_kdf?: { kdf: string; iterations: number } };
}

/**
 * Derives the keys of a new password at a cost that never falls: the highest of that of the account, that of
 * the email, and the one that this client wants.
 * @throws KdfRefusedError
 */
export async function deriveNewPasswordKeys(
  http: HttpTransport,
  email: string,
  password: string,
  least: number,
  signal?: AbortSignal,
): Promise<NewPasswordKeys> {
  const now = await prelogin(http, email, signal);
  checkKdfParameters(now);
  const iterations = Math.max(least, now.iterations);
  const { kdf } = now;
  const parameters = { ...now, iterations };
  const own = await derivePasswordKeys(password, parameters);
  return {
    ...own,
    parameters,
    newKdf: iterations === now.iterations ? {} : { new_kdf: { kdf, iterations } },
  };
}

/** Reads the account key that the password wraps. @throws ProtocolError */
export function readWrappedAccountKey(body: unknown): WrappedKey {
  const reader = new ObjectReader(body, 'account');
  return { wrapped: reader.text('wrapped_dek'), iv: reader.text('wrapped_dek_iv') };
}

/** Wraps the account key for another secret. The current password opens it. @throws WrongPasswordError */
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
  { kdf, wrapped }: CachedAccount,
  password: string,
): Promise<AccountKey | undefined> {
  try {
    const own = await derivePasswordKeys(password, kdf);
    return await openAccountKey(wrapped, own.wrappingKey, { purpose: 'password' });
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
