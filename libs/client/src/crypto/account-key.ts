import { bytesOfUuid, concatBytes, fromBase64, toBase64, uuidOf, type Bytes } from '../encoding';
import { IntegrityError } from '../errors';
import { idOf } from '../ids';
import { openWrap, rewrapDataKey, WRAPPED_KEY_BYTES, type WrappedKey } from './key-wrapping';
import { LABELS, pseudonymInfo, type KeyPurpose } from './labels';
import { subtle, type Key } from './web-crypto';

const ID_BITS = 128;
const ACCOUNT_ID_BYTES = 16;

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
  purpose: Exclude<KeyPurpose, { purpose: 'profile' | 'chain' | 'identity' }>;
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
    deriveFrom(input, LABELS.accountKeyId()),
    deriveFrom(input, LABELS.accountId()),
  ]);
  return { id: toBase64(id), accountId: idOf(accountId, 8), input };
}

/** A UUID of version 8 that follows from the account key and a text. Without the key it tells nothing of the text. */
export async function pseudonymOf({ input }: AccountKey, text: string): Promise<string> {
  return idOf(await deriveFrom(input, pseudonymInfo(text)), 8);
}

/** @param input the account key, for HKDF. */
export async function deriveFrom(input: Key, info: Bytes, bits = ID_BITS): Promise<Bytes> {
  const derivation = { name: 'HKDF', hash: 'SHA-256', salt: new Uint8Array(), info };
  return new Uint8Array(await subtle().deriveBits(derivation, input, bits));
}

/**
 * Opens the wrap under a password, for this account. An older one names no account.
 * @throws IntegrityError `tampered`
 */
export function openPasswordWrap(wrapped: WrappedKey, under: Key, accountId: string): Promise<OpenedWrap> {
  return openEither(wrapped, under, { purpose: 'password', accountId }, { purpose: 'password' });
}

/** A wrap that a phrase has opened. */
export interface OpenedRecoveryWrap extends OpenedWrap {
  /** The wrap without the name of its account. */
  inner: WrappedKey;
  /** `undefined` for an older wrap, which names none. */
  accountId: string | undefined;
}

/**
 * Opens the wrap under a phrase: it begins with the id of its account (16 bytes), or the id follows from the key.
 * @throws IntegrityError `tampered`
 */
export async function openRecoveryWrap(wrapped: WrappedKey, under: Key): Promise<OpenedRecoveryWrap> {
  const bytes = fromBase64(wrapped.wrapped);
  if (bytes?.length !== ACCOUNT_ID_BYTES + WRAPPED_KEY_BYTES) {
    const opened = await openEither(
      wrapped,
      under,
      { purpose: 'recovery', isBound: true },
      { purpose: 'recovery' },
    );
    const { accountId } = opened.accountKey;
    return { ...opened, inner: wrapped, accountId: opened.isBound ? accountId : undefined };
  }
  const accountId = uuidOf(bytes.subarray(0, ACCOUNT_ID_BYTES));
  const inner = { wrapped: toBase64(bytes.slice(ACCOUNT_ID_BYTES)), iv: wrapped.iv };
  const purpose = { purpose: 'recovery', accountId } as const;
  const accountKey = await openAccountKey(inner, under, purpose);
  return { accountKey, purpose, isBound: true, inner, accountId };
}

/**
 * Wraps an account key under a phrase, with the name of its account: after a replacement of all keys the id does not
 * follow from the key.
 */
export async function wrapForRecovery(
  wrapped: WrappedKey,
  from: Parameters<typeof rewrapDataKey>[1],
  under: Key,
  accountId: string,
): Promise<WrappedKey> {
  const purpose = { purpose: 'recovery', accountId } as const;
  const inner = await rewrapDataKey(wrapped, from, { key: under, purpose });
  return {
    wrapped: toBase64(concatBytes(bytesOfUuid(accountId), fromBase64(inner.wrapped)!)),
    iv: inner.iv,
  };
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
