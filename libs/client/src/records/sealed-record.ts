import { IntegrityError, ProtocolError } from '../errors';
import { ObjectReader } from '../http/object-reader';
import { canonicalJson, isJsonObject, type JsonObject } from '../json';
import type { RecordPlace } from '../crypto/labels';
import { readTimes, type EditTimes } from '../crypto/edit-time';
import type { KeyChain } from '../crypto/key-chain';
import type { Ancestry, Lineage } from '../crypto/lineage';
import type { ProfileKey } from '../crypto/profile-key';
import { decryptRecord, encryptRecord, type EncryptedFieldWire } from '../crypto/record-cipher';
import type { OpenedRecords } from './opened-records';

/** What was sealed. The details and the sealed fields are authoritative; the plaintext fields are only hints. */
export interface OpenedSeal<Meta> {
  details: JsonObject;
  /** The sealed copy of the plaintext fields. */
  meta: Meta;
  /** Plaintext fields (wire names) that differ from their sealed copy. */
  altered: string[];
  lineage: Lineage;
  /** When its parts were changed. */
  edited?: EditTimes;
  /** All that was sealed. */
  content: JsonObject;
}

/** The members of a record that are encrypted together. */
export interface SealedContent {
  details: JsonObject;
  /** A copy of the plaintext fields in wire form. */
  meta: JsonObject;
  edited?: EditTimes;
  /** In a profile: the head of its records, and which of them exist. */
  head?: string;
  present?: Record<string, string>;
  proven?: number;
  keyChain?: KeyChain;
}

/**
 * Encrypts the details together with a copy of the plaintext fields.
 * @throws InvalidArgumentError for details that are too large.
 */
export function sealRecord(
  content: SealedContent,
  key: ProfileKey,
  place: RecordPlace,
  ancestry?: Ancestry,
): Promise<EncryptedFieldWire> {
  const { earlier } = ancestry ?? {};
  return encryptRecord({ ...content, ...(earlier && { earlier }) }, key, place, ancestry);
}

/**
 * Decrypts a record, and names the plaintext fields that differ from what was sealed.
 * @param plain the plaintext fields as the service returned them.
 * @param opened what is already decrypted, if that is kept.
 * @throws IntegrityError `tampered`, `format_unsupported`
 */
export async function openRecord<Meta>(
  wire: EncryptedFieldWire,
  plain: JsonObject,
  key: ProfileKey,
  place: RecordPlace,
  readMeta: (sealed: ObjectReader) => Meta,
  opened?: OpenedRecords,
): Promise<OpenedSeal<Meta>> {
  const { content, lineage } = await (opened
    ? opened.open(wire, key, place)
    : decryptRecord(wire, key, place));
  const { details, meta: sealed } = content;
  const meta = isJsonObject(sealed) ? readSealed(sealed, readMeta) : undefined;
  if (!isJsonObject(details) || !isJsonObject(sealed) || meta === undefined) {
    throw new IntegrityError('format_unsupported', 'A record lacks its details or its fields.', {
      kind: place.kind,
      id: place.recordId,
    });
  }
  const altered = Object.keys(plain).filter(
    (name) => canonicalJson(plain[name]) !== canonicalJson(sealed[name]),
  );
  const edited = readTimes(content.edited);
  return { details, meta, altered, lineage, content, ...(edited && { edited }) };
}

function readSealed<Meta>(sealed: JsonObject, read: (reader: ObjectReader) => Meta): Meta | undefined {
  try {
    return read(new ObjectReader(sealed, 'sealed'));
  } catch (error) {
    if (error instanceof ProtocolError) return undefined;
    throw error;
  }
}

/** Equal for equal ciphertexts and fields: the tag depends on every bit of the ciphertext. */
export function fingerprintOf(wire: EncryptedFieldWire, meta: JsonObject): string {
  return `${wire.iv} ${wire.ciphertext.slice(-24)} ${canonicalJson(meta)}`;
}

/** The ciphertext of an answer. @throws ProtocolError */
export function wireOf(reader: ObjectReader): EncryptedFieldWire {
  const blob = reader.object('encrypted_data');
  return { ciphertext: blob.text('ciphertext'), iv: blob.text('iv') };
}

/** Whether a list can omit this record, report it and continue. */
export function isUnreadable(error: unknown): boolean {
  return (
    error instanceof IntegrityError && ['tampered', 'format_unsupported', 'rolled_back'].includes(error.code)
  );
}

/** The answer to a request for one record is another one. */
export function anotherRecord(kind: string, id: string): IntegrityError {
  const message = 'The service returned another record than the one asked for.';
  return new IntegrityError('tampered', message, { kind, id });
}
