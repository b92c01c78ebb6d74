import { uuidOf } from './encoding';
import { InvalidArgumentError } from './errors';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/**
 * A new UUIDv7: 48 bits of milliseconds, then 74 random bits. The client makes the id of a record, because
 * the encryption authenticates it. Source: RFC 9562, section 5.7.
 */
export function newId(nowMs: number = Date.now()): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  for (let at = 0; at < 6; at += 1) bytes[at] = Math.floor(nowMs / 2 ** (40 - 8 * at)) % 256;
  return idOf(bytes, 7);
}

/** A UUID of 16 bytes, whose version and variant replace six bits. Source: RFC 9562, section 4. */
export function idOf(bytes: Uint8Array, version: 7 | 8): string {
  bytes[6] = (version << 4) | (bytes[6] & 0x0f);
  bytes[8] = 0x80 | (bytes[8] & 0x3f);
  return uuidOf(bytes);
}

/**
 * Whether the text is a UUID in canonical lower-case form, the only form that the encryption authenticates.
 */
export function isId(text: unknown): text is string {
  return typeof text === 'string' && UUID.test(text);
}

/**
 * The id in canonical form.
 * @throws InvalidArgumentError when the text is not a UUID.
 */
export function requireId(text: string, what: string): string {
  const id = String(text).toLowerCase();
  if (!isId(id)) throw new InvalidArgumentError(`${what} must be a UUID.`);
  return id;
}
