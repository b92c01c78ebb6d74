import { v7 } from 'uuid';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** A new UUIDv7. It sorts by creation time, so that a primary-key index grows at its end. Source: RFC 9562. */
export function newId(): string {
  return v7();
}

/** Whether `value` is a UUID of any version in its canonical 36-character form, in upper or lower case. */
export function isUuid(value: unknown): value is string {
  return typeof value === 'string' && UUID.test(value);
}
