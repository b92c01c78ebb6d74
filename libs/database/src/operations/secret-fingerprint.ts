import { createHmac, randomBytes, scrypt as scryptWithCallback, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import type { ScryptOptions } from 'node:crypto';

const scrypt = promisify<string, Buffer, number, ScryptOptions, Buffer>(scryptWithCallback);

/** 16 MiB and some ten milliseconds: it runs at each start. Source: RFC 7914. */
const LOG_COST = 14;
const SALT_BYTES = 16;
const HASH_BYTES = 32;
const SLOW = /^\$scrypt\$ln=(\d{1,2})\$([\w-]+)\$([\w-]+)$/;

/**
 * A fingerprint of a secret, to be stored. Security: a slow and salted hash, so that a stolen database does not
 * help to guess a weak secret.
 */
export async function secretFingerprintOf(secret: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  const hash = await slowHash(secret, salt, LOG_COST);
  return `$scrypt$ln=${LOG_COST}$${salt.toString('base64url')}$${hash.toString('base64url')}`;
}

/** @param name of the secret; a fingerprint of an older version depends on it. */
export async function hasFingerprint(secret: string, name: string, stored: string): Promise<boolean> {
  const [, logCost, salt, hash] = SLOW.exec(stored) ?? [];
  if (hash === undefined) return isEqual(Buffer.from(stored), Buffer.from(fastFingerprint(secret, name)));
  const computed = await slowHash(secret, Buffer.from(salt, 'base64url'), Number(logCost));
  return isEqual(computed, Buffer.from(hash, 'base64url'));
}

/** Whether an older version has stored a fast hash. */
export function isFast(stored: string): boolean {
  return !SLOW.test(stored);
}

function fastFingerprint(secret: string, name: string): string {
  return createHmac('sha256', secret).update(`fingerprint of the ${name} secret`).digest('base64url');
}

function slowHash(secret: string, salt: Buffer, logCost: number): Promise<Buffer> {
  return scrypt(secret, salt, HASH_BYTES, { N: 2 ** logCost, r: 8, p: 1, maxmem: 2 ** (logCost + 11) });
}

function isEqual(one: Buffer, other: Buffer): boolean {
  return one.length === other.length && timingSafeEqual(one, other);
}
