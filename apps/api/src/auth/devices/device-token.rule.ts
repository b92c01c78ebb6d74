import { createHash, randomBytes } from 'node:crypto';
import { isUuid } from '@app/common';

const ID_BYTES = 16;

/** 32 random bytes, as 43 characters of base64url. */
export function newDeviceToken(): string {
  return randomBytes(32).toString('base64url');
}

/** SHA-256. A slow hash is not needed, because nobody can guess the token. */
export function hashOfDeviceToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

/** The id of a token in the list: the beginning of its hash, written as a UUID. Nobody can guess the token from it. */
export function idOfDeviceToken(hash: Buffer): string {
  const digits = hash.toString('hex', 0, ID_BYTES);
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

/** The beginning of the hash, or `undefined` if the text is no id. */
export function hashPrefixOf(id: string): Buffer | undefined {
  return isUuid(id) ? Buffer.from(id.replaceAll('-', ''), 'hex') : undefined;
}
