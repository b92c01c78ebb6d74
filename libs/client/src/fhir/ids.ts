const UUID = /^(?:urn:uuid:)?([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})$/i;

/** The UUID that the text is; `undefined` for another text. */
export function uuidIn(text: unknown): string | undefined {
  return typeof text === 'string' ? UUID.exec(text)?.[1].toLowerCase() : undefined;
}

/**
 * A UUID that depends on the text alone, so that the same file read twice makes the same records. Version 8, from
 * SHA-256. Source: RFC 9562, section 5.8.
 */
export async function uuidOf(text: string): Promise<string> {
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)));
  hash[6] = 0x80 | (hash[6] & 0x0f);
  hash[8] = 0x80 | (hash[8] & 0x3f);
  const hex = Array.from(hash.subarray(0, 16), (byte) => byte.toString(16).padStart(2, '0')).join('');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}
