import { IntegrityError } from '../errors';
import { canonicalJson, isJsonObject, type JsonObject } from '../json';
import type { RecordPlace } from '../crypto/labels';
import { decryptRecord, encryptRecord, type EncryptedFieldWire } from '../crypto/record-cipher';
import type { Key } from '../crypto/web-crypto';

/**
 * Encrypts the details together with a copy of the plaintext fields, so that a reader can detect changes of
 * them.
 * @throws InvalidArgumentError for details that are too large.
 */
export function sealRecord(details: JsonObject, meta: JsonObject, key: Key, place: RecordPlace) {
  return encryptRecord({ details, meta }, key, place);
}

/**
 * Decrypts details and names the plaintext fields that differ from their encrypted copy.
 * @throws IntegrityError `tampered`, `format_unsupported`
 */
export async function openRecord(
  wire: EncryptedFieldWire,
  meta: JsonObject,
  key: Key,
  place: RecordPlace,
): Promise<{ details: JsonObject; altered: string[] }> {
  const { details, meta: sealed } = await decryptRecord(wire, key, place);
  if (!isJsonObject(details) || !isJsonObject(sealed)) {
    throw new IntegrityError('format_unsupported', 'A record has no details.', {
      kind: place.kind,
      id: place.recordId,
    });
  }
  const altered = Object.keys(meta).filter(
    (name) => canonicalJson(meta[name]) !== canonicalJson(sealed[name]),
  );
  return { details, altered };
}

/** Equal for equal ciphertexts and fields: the tag depends on every bit of the ciphertext. */
export function fingerprintOf(wire: EncryptedFieldWire, meta: JsonObject): string {
  return `${wire.iv} ${wire.ciphertext.slice(-24)} ${canonicalJson(meta)}`;
}
