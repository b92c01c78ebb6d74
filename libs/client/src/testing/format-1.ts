import { toBase64, utf8 } from '../encoding';
import type { JsonObject } from '../json';
import { recordAad, type RecordPlace } from '../crypto/labels';
import { frame } from '../crypto/padding';
import type { ProfileKey } from '../crypto/profile-key';
import type { EncryptedFieldWire } from '../crypto/record-cipher';

/** Encrypts a record as the first format did. No client writes it any more, and every client reads it. */
export async function encryptAsVersion1(
  record: JsonObject,
  { key }: ProfileKey,
  place: RecordPlace,
): Promise<EncryptedFieldWire> {
  const iv = crypto.getRandomValues(new Uint8Array(12));
  const algorithm = { name: 'AES-GCM', iv, additionalData: recordAad(place, 1) };
  const sealed = await crypto.subtle.encrypt(algorithm, key, frame(utf8(JSON.stringify(record))));
  return { ciphertext: toBase64(new Uint8Array(sealed)), iv: toBase64(iv) };
}
