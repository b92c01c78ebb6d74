import { fromBase64, fromUtf8, toBase64, utf8 } from '../encoding';
import { IntegrityError, InvalidArgumentError } from '../errors';
import { isJsonObject, parseJson, type JsonObject } from '../json';
import { recordAad, type RecordPlace } from './labels';
import { frame, unframe } from './padding';
import { IV_BYTES, randomBytes, subtle, type Key } from './web-crypto';

/** An encrypted field in wire form; both are base64. The tag is the last 16 bytes of the ciphertext. */
export interface EncryptedFieldWire {
  ciphertext: string;
  iv: string;
}

/** The service refuses blobs above 256 KiB of JSON text. */
export const MAX_BLOB_BYTES = 256 * 1024;

/**
 * Encrypts a record for one place: AES-256-GCM of the padded JSON under a new random IV. One key can encrypt
 * 2^32 records.
 * Source: NIST SP 800-38D, section 8.3.
 * @throws InvalidArgumentError when the record is larger than the service allows.
 */
export async function encryptRecord(
  record: JsonObject,
  key: Key,
  place: RecordPlace,
): Promise<EncryptedFieldWire> {
  const iv = randomBytes(IV_BYTES);
  const content = frame(utf8(JSON.stringify(record)));
  const algorithm = { name: 'AES-GCM', iv, additionalData: recordAad(place) };
  const wire = {
    ciphertext: toBase64(new Uint8Array(await subtle().encrypt(algorithm, key, content))),
    iv: toBase64(iv),
  };
  content.fill(0);
  if (JSON.stringify(wire).length > MAX_BLOB_BYTES) {
    throw new InvalidArgumentError('The record is too large: about 190 kB are the most.');
  }
  return wire;
}

/**
 * Decrypts a record of one place.
 * @throws IntegrityError `tampered`: the record was changed, or was encrypted for another record, profile or
 * kind, or with another key; `format_unsupported`: the record is authentic but has another format.
 */
export async function decryptRecord(
  wire: EncryptedFieldWire,
  key: Key,
  place: RecordPlace,
): Promise<JsonObject> {
  const reference = { kind: place.kind, id: place.recordId };
  const ciphertext = fromBase64(wire.ciphertext);
  const iv = fromBase64(wire.iv);
  if (!ciphertext || iv?.length !== IV_BYTES) {
    throw new IntegrityError('tampered', 'A ciphertext has the wrong form.', reference);
  }
  let framed: Uint8Array;
  try {
    const algorithm = { name: 'AES-GCM', iv, additionalData: recordAad(place) };
    framed = new Uint8Array(await subtle().decrypt(algorithm, key, ciphertext));
  } catch (cause) {
    throw new IntegrityError(
      'tampered',
      'A ciphertext is not the one that was stored in this place.',
      reference,
      {
        cause,
      },
    );
  }
  const content = unframe(framed);
  try {
    const record = content && parseJson(fromUtf8(content));
    if (isJsonObject(record)) return record;
  } catch {
    // Authentic bytes that are not JSON come from another format. The error below reports this.
  }
  throw new IntegrityError(
    'format_unsupported',
    'A record is of a format that this version does not read.',
    reference,
  );
}
