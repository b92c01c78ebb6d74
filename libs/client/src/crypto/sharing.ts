import { Aes256Gcm, CipherSuite, DhkemX25519HkdfSha256, HkdfSha256 } from '@hpke/core';
import { concatBytes, fromBase64, toBase64, utf8, type Bytes } from '../encoding';
import { IntegrityError, InvalidArgumentError, UnsupportedPlatformError } from '../errors';
import type { AccountKey } from './account-key';
import type { WrappedKey } from './key-wrapping';
import { LABELS, sharingKeyAad } from './labels';
import { openProfileKey, type ProfileKey } from './profile-key';
import { AES_GCM, IV_BYTES, TAG_BYTES, randomBytes, subtle, type Key } from './web-crypto';

const X25519 = { name: 'X25519' } as const;
const PUBLIC_KEY_BYTES = 32;
/** PKCS #8 of an X25519 key is 48 bytes. Source: RFC 8410, section 7. */
const WRAPPED_PRIVATE_KEY_BYTES = 48 + TAG_BYTES;
const EPOCH_BYTES = 4;
const KEY_BYTES = 32;

/** A profile key for one person from another. Both strings are base64. */
export interface SharedKey {
  /** The encapsulated key of HPKE, 32 bytes. */
  encapsulated: string;
  ciphertext: string;
}

/** A key pair of a person as it is stored. */
export interface StoredSharingKeyPair {
  /** Base64 of 32 bytes. */
  publicKey: string;
  /** The private key (PKCS #8), wrapped by the account DEK together with its public key. */
  wrappedPrivateKey: WrappedKey;
}

/** A key pair in memory. The private key is not extractable. */
export interface SharingKeyPair extends StoredSharingKeyPair {
  keys: { publicKey: Key; privateKey: Key };
}

/** RFC 9180: DHKEM(X25519, HKDF-SHA256), HKDF-SHA256, AES-256-GCM. */
const suite = () =>
  new CipherSuite({ kem: new DhkemX25519HkdfSha256(), kdf: new HkdfSha256(), aead: new Aes256Gcm() });

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

function importPublicKey(publicKey: string): Promise<Key> {
  return subtle().importKey('raw', decodePublicKey(publicKey), X25519, true, []);
}

/**
 * A key pair for sharing profiles. Its public key goes to other persons.
 * @throws UnsupportedPlatformError `x25519_unavailable`
 */
export function generateSharingKeyPair(accountKey: Key): Promise<SharingKeyPair> {
  return x25519(async () => {
    // The type declarations of Node do not say that this algorithm returns a key pair.
    const made: unknown = await subtle().generateKey(X25519, true, ['deriveBits']);
    const pair = made as { publicKey: Key; privateKey: Key };
    const publicKey = toBase64(new Uint8Array(await subtle().exportKey('raw', pair.publicKey)));
    const iv = randomBytes(IV_BYTES);
    const algorithm = { name: 'AES-GCM', iv, additionalData: sharingKeyAad(publicKey) };
    const wrapped = await subtle().wrapKey('pkcs8', pair.privateKey, accountKey, algorithm);
    const wrappedPrivateKey = { wrapped: toBase64(new Uint8Array(wrapped)), iv: toBase64(iv) };
    return openSharingKeyPair({ publicKey, wrappedPrivateKey }, accountKey);
  });
}

/**
 * Opens a stored key pair.
 * @throws IntegrityError `tampered` for a private key that does not belong to this account or to this public
 * key: nobody can exchange one of them alone.
 */
export function openSharingKeyPair(stored: StoredSharingKeyPair, accountKey: Key): Promise<SharingKeyPair> {
  return x25519(async () => {
    const { publicKey, wrappedPrivateKey } = stored;
    const wrapped = fromBase64(wrappedPrivateKey.wrapped);
    const iv = fromBase64(wrappedPrivateKey.iv);
    const reference = { kind: 'key:sharing-private-key', id: 'account' };
    if (wrapped?.length !== WRAPPED_PRIVATE_KEY_BYTES || iv?.length !== IV_BYTES) {
      throw new IntegrityError('tampered', 'A wrapped private key has the wrong form.', reference);
    }
    const algorithm = { name: 'AES-GCM', iv, additionalData: sharingKeyAad(publicKey) };
    let privateKey: Key;
    try {
      privateKey = await subtle().unwrapKey('pkcs8', wrapped, accountKey, algorithm, X25519, false, [
        'deriveBits',
      ]);
    } catch (cause) {
      if ((cause as Error)?.name === 'NotSupportedError') throw cause;
      throw new IntegrityError('tampered', 'A wrapped private key does not open.', reference, { cause });
    }
    return {
      publicKey,
      wrappedPrivateKey,
      keys: { publicKey: await importPublicKey(publicKey), privateKey },
    };
  });
}

