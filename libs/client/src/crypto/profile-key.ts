import { concatBytes, fromBase64, toBase64, type Bytes } from '../encoding';
import { IntegrityError } from '../errors';
import type { AccountKey } from './account-key';
import { type OpenedAs, openWrap, PROFILE_USAGES, WRAPPED_KEY_BYTES, type WrappedKey } from './key-wrapping';
import { keyAad, LABELS, profileKeyAad } from './labels';
import { IV_BYTES, randomBytes, subtle, type Key } from './web-crypto';

/** The epoch of the first key of a profile. A key that replaces another has the next number. */
export const FIRST_EPOCH = 1;
const ID_BYTES = 16;
const EPOCH_BYTES = 4;
const HMAC = { name: 'HMAC', hash: 'SHA-256', length: 256 } as const;
const WRAP_BYTES = ID_BYTES + EPOCH_BYTES + WRAPPED_KEY_BYTES;

/** The key of a profile in memory. */
export interface ProfileKey {
  key: Key;
  epoch: number;
  /** Former keys, newest first, while not all records are sealed anew. They open, and seal nothing. */
  older?: readonly ProfileKey[];
}

/** The key of a profile, and the one that proves its doses: HMAC-SHA-256 by HKDF. No script can read either. */
export interface OpenProfileKey extends ProfileKey {
  doses: Key;
  older?: readonly OpenProfileKey[];
}

/**
 * Wraps the key of a profile by the account key, format version 2: the id of the account key (16 bytes), the
 * epoch (4 bytes), the encrypted key (48 bytes).
 */
export async function wrapProfileKey(
  { key, epoch }: ProfileKey,
  account: AccountKey,
  profileId: string,
): Promise<WrappedKey> {
  const iv = randomBytes(IV_BYTES);
  const additionalData = profileKeyAad(profileId, epoch, account.id);
  const wrapped = await subtle().wrapKey('raw', key, account.key, { name: 'AES-GCM', iv, additionalData });
  const head = concatBytes(fromBase64(account.id)!, new Uint8Array(EPOCH_BYTES));
  new DataView(head.buffer).setUint32(ID_BYTES, epoch);
  return { wrapped: toBase64(concatBytes(head, new Uint8Array(wrapped))), iv: toBase64(iv) };
}

/** Whether the wrap names neither its account key nor an epoch. This client makes none such. */
export function isWrapOfVersion1({ wrapped }: WrappedKey): boolean {
  return fromBase64(wrapped)?.length === WRAPPED_KEY_BYTES;
}

/** The id of the account key that has made a wrap. @returns `undefined` for one of version 1, which names none. */
export function accountKeyIdIn(wrapped: string): string | undefined {
  const bytes = fromBase64(wrapped);
  return bytes?.length === WRAP_BYTES ? toBase64(bytes.subarray(0, ID_BYTES)) : undefined;
}

/**
 * Opens the key of a profile, of format version 1 or 2.
 * @param extractable `true` only inside one function that wraps the key anew.
 * @throws IntegrityError `tampered` for a damaged wrap or one of another profile; `key_mismatch` for one that
 * another account key has made.
 */
export async function openProfileKey(
  wrapped: WrappedKey,
  account: AccountKey,
  profileId: string,
  extractable = false,
): Promise<OpenProfileKey> {
  const place = { purpose: 'profile', profileId } as const;
  const open = (inner: WrappedKey, epoch: number, aad: Bytes) =>
    openedAs((into) => openWrap(inner, account.key, place, into, aad), epoch, extractable);
  const bytes = fromBase64(wrapped.wrapped);
  if (bytes?.length !== WRAP_BYTES) return open(wrapped, FIRST_EPOCH, keyAad(place));
  const wrappedBy = toBase64(bytes.subarray(0, ID_BYTES));
  if (wrappedBy !== account.id) {
    throw new IntegrityError('key_mismatch', 'The key of a profile is wrapped by another account key.', {
      kind: 'key:profile',
      id: profileId,
    });
  }
  const epoch = new DataView(bytes.buffer).getUint32(ID_BYTES);
  const sealed: Bytes = bytes.slice(ID_BYTES + EPOCH_BYTES);
  const inner = { wrapped: toBase64(sealed), iv: wrapped.iv };
  return open(inner, epoch, profileKeyAad(profileId, epoch, account.id));
}

/** No script can read the bytes: a wrap is opened twice, once for records and once for HKDF. */
export async function openedAs(
  open: (into: OpenedAs) => Promise<Key>,
  epoch: number,
  extractable: boolean,
): Promise<OpenProfileKey> {
  const [key, input] = await Promise.all([
    open({ algorithm: 'AES-GCM', usages: PROFILE_USAGES, extractable }),
    open({ algorithm: 'HKDF', usages: ['deriveKey'] }),
  ]);
  const derivation = { name: 'HKDF', hash: 'SHA-256', salt: new Uint8Array(), info: LABELS.doseProof() };
  const doses = await subtle().deriveKey(derivation, input, HMAC, false, ['sign', 'verify']);
  return { key, epoch, doses };
}
