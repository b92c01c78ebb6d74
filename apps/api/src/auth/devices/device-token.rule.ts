import { createHash, randomBytes } from 'node:crypto';

/** 32 random bytes, as 43 characters of base64url. */
export function newDeviceToken(): string {
  return randomBytes(32).toString('base64url');
}

/** SHA-256. A slow hash is not needed, because nobody can guess the token. */
export function hashOfDeviceToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