/**
 * Seals a profile key for another person. The sender's key pair authenticates it: only the sender and the
 * recipient can make it.
 * Source: RFC 9180, section 5.1.3 (auth mode).
 * @throws UnsupportedPlatformError; InvalidArgumentError for a public key of small order; IntegrityError
 * Security: both must know the other's public key from the person. A public key from the service may be the
 * service's own: compare {@link publicKeyFingerprint} first.
 */
export function shareProfileKey(
  profileId: string,
  wrappedProfileKey: WrappedKey,
  account: AccountKey,
  sender: SharingKeyPair,
  recipientPublicKey: string,
): Promise<SharedKey> {
  return x25519(async () => {
    const recipient = await importPublicKey(recipientPublicKey);
    const own = await openProfileKey(wrappedProfileKey, account, profileId, true);
    const raw = new Uint8Array(await subtle().exportKey('raw', own.key));
    const plaintext = concatBytes(new Uint8Array(EPOCH_BYTES), raw);
    new DataView(plaintext.buffer).setUint32(0, own.epoch);
    try {
      const context = await suite().createSenderContext({
        recipientPublicKey: recipient,
        senderKey: sender.keys,
        info: infoOf(profileId),
      });
      const ciphertext = new Uint8Array(await context.seal(plaintext));
      return {
        encapsulated: toBase64(new Uint8Array(context.enc)),
        ciphertext: toBase64(ciphertext),
      };
    } catch (cause) {
      if ((cause as Error)?.name === 'NotSupportedError') throw cause;
      throw new InvalidArgumentError('The public key is not usable.');
    } finally {
      raw.fill(0);
      plaintext.fill(0);
    }
  });
}

/**
 * Opens a profile key that `senderPublicKey` shared with the holder of a key pair.
 * @throws UnsupportedPlatformError, InvalidArgumentError; IntegrityError `tampered` for one that another sender,
 * or the service, has made, or that is for another recipient or profile.
 */
export function openSharedProfileKey(
  profileId: string,
  shared: SharedKey,
  own: SharingKeyPair,
  senderPublicKey: string,
): Promise<ProfileKey> {
  return x25519(async () => {
    const sender = await importPublicKey(senderPublicKey);
    const enc = decodePublicKey(shared.encapsulated);
    const ciphertext = fromBase64(shared.ciphertext);
    const reference = { kind: 'key:share', id: profileId };
    if (ciphertext?.length !== EPOCH_BYTES + KEY_BYTES + TAG_BYTES) {
      throw new IntegrityError('tampered', 'A shared key has the wrong form.', reference);
    }
    let plaintext: Bytes;
    try {
      const context = await suite().createRecipientContext({
        recipientKey: own.keys,
        enc,
        senderPublicKey: sender,
        info: infoOf(profileId),
      });
      plaintext = new Uint8Array(await context.open(ciphertext));
    } catch (cause) {
      if ((cause as Error)?.name === 'NotSupportedError') throw cause;
      const message = 'A shared key is not from this sender for this recipient and profile.';
      throw new IntegrityError('tampered', message, reference, { cause });
    }
    const epoch = new DataView(plaintext.buffer).getUint32(0);
    const raw = plaintext.subarray(EPOCH_BYTES);
    const key = await subtle().importKey('raw', raw, AES_GCM, false, ['encrypt', 'decrypt']);
    plaintext.fill(0);
    return { key, epoch };
  });
}

function infoOf(profileId: string): Bytes {
  return concatBytes(LABELS.share(), utf8(`\n${profileId}`));
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
