import { toBase64 } from '../encoding';
import { openWrap, type WrappedKey } from './key-wrapping';
import { LABELS, type KeyPurpose } from './labels';
import { subtle, type Key } from './web-crypto';

const ID_BITS = 128;

/** The account key in memory. */
export interface AccountKey {
  /** For wrapping only, not extractable. */
  key: Key;
  /** Base64 of 16 bytes, derived from the key. It names the key and tells nothing else about it. */
  id: string;
}

/**
 * Opens a wrapped account key and derives its id. No script can read the bytes: the wrap is opened twice, once
 * for wrapping and once for HKDF.
 * Source: RFC 5869, with SHA-256 and an empty salt.
 * @throws IntegrityError `tampered` for the wrong wrapping key, a damaged wrap, or one for another purpose.
 */
export async function openAccountKey(
  wrapped: WrappedKey,
  under: Key,
  purpose: Extract<KeyPurpose, { purpose: 'password' | 'recovery' }>,
): Promise<AccountKey> {
  const [key, input] = await Promise.all([
    openWrap(wrapped, under, purpose, { algorithm: 'AES-GCM', usages: ['wrapKey', 'unwrapKey'] }),
    openWrap(wrapped, under, purpose, { algorithm: 'HKDF', usages: ['deriveBits'] }),
  ]);
  const derivation = { name: 'HKDF', hash: 'SHA-256', salt: new Uint8Array(), info: LABELS.accountKeyId };
  return { key, id: toBase64(new Uint8Array(await subtle().deriveBits(derivation, input, ID_BITS))) };
}
