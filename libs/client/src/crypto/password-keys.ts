import { fromBase64, requireWellFormed, toBase64, utf8, type Bytes } from '../encoding';
import { InvalidArgumentError, KdfRefusedError } from '../errors';
import { LABELS } from './labels';
import { AES_GCM, subtle, type Key } from './web-crypto';

/** The only key derivation of format version 1. */
export const KDF_NAME = 'pbkdf2-sha256';
/**
 * The client refuses lower numbers, even if the service sends them.
 * Source: OWASP Password Storage Cheat Sheet, PBKDF2-HMAC-SHA-256.
 */
export const MIN_KDF_ITERATIONS = 600_000;
/** The cost of a new password, unless the account has a higher one. */
export const NEW_KDF_ITERATIONS = 1_000_000;
/**
 * The client refuses higher numbers: a hostile service could block the page (10 million take 1.5 to 5 s on
 * usual machines).
 */
export const MAX_KDF_ITERATIONS = 10_000_000;
/** Bounds of the salt, in bytes. Source: NIST SP 800-132, section 5.1 (at least 128 bits). */
export const MIN_SALT_BYTES = 16;
export const MAX_SALT_BYTES = 64;

/** The answer of prelogin: the key-derivation parameters of one email. */
export interface KdfParameters {
  kdf: string;
  iterations: number;
  /** Base64. */
  salt: string;
}

/** The keys of a password. The password and the master key are not kept. */
export interface PasswordKeys {
  /** Base64 of 32 bytes. The service receives it as `password`. */
  authSecret: string;
  /** AES-256-GCM, not extractable, for wrapping only. Never leaves the device. */
  wrappingKey: Key;
}

/**
 * Checks key-derivation parameters.
 * @returns the bytes of the salt.
 * @throws KdfRefusedError for another function, too few or too many iterations, or an invalid salt.
 */
export function checkKdfParameters(parameters: KdfParameters): Bytes {
  const { kdf, iterations } = parameters;
  if (kdf !== KDF_NAME) throw new KdfRefusedError('The service asks for an unknown key derivation.');
  if (!(iterations >= MIN_KDF_ITERATIONS && iterations <= MAX_KDF_ITERATIONS && Number.isInteger(iterations)))
    throw new KdfRefusedError('The service asks for a wrong number of iterations.');
  const salt = typeof parameters.salt === 'string' ? fromBase64(parameters.salt) : undefined;
  if (!salt || salt.length < MIN_SALT_BYTES || salt.length > MAX_SALT_BYTES) {
    throw new KdfRefusedError(`The salt must be ${MIN_SALT_BYTES} to ${MAX_SALT_BYTES} bytes in base64.`);
  }
  return salt;
}

/**
 * The bytes of a password: UTF-8 of its NFKC form, so that different keyboards give the same bytes. Nothing
 * is trimmed. Source: RFC 8265 specifies NFC for passwords; NFKC also unifies full-width and ligature forms.
 * @throws InvalidArgumentError for an empty or ill-formed password.
 */
export function passwordBytes(password: string): Bytes {
  requireWellFormed(password, 'The password');
  if (password === '') throw new InvalidArgumentError('The password is empty.');
  return utf8(password.normalize('NFKC'));
}

/**
 * Derives a key for {@link expand} from a low-entropy secret, with PBKDF2-HMAC-SHA-256. Clears `secret`.
 * Source: RFC 8018, section 5.2.
 */
export async function stretch(secret: Bytes, salt: Uint8Array, iterations: number): Promise<Key> {
  const input = await subtle().importKey('raw', secret, 'PBKDF2', false, ['deriveBits']);
  secret.fill(0);
  const master = new Uint8Array(
    await subtle().deriveBits(
      { name: 'PBKDF2', hash: 'SHA-256', salt: salt as Bytes, iterations },
      input,
      256,
    ),
  );
  const key = await subtle().importKey('raw', master, 'PBKDF2', false, ['deriveBits', 'deriveKey']);
  master.fill(0);
  return key;
}

/**
 * The second derivation: PBKDF2 with one iteration and a label as salt. Its input is already a 256-bit key,
 * so more iterations add nothing. One iteration is HMAC-SHA-256(key, label || 0x00000001), a pseudo-random
 * function.
 */
export function expand(label: Bytes): { name: 'PBKDF2'; hash: 'SHA-256'; salt: Bytes; iterations: 1 } {
  return { name: 'PBKDF2', hash: 'SHA-256', salt: label, iterations: 1 };
}

/** Derives 32 bytes from a stretched secret, as base64. The service may see them. */
export async function deriveSecret(master: Key, label: Bytes): Promise<string> {
  return toBase64(new Uint8Array(await subtle().deriveBits(expand(label), master, 256)));
}

/** Derives an AES-256-GCM key from a stretched secret. Its bytes never enter script memory. */
export function deriveAesKey(
  master: Key,
  label: Bytes,
  usages: ('encrypt' | 'decrypt' | 'wrapKey' | 'unwrapKey')[],
): Promise<Key> {
  return subtle().deriveKey(expand(label), master, AES_GCM, false, usages);
}

/**
 * Derives the keys of a password, byte by byte as in README.md. One derivation with `iterations` takes 0.1 to
 * 0.5 s.
 * @throws KdfRefusedError, InvalidArgumentError
 * Security: the password and the master key never reach the service; the auth secret does not reveal the
 * wrapping key.
 */
export async function derivePasswordKeys(password: string, parameters: KdfParameters): Promise<PasswordKeys> {
  const salt = checkKdfParameters(parameters);
  const master = await stretch(passwordBytes(password), salt, parameters.iterations);
  const [authSecret, wrappingKey] = await Promise.all([
    deriveSecret(master, LABELS.passwordAuth()),
    deriveAesKey(master, LABELS.passwordWrap(), ['wrapKey', 'unwrapKey']),
  ]);
  return { authSecret, wrappingKey };
}
