import { fromBase64, toBase64, type Bytes } from '../encoding';
import { IntegrityError } from '../errors';
import { keyAad, type KeyPurpose } from './labels';
import { AES_GCM, IV_BYTES, TAG_BYTES, randomBytes, subtle, type Key } from './web-crypto';

/** A wrapped key in wire form: base64 of 48 bytes (key and tag) and base64 of 12 bytes. */
export interface WrappedKey {
  wrapped: string;
  iv: string;
}

const KEY_BYTES = 32;
/** Bytes of a wrapped AES-256 key. */
export const WRAPPED_KEY_BYTES = KEY_BYTES + TAG_BYTES;
const ACCOUNT_USAGES = ['wrapKey', 'unwrapKey'] as const;
/** A profile's newest key wraps the former ones. */
export const PROFILE_USAGES = ['encrypt', 'decrypt', 'wrapKey', 'unwrapKey'] as const;

function usagesOf({ purpose }: KeyPurpose): ('encrypt' | 'decrypt' | 'wrapKey' | 'unwrapKey')[] {
  return [...(purpose === 'profile' || purpose === 'chain' ? PROFILE_USAGES : ACCOUNT_USAGES)];
}

/**
 * A new random data key. It is extractable so that it can be wrapped. Use it only inside one function; only
 * keys from {@link unwrapDataKey} stay in memory.
 */
export function generateDataKey(tier: 'account' | 'profile'): Promise<Key> {
  return subtle().generateKey(AES_GCM, true, [...(tier === 'account' ? ACCOUNT_USAGES : PROFILE_USAGES)]);
}

/**
 * Wraps a data key with AES-256-GCM under a fresh IV; its purpose (and profile) is authenticated.
 * Source: NIST SP 800-38D; WebCrypto `wrapKey` of the raw form.
 */
export async function wrapDataKey(dataKey: Key, under: Key, purpose: KeyPurpose): Promise<WrappedKey> {
  const iv = randomBytes(IV_BYTES);
  const wrapped = await subtle().wrapKey('raw', dataKey, under, {
    name: 'AES-GCM',
    iv,
    additionalData: keyAad(purpose),
  });
  return { wrapped: toBase64(new Uint8Array(wrapped)), iv: toBase64(iv) };
}

/** What a wrap becomes when it is opened. */
export interface OpenedAs {
  algorithm: 'AES-GCM' | 'HKDF' | { name: 'HMAC'; hash: 'SHA-256'; length: number };
  usages: readonly ('encrypt' | 'decrypt' | 'wrapKey' | 'unwrapKey' | 'deriveBits' | 'deriveKey' | 'sign')[];
  extractable?: boolean;
  /** Of the key. Default: 32. */
  bytes?: number;
}

/**
 * Opens a wrap into a key for the given use.
 * @throws IntegrityError `tampered`
 */
export async function openWrap(
  key: WrappedKey,
  under: Key,
  purpose: KeyPurpose,
  into: OpenedAs,
  additionalData: Bytes = keyAad(purpose),
): Promise<Key> {
  const wrapped = fromBase64(key.wrapped);
  const iv = fromBase64(key.iv);
  const reference = {
    kind: `key:${purpose.purpose}`,
    id: 'profileId' in purpose ? purpose.profileId : 'account',
  };
  const { algorithm, usages, extractable = false, bytes = KEY_BYTES } = into;
  if (wrapped?.length !== bytes + TAG_BYTES || iv?.length !== IV_BYTES) {
    throw new IntegrityError('tampered', 'A wrapped key has the wrong form.', reference);
  }
  const cipher = { name: 'AES-GCM', iv, additionalData };
  try {
    return await subtle().unwrapKey('raw', wrapped, under, cipher, algorithm, extractable, [...usages]);
  } catch (cause) {
    throw new IntegrityError(
      'tampered',
      'A wrapped key does not open with this key in this place.',
      reference,
      {
        cause,
      },
    );
  }
}

/**
 * Opens a wrapped data key. No script can read the bytes of the result.
 * @throws IntegrityError `tampered` for the wrong wrapping key, or a key wrapped for another purpose or
 * profile.
 */
export function unwrapDataKey(key: WrappedKey, under: Key, purpose: KeyPurpose): Promise<Key> {
  return openWrap(key, under, purpose, { algorithm: 'AES-GCM', usages: usagesOf(purpose) });
}

/**
 * Wraps a data key again, for a new password, phrase or person. The extractable key never leaves this
 * function.
 * @throws IntegrityError `tampered` when `from` does not open it.
 */
export async function rewrapDataKey(
  key: WrappedKey,
  from: { key: Key; purpose: KeyPurpose },
  to: { key: Key; purpose: KeyPurpose },
): Promise<WrappedKey> {
  const into = { algorithm: 'AES-GCM', usages: usagesOf(from.purpose), extractable: true } as const;
  return wrapDataKey(await openWrap(key, from.key, from.purpose, into), to.key, to.purpose);
}
