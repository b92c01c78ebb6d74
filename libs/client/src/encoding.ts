import { InvalidArgumentError } from './errors';

/** Bytes in a plain `ArrayBuffer`, the only kind that WebCrypto accepts. */
export type Bytes = Uint8Array<ArrayBuffer>;

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
/** Limits the arguments of one `String.fromCharCode` call; engines limit their number. */
const CHUNK = 0x8000;

/** UTF-8 without a byte order mark. */
export function utf8(text: string): Bytes {
  return new TextEncoder().encode(text);
}

/**
 * Decodes UTF-8 bytes.
 * @throws TypeError for bytes that are not UTF-8.
 */
export function fromUtf8(bytes: Uint8Array): string {
  return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
}

/** Base64 with the standard alphabet and padding. Source: RFC 4648, section 4. */
export function toBase64(bytes: Uint8Array): string {
  let binary = '';
  for (let at = 0; at < bytes.length; at += CHUNK) {
    binary += String.fromCharCode(...bytes.subarray(at, at + CHUNK));
  }
  return btoa(binary);
}

/**
 * Decodes canonical base64: standard alphabet, padded, no white space. `atob` alone accepts more forms; two
 * forms of one value would make comparisons fail.
 * @returns `undefined` for any other text.
 */
export function fromBase64(text: string): Bytes | undefined {
  if (!BASE64.test(text)) return undefined;
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let at = 0; at < binary.length; at += 1) bytes[at] = binary.charCodeAt(at);
  return toBase64(bytes.subarray(bytes.length - (bytes.length % 3 || 3))) === text.slice(-4)
    ? bytes
    : undefined;
}

/** Base64 with the alphabet for addresses, without padding. Source: RFC 4648, section 5. */
export function toBase64Url(bytes: Uint8Array): string {
  return toBase64(bytes).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

/** @returns `undefined` for any text that {@link toBase64Url} does not make. */
export function fromBase64Url(text: string): Bytes | undefined {
  const bytes = fromBase64(
    text.replaceAll('-', '+').replaceAll('_', '/') + '='.repeat((4 - (text.length % 4)) % 4),
  );
  return bytes && toBase64Url(bytes) === text ? bytes : undefined;
}

/** Joins the parts in their order. */
export function concatBytes(...parts: Uint8Array[]): Bytes {
  const joined = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    joined.set(part, at);
    at += part.length;
  }
  return joined;
}

/**
 * Refuses text with a lone surrogate. Such text has no UTF-8 form, and the encoder would silently replace
 * every lone surrogate by the same character.
 * @throws InvalidArgumentError
 */
export function requireWellFormed(text: string, what: string): void {
  if (/\p{Surrogate}/u.test(text)) throw new InvalidArgumentError(`${what} is not well-formed Unicode.`);
}

/** @param bytes 16 bytes. */
export function uuidOf(bytes: Uint8Array): string {
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

/** The 16 bytes of a UUID. */
export function bytesOfUuid(id: string): Bytes {
  const hex = id.replaceAll('-', '').match(/../g) ?? [];
  return Uint8Array.from(hex, (byte) => Number.parseInt(byte, 16));
}
