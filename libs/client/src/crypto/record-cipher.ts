import { fromBase64, fromUtf8, toBase64, utf8, type Bytes } from '../encoding';
import { IntegrityError, InvalidArgumentError } from '../errors';
import { isJsonObject, parseJson, type JsonObject } from '../json';
import { recordAad, type RecordPlace } from './labels';
import {
  earlierIn,
  FIRST_GENERATION,
  FRAME_HEAD_BYTES,
  readFrameHead,
  writeFrameHead,
  type Ancestry,
  type Lineage,
} from './lineage';
import { frame, unframe } from './padding';
import { FIRST_EPOCH, type ProfileKey } from './profile-key';
import { IV_BYTES, TAG_BYTES, randomBytes, subtle } from './web-crypto';

/** An encrypted field in wire form; both are base64. The tag is the last 16 bytes of the ciphertext. */
export interface EncryptedFieldWire {
  ciphertext: string;
  iv: string;
}

/** A decrypted record. */
export interface OpenedRecord {
  content: JsonObject;
  lineage: Lineage;
}

/** The service refuses blobs above 256 KiB of JSON text. */
export const MAX_BLOB_BYTES = 256 * 1024;

/**
 * Encrypts a record for one place, in format version 2: AES-256-GCM of the padded JSON under a new random IV.
 * One key can encrypt 2^32 records.
 * Source: NIST SP 800-38D, section 8.3.
 * @param ancestry default: a new record.
 * @throws InvalidArgumentError when the record is larger than the service allows.
 */
export async function encryptRecord(
  record: JsonObject,
  { key, epoch }: ProfileKey,
  place: RecordPlace,
  ancestry: Ancestry = { generation: FIRST_GENERATION, previous: null },
): Promise<EncryptedFieldWire> {
  const iv = randomBytes(IV_BYTES);
  const content = frame(utf8(JSON.stringify(record)), writeFrameHead(epoch, ancestry));
  const algorithm = { name: 'AES-GCM', iv, additionalData: recordAad(place, 2) };
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
 * Decrypts a record of one place, of format version 2 or 1, with the newest key or a former one.
 * @throws IntegrityError `tampered`: the record was changed, or was encrypted for another record, profile or
 * kind, or with another key; `format_unsupported`: the record is authentic but has another format.
 */
export async function decryptRecord(
  wire: EncryptedFieldWire,
  profileKey: ProfileKey,
  place: RecordPlace,
): Promise<OpenedRecord> {
  const reference = { kind: place.kind, id: place.recordId };
  const ciphertext = fromBase64(wire.ciphertext);
  const iv = fromBase64(wire.iv);
  if (!ciphertext || ciphertext.length < TAG_BYTES || iv?.length !== IV_BYTES) {
    throw new IntegrityError('tampered', 'A ciphertext has the wrong form.', reference);
  }
  const state = toBase64(ciphertext.subarray(-TAG_BYTES));
  const openWith = async ({ key, epoch }: ProfileKey): Promise<OpenedRecord | undefined> => {
    const open = async (version: 1 | 2): Promise<Bytes> => {
      const algorithm = { name: 'AES-GCM', iv, additionalData: recordAad(place, version) };
      return new Uint8Array(await subtle().decrypt(algorithm, key, ciphertext));
    };
    return open(2).then(
      (framed) => readFrame(framed, epoch, state),
      async () => readFrameOfVersion1(await open(1), epoch, state),
    );
  };
  let opened: OpenedRecord | undefined;
  try {
    opened = await (profileKey.older ?? []).reduce(
      (opening, older) => opening.catch(() => openWith(older)),
      openWith(profileKey),
    );
  } catch (cause) {
    const message = 'A ciphertext is not the one that was stored in this place.';
    throw new IntegrityError('tampered', message, reference, { cause });
  }
  if (opened) return opened;
  throw new IntegrityError(
    'format_unsupported',
    'A record is of a format that this version does not read.',
    reference,
  );
}

function readFrame(framed: Uint8Array, epoch: number, state: string): OpenedRecord | undefined {
  const found = unframe(framed, 2, FRAME_HEAD_BYTES);
  const head = found && readFrameHead(found.head);
  const content = found && readContent(found.content);
  if (!head || !content || head.epoch !== epoch) return undefined;
  const { generation, previous } = head;
  const named = { ...earlierIn(content.earlier, previous), ...(epoch > FIRST_EPOCH && { epoch }) };
  return { content, lineage: { generation, previous, state, ...named } };
}

/** Version 1 knows no lineage and no epoch: such a record is the first generation, under the first key. */
function readFrameOfVersion1(framed: Uint8Array, epoch: number, state: string): OpenedRecord | undefined {
  const found = unframe(framed);
  const content = found && readContent(found.content);
  if (!content || epoch !== FIRST_EPOCH) return undefined;
  return { content, lineage: { generation: FIRST_GENERATION, previous: null, state } };
}

function readContent(bytes: Uint8Array): JsonObject | undefined {
  try {
    const content = parseJson(fromUtf8(bytes));
    return isJsonObject(content) ? content : undefined;
  } catch {
    // Authentic bytes that are not JSON come from another format.
    return undefined;
  }
}
