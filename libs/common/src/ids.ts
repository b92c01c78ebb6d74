import { randomFillSync } from 'node:crypto';
import { v7 } from 'uuid';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

const RANDOM_BYTES = 16;
/** A stock of random bytes: one call to the system costs about the same for a few bytes as for many. */
const store = Buffer.allocUnsafeSlow(256 * RANDOM_BYTES);
let used = store.length;

/**
 * A new UUIDv7. It sorts by creation time, so that a primary-key index grows at its end. Source: RFC 9562.
 */
export function newId(): string {
  if (used === store.length) {
    randomFillSync(store);
    used = 0;
  }
  return v7({ random: store.subarray(used, (used += RANDOM_BYTES)) });
}

/** Whether `value` is a UUID of any version in its canonical 36-character form, in upper or lower case. */
export function isUuid(value: unknown): value is string {
  return typeof value === 'string' && UUID.test(value);
}
