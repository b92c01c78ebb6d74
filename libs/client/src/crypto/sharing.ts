import { concatBytes, fromBase64, toBase64, utf8, type Bytes } from '../encoding';
import { IntegrityError, InvalidArgumentError, UnsupportedPlatformError } from '../errors';
import type { AccountKey } from './account-key';
import { unwrapDataKey, wrapDataKey, type WrappedKey } from './key-wrapping';
import { FIRST_EPOCH, openProfileKey, type ProfileKey } from './profile-key';
import { keyAad, LABELS } from './labels';
import { IV_BYTES, TAG_BYTES, randomBytes, subtle, type Key } from './web-crypto';

const X25519 = { name: 'X25519' } as const;
const PUBLIC_KEY_BYTES = 32;
/** PKCS #8 of an X25519 key is 48 bytes. Source: RFC 8410, section 7. */
const WRAPPED_PRIVATE_KEY_BYTES = 48 + TAG_BYTES;

/** A profile key wrapped to a person's public key. All strings are base64. */
export interface SharedKey {
  ephemeralPublicKey: string;
  wrapped: string;
  iv: string;
}

/** A person's key pair for receiving shared profiles. */
export interface SharingKeyPair {
  /** Base64 of 32 bytes. */
  publicKey: string;
  /** Not extractable. */
  privateKey: Key;
  /** The private key (PKCS #8), wrapped by the account DEK, for storage. */
  wrappedPrivateKey: WrappedKey;
}

async function x25519<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (cause) {
    if ((cause as Error)?.name === 'NotSupportedError') {
      throw new UnsupportedPlatformError('x25519_unavailable', 'This platform has no X25519 in WebCrypto.', {
        cause,
      });
    }
    throw cause;
  }
}

/** Whether the platform has X25519 (Node 20, Chromium 133, Firefox 130, Safari 17). */
export async function isSharingSupported(): Promise<boolean> {
  try {
    await subtle().generateKey(X25519, false, ['deriveBits']);
    return true;
  } catch {
    return false;
  }
}

function decodePublicKey(publicKey: string): Bytes {
  const bytes = fromBase64(publicKey);
  if (bytes?.length !== PUBLIC_KEY_BYTES) {
    throw new InvalidArgumentError('An X25519 public key is 32 bytes in base64.');
  }
  return bytes;
}

/**
 * The key that both sides compute: X25519, then HKDF-SHA-256. The salt is both public keys; the info holds
 * the profile.
 * Source: RFC 7748, section 6.1; RFC 5869.
 * @throws InvalidArgumentError for a public key of small order, because everybody knows its shared secret.
 */
async function agree(
  privateKey: Key,
  theirPublic: Bytes,
  salt: Bytes,
  profileId: string,
  usage: 'wrapKey' | 'unwrapKey',
): Promise<Key> {
  const theirs = await subtle().importKey('raw', theirPublic, X25519, false, []);
  let secret: Bytes;
  try {
    secret = new Uint8Array(await subtle().deriveBits({ ...X25519, public: theirs }, privateKey, 256));
  } catch (cause) {
    if ((cause as Error)?.name !== 'OperationError') throw cause;
    throw new InvalidArgumentError('The public key is not usable.');
  }
  if (secret.every((byte) => byte === 0)) throw new InvalidArgumentError('The public key is not usable.');
  const input = await subtle().importKey('raw', secret, 'HKDF', false, ['deriveKey']);
  secret.fill(0);
  const info = concatBytes(LABELS.share, utf8(`\n${profileId}`));
  return subtle().deriveKey(
    { name: 'HKDF', hash: 'SHA-256', salt, info },
    input,
    { name: 'AES-GCM', length: 256 },
    false,
    [usage],
  );
}

async function generatePair(extractable: boolean): Promise<{ publicKey: Key; privateKey: Key }> {
  // The type declarations of Node do not say that this algorithm returns a key pair.
  const pair: unknown = await subtle().generateKey(X25519, extractable, ['deriveBits']);
  return pair as { publicKey: Key; privateKey: Key };
}

/**
 * A key pair for receiving shared profiles.
 * @throws UnsupportedPlatformError `x25519_unavailable`
 */
