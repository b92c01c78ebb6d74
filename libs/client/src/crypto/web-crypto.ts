import { UnsupportedPlatformError } from '../errors';
import type { Bytes } from '../encoding';

/** The type `CryptoKey` under another name. It type-checks with and without the DOM library. */
export type Key = Awaited<ReturnType<typeof globalThis.crypto.subtle.unwrapKey>>;

/** AES-256-GCM as WebCrypto names it. Source: NIST SP 800-38D. */
export const AES_GCM = { name: 'AES-GCM', length: 256 } as const;
/** Bytes of an AES-GCM IV. Every IV is random. */
export const IV_BYTES = 12;
/** Bytes of the AES-GCM tag, at the end of the ciphertext. */
export const TAG_BYTES = 16;

/**
 * WebCrypto's `subtle`.
 * @throws UnsupportedPlatformError `webcrypto_unavailable`: browsers provide WebCrypto only in a secure
 * context.
 */
export function subtle(): typeof globalThis.crypto.subtle {
  const found = globalThis.crypto?.subtle;
  if (!found) {
    throw new UnsupportedPlatformError(
      'webcrypto_unavailable',
      'WebCrypto is missing: serve the page over https or from localhost.',
    );
  }
  return found;
}

/** Random bytes from the generator of the platform. */
export function randomBytes(count: number): Bytes {
  return globalThis.crypto.getRandomValues(new Uint8Array(count));
}
