const MAX_SHOWN_LENGTH = 64;

/** A field name for an error message. A client's name may be anything, so it is cut. */
export function fieldName(key: string): string {
  const printable = key.slice(0, MAX_SHOWN_LENGTH).replace(/[^\x20-\x7e]/g, '?');
  return key.length > MAX_SHOWN_LENGTH ? `${printable}…` : printable;
}

const BACKSLASH = 0x5c;
const LOWER_U = 0x75;

/**
 * Whether a name in JSON is this one.
 *
 * @param name has no character that JSON escapes by one letter, as `\n`.
 * @param units the text of the JSON; the name is between `from` and `to`, without its quotes.
 */
export function isName(name: string, units: Uint8Array | Uint16Array, from: number, to: number): boolean {
  let at = from;
  for (let index = 0; index < name.length; index++) {
    let unit = units[at++];
    if (unit === BACKSLASH && units[at] === LOWER_U) {
      unit = 0;
      for (const end = at + 4; at < end;) unit = unit * 16 + hexDigit(units[++at]);
      at++;
    }
    if (unit !== name.charCodeAt(index)) return false;
  }
  return at === to;
}

/** The value of a hexadecimal digit. It has no meaning for another character: then the text is not JSON. */
function hexDigit(unit: number): number {
  return unit < 0x41 ? unit - 0x30 : (unit | 0x20) - 0x57;
}
