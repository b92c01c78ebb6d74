import { createHash, randomBytes } from 'node:crypto';
import { isUuid } from '@app/common';

const ID_BYTES = 16;
const SECRET_BYTES = 32;

/**
 * The one-time code of a link: the account's id, by which its row is found without a search, and 32 random bytes.
 *
 * @returns base64url, 64 characters.
 */
export function newVerificationToken(accountId: string): string {
  const id = Buffer.from(accountId.replaceAll('-', ''), 'hex');
  return Buffer.concat([id, randomBytes(SECRET_BYTES)]).toString('base64url');
}

/** @returns `undefined` for a text that no link has. */
export function accountOfVerificationToken(token: string): string | undefined {
  const bytes = Buffer.from(token, 'base64url');
  if (bytes.length !== ID_BYTES + SECRET_BYTES || bytes.toString('base64url') !== token) return undefined;
  const id = bytes
    .subarray(0, ID_BYTES)
    .toString('hex')
    .replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
  return isUuid(id) ? id : undefined;
}

/** What is stored. A fast hash is enough for 32 random bytes. */
export function hashOfVerificationToken(token: string): string {
  return createHash('sha256').update(token).digest('base64url');
}
