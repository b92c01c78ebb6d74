import type { Bytes } from '../encoding';
import { IntegrityError } from '../errors';
import { openAccountKey, type AccountKey, type OpenedWrap } from './account-key';
import { rewrapDataKey, type WrappedKey } from './key-wrapping';
import { passkeyWrapInfo, type KeyPurpose } from './labels';
import { AES_GCM, subtle, type Key } from './web-crypto';

/** The passkey of an account that wraps an account key. */
export interface PasskeyPlace {
  accountId: string;
  /** base64url. */
  credentialId: string;
  /** Which account key it wraps. */
  accountKeyId: string;
}

/**
 * The key under which a passkey wraps the account key. Clears `prf`.
 * @param prf 32 bytes, from the authenticator. They never leave the page.
 * Source: RFC 5869, with SHA-256 and an empty salt.
 */
export async function passkeyWrappingKey(
  prf: Bytes,
  { accountId, credentialId }: Pick<PasskeyPlace, 'accountId' | 'credentialId'>,
): Promise<Key> {
  const input = await subtle().importKey('raw', prf, 'HKDF', false, ['deriveKey']);
  prf.fill(0);
  const info = passkeyWrapInfo(accountId, credentialId);
  const derivation = { name: 'HKDF', hash: 'SHA-256', salt: new Uint8Array(), info };
  return subtle().deriveKey(derivation, input, AES_GCM, false, ['wrapKey', 'unwrapKey']);
}

function purposeOf({
  accountId,
  credentialId,
  accountKeyId,
}: PasskeyPlace): KeyPurpose & OpenedWrap['purpose'] {
  return { purpose: 'passkey', accountId, credentialId, accountKeyId };
}

/** Wraps the account key for a passkey. @throws IntegrityError `tampered` when `from` does not open it. */
export function wrapForPasskey(
  wrapped: WrappedKey,
  from: { key: Key; purpose: KeyPurpose },
  under: Key,
  place: PasskeyPlace,
): Promise<WrappedKey> {
  return rewrapDataKey(wrapped, from, { key: under, purpose: purposeOf(place) });
}

/**
 * @throws IntegrityError `tampered` for another passkey or account, or a damaged wrap; `key_mismatch` where it holds
 * another key than `accountKeyId` says.
 */
export async function openPasskeyWrap(
  wrapped: WrappedKey,
  under: Key,
  place: PasskeyPlace,
): Promise<AccountKey> {
  const accountKey = await openAccountKey(wrapped, under, purposeOf(place));
  if (accountKey.id === place.accountKeyId) return accountKey;
  const message = 'A passkey holds another key than its wrap says.';
  throw new IntegrityError('key_mismatch', message, { kind: 'key:passkey', id: 'account' });
}
