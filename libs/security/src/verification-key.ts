import { createHmac, createSecretKey, type KeyObject, timingSafeEqual } from 'node:crypto';
import type { Secrets } from '@app/config';

/** The key that signs tokens. */
export function signingKey(secrets: Secrets): KeyObject {
  return createSecretKey(Buffer.from(secrets.jwtSecret));
}

/**
 * Chooses the key that verifies a token: while the secret is replaced, tokens of both secrets are valid.
 *
 * @returns a function that returns the key by which the token is signed, or the current key for any other token.
 */
export function verificationKeys(secrets: Secrets): (token: string) => KeyObject {
  const present = signingKey(secrets);
  if (secrets.jwtSecretPrevious === undefined) return () => present;
  const previous = createSecretKey(Buffer.from(secrets.jwtSecretPrevious));
  return (token) => (isSignedBy(previous, token) ? previous : present);
}

/** Source: RFC 7515 section 5.2. */
function isSignedBy(key: KeyObject, token: string): boolean {
  const end = token.lastIndexOf('.');
  const signature = Buffer.from(token.slice(end + 1), 'base64url');
  const expected = createHmac('sha256', key)
    .update(token.slice(0, Math.max(end, 0)))
    .digest();
  return signature.length === expected.length && timingSafeEqual(signature, expected);
}