export function generateSharingKeyPair(accountKey: Key): Promise<SharingKeyPair> {
  return x25519(async () => {
    const pair = await generatePair(true);
    const iv = randomBytes(IV_BYTES);
    const algorithm = { name: 'AES-GCM', iv, additionalData: keyAad({ purpose: 'sharing-private-key' }) };
    const wrapped = await subtle().wrapKey('pkcs8', pair.privateKey, accountKey, algorithm);
    const wrappedPrivateKey = { wrapped: toBase64(new Uint8Array(wrapped)), iv: toBase64(iv) };
    return {
      publicKey: toBase64(new Uint8Array(await subtle().exportKey('raw', pair.publicKey))),
      privateKey: await unwrapSharingPrivateKey(wrappedPrivateKey, accountKey),
      wrappedPrivateKey,
    };
  });
}

/**
 * Opens a stored private key.
 * @throws IntegrityError `tampered`
 */
export function unwrapSharingPrivateKey(key: WrappedKey, accountKey: Key): Promise<Key> {
  return x25519(async () => {
    const wrapped = fromBase64(key.wrapped);
    const iv = fromBase64(key.iv);
    const reference = { kind: 'key:sharing-private-key', id: 'account' };
    if (wrapped?.length !== WRAPPED_PRIVATE_KEY_BYTES || iv?.length !== IV_BYTES) {
      throw new IntegrityError('tampered', 'A wrapped private key has the wrong form.', reference);
    }
    const algorithm = { name: 'AES-GCM', iv, additionalData: keyAad({ purpose: 'sharing-private-key' }) };
    try {
      return await subtle().unwrapKey('pkcs8', wrapped, accountKey, algorithm, X25519, false, ['deriveBits']);
    } catch (cause) {
      if ((cause as Error)?.name === 'NotSupportedError') throw cause;
      throw new IntegrityError('tampered', 'A wrapped private key does not open.', reference, { cause });
    }
  });
}

/**
 * Wraps a profile key to a person's public key. The account DEK wraps the given key.
 * @throws UnsupportedPlatformError, InvalidArgumentError, IntegrityError
 * Security: the result does not prove who wrapped the key, or who owns the public key. Compare
 * {@link publicKeyFingerprint} with that person first.
 */
export function shareProfileKey(
  profileId: string,
  wrappedProfileKey: WrappedKey,
  account: AccountKey,
  recipientPublicKey: string,
): Promise<SharedKey> {
  return x25519(async () => {
    const recipient = decodePublicKey(recipientPublicKey);
    const pair = await generatePair(false);
    const ephemeral = new Uint8Array(await subtle().exportKey('raw', pair.publicKey));
    const salt = concatBytes(ephemeral, recipient);
    const key = await agree(pair.privateKey, recipient, salt, profileId, 'wrapKey');
    const own = await openProfileKey(wrappedProfileKey, account, profileId, true);
    const shared = await wrapDataKey(own.key, key, { purpose: 'share', profileId });
    return { ephemeralPublicKey: toBase64(ephemeral), ...shared };
  });
}

/**
 * Opens a profile key that was shared with the holder of a key pair.
 * @throws UnsupportedPlatformError, InvalidArgumentError, IntegrityError
 */
export function openSharedProfileKey(
  profileId: string,
  shared: SharedKey,
  own: Pick<SharingKeyPair, 'publicKey' | 'privateKey'>,
): Promise<ProfileKey> {
  return x25519(async () => {
    const ephemeral = decodePublicKey(shared.ephemeralPublicKey);
    const salt = concatBytes(ephemeral, decodePublicKey(own.publicKey));
    const key = await agree(own.privateKey, ephemeral, salt, profileId, 'unwrapKey');
    const opened = await unwrapDataKey(shared, key, { purpose: 'share', profileId });
    return { key: opened, epoch: FIRST_EPOCH };
  });
}

/**
 * Six groups of five digits from the SHA-256 of the key (about 99 bits). Two people can compare them by
 * voice.
 */
export async function publicKeyFingerprint(publicKey: string): Promise<string> {
  const digest = new Uint8Array(await subtle().digest('SHA-256', decodePublicKey(publicKey)));
  const view = new DataView(digest.buffer);
  const groups = Array.from({ length: 6 }, (_, at) => {
    const fortyBits = view.getUint8(at * 5) * 2 ** 32 + view.getUint32(at * 5 + 1);
    return String(fortyBits % 100_000).padStart(5, '0');
  });
  return groups.join(' ');
}
