const MAX_SHOWN_LENGTH = 64;

/** A field name for an error message. A client's name may be anything, so it is cut. */
export function fieldName(key: string): string {
  const printable = key.slice(0, MAX_SHOWN_LENGTH).replace(/[^\x20-\x7e]/g, '?');
  return key.length > MAX_SHOWN_LENGTH ? `${printable}…` : printable;
}

/** Reads the escapes of ASCII characters. The name of a field has no others. */
export function plainName(source: string): string {
  let name = '';
  let read = 0;
  for (let at = source.indexOf('\\'); at >= 0; at = source.indexOf('\\', read)) {
    name += source.slice(read, at);
    const isAscii = source.startsWith('u00', at + 1);
    read = at + (isAscii ? 6 : 2);
    name += isAscii ? String.fromCharCode(parseInt(source.slice(at + 4, read), 16)) : source.slice(at, read);
  }
  return read === 0 ? source : name + source.slice(read);
}
