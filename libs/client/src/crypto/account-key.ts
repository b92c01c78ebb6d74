import { toBase64, type Bytes } from '../encoding';
import { IntegrityError } from '../errors';
import { idOf } from '../ids';
import { openWrap, type WrappedKey } from './key-wrapping';
import { LABELS, pseudonymInfo, type KeyPurpose } from './labels';
import { subtle, type Key } from './web-crypto';

const ID_BITS = 128;

/** The account key in memory. */
export interface AccountKey {
  /** For wrapping only, not extractable. */
  key: Key;
  /** Base64 of 16 bytes, derived from the key. It names the key and tells nothing else about it. */
  id: string;
  /** The id of the account that was made with this key. An older account has another id. */
  accountId: string;
  /** The same key for HKDF only, not extractable. */
  input: Key;
}

/** An account key, and the purpose under which its wrap has opened. */
export interface OpenedWrap {
  accountKey: AccountKey;
  purpose: Exclude<KeyPurpose, { purpose: 'profile' }>;
  /** Whether the wrap itself says to which account the key belongs. */
  isBound: boolean;
}

/**
 * Opens a wrapped account key and derives its id. No script can read the bytes: the wrap is opened twice, once
 * for wrapping and once for HKDF.
 * Source: RFC 5869, with SHA-256 and an empty salt; RFC 9562, section 5.8 (UUID version 8).
 * @throws IntegrityError `tampered` for the wrong wrapping key, a damaged wrap, or one for another purpose.
 */
export async function openAccountKey(
  wrapped: WrappedKey,
  under: Key,
  purpose: OpenedWrap['purpose'],
): Promise<AccountKey> {
  const [key, input] = await Promise.all([
    openWrap(wrapped, under, purpose, { algorithm: 'AES-GCM', usages: ['wrapKey', 'unwrapKey'] }),
    openWrap(wrapped, under, purpose, { algorithm: 'HKDF', usages: ['deriveBits'] }),
  ]);
  return { key, ...(await namesOf(input)) };
}

/** @param input the account key, for HKDF. */
export async function namesOf(input: Key): Promise<Omit<AccountKey, 'key'>> {
  const [id, accountId] = await Promise.all([
    derive(input, LABELS.accountKeyId()),
    derive(input, LABELS.accountId()),
  ]);
  return { id: toBase64(id), accountId: idOf(accountId, 8), input };
}

/** A UUID of version 8 that follows from the account key and a text. Without the key it tells nothing of the text. */
export async function pseudonymOf({ input }: AccountKey, text: string): Promise<string> {
  return idOf(await derive(input, pseudonymInfo(text)), 8);
}

async function derive(input: Key, info: Bytes): Promise<Bytes> {
  const derivation = { name: 'HKDF', hash: 'SHA-256', salt: new Uint8Array(), info };
  return new Uint8Array(await subtle().deriveBits(derivation, input, ID_BITS));
}

/**
 * Opens the wrap under a password, for this account. An older one names no account.
 * @throws IntegrityError `tampered`
 */
export function openPasswordWrap(wrapped: WrappedKey, under: Key, accountId: string): Promise<OpenedWrap> {
  return openEither(wrapped, under, { purpose: 'password', accountId }, { purpose: 'password' });
}

/** Opens the wrap under a phrase. @throws IntegrityError `tampered` */
export function openRecoveryWrap(wrapped: WrappedKey, under: Key): Promise<OpenedWrap> {
  return openEither(wrapped, under, { purpose: 'recovery', isBound: true }, { purpose: 'recovery' });
}

async function openEither(
  wrapped: WrappedKey,
  under: Key,
  bound: OpenedWrap['purpose'],
  older: OpenedWrap['purpose'],
): Promise<OpenedWrap> {
  try {
    return { accountKey: await openAccountKey(wrapped, under, bound), purpose: bound, isBound: true };
  } catch (error) {
    if (!(error instanceof IntegrityError)) throw error;
    return { accountKey: await openAccountKey(wrapped, under, older), purpose: older, isBound: false };
  }
}
