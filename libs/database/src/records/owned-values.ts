import { isUuid } from '@app/common';

/**
 * Matches no record. It replaces a malformed id, which then has the same cost and the same answer as an
 * unknown id.
 */
const NO_ID = '00000000-0000-0000-0000-000000000000';

/** Returns an id that PostgreSQL accepts. A malformed id runs the same statement, which finds nothing. */
export function safeId(id: string): string {
  return isUuid(id) ? id : NO_ID;
}

/**
 * Keeps only fields that have a value: a DTO's absent fields are own properties with the value `undefined`.
 */
export function defined(values: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}
