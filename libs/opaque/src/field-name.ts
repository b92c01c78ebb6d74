const MAX_SHOWN_LENGTH = 64;

/** A field name for an error message. A client's name may be anything, so it is cut. */
export function fieldName(key: string): string {
  const printable = key.slice(0, MAX_SHOWN_LENGTH).replace(/[^\x20-\x7e]/g, '?');
  return key.length > MAX_SHOWN_LENGTH ? `${printable}…` : printable;
}
