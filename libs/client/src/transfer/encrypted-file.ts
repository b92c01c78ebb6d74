import { concatBytes, fromBase64, fromUtf8, toBase64, utf8, type Bytes } from '../encoding';
import { ImportError } from '../errors';
import { isJsonObject, parseJson, type JsonObject } from '../json';
import { LABELS } from '../crypto/labels';
import { frame, unframe } from '../crypto/padding';
import {
  checkKdfParameters,
  deriveAesKey,
  KDF_NAME,
  MIN_KDF_ITERATIONS,
  MIN_SALT_BYTES,
  passwordBytes,
  stretch,
} from '../crypto/password-keys';
import { normalizeRecoveryPhrase } from '../crypto/recovery-phrase';
import { IV_BYTES, randomBytes, subtle, type Key } from '../crypto/web-crypto';

const MAGIC = Uint8Array.of(...[...'HRSEXP'].map((letter) => letter.charCodeAt(0)));
const FILE_VERSION = 1;
/** Magic, version, length of the header (4 bytes, big-endian). */
const PREFIX_BYTES = MAGIC.length + 5;
const MAX_HEADER_BYTES = 4096;

/** The secret of a file: its own password, or a recovery phrase. */
export type FileSecret = { password: string } | { recoveryPhrase: string };

interface FileHeader {
  secret: 'password' | 'recovery-phrase';
  kdf: string;
  iterations: number;
  salt: string;
  cipher: string;
  iv: string;
}

const WRONG_SECRET_KIND = {
  password: 'This file is protected by a password.',
  'recovery-phrase': 'This file is protected by a recovery phrase.',
};

async function fileKey(
  secret: FileSecret,
  salt: Bytes,
  iterations: number,
  usage: 'encrypt' | 'decrypt',
): Promise<Key> {
  const bytes =
    'password' in secret
      ? passwordBytes(secret.password)
      : utf8(await normalizeRecoveryPhrase(secret.recoveryPhrase));
  return deriveAesKey(await stretch(bytes, salt, iterations), LABELS.export(), [usage]);
}

/**
 * Encrypts a document into a self-describing file: magic, version, header (JSON with the key derivation and
 * IV), then AES-256-GCM of the padded JSON. The tag also authenticates all bytes before the ciphertext.
 * Layout in README.md.
 * @throws InvalidArgumentError, RecoveryPhraseError
 */
export async function encryptFile(document: JsonObject, secret: FileSecret): Promise<Bytes> {
  const salt = randomBytes(MIN_SALT_BYTES);
  const iv = randomBytes(IV_BYTES);
  const key = await fileKey(secret, salt, MIN_KDF_ITERATIONS, 'encrypt');
  const header: FileHeader = {
    secret: 'password' in secret ? 'password' : 'recovery-phrase',
    kdf: KDF_NAME,
    iterations: MIN_KDF_ITERATIONS,
    salt: toBase64(salt),
    cipher: 'aes-256-gcm',
    iv: toBase64(iv),
  };
  const headerBytes = utf8(JSON.stringify(header));
  const length = new Uint8Array(4);
  new DataView(length.buffer).setUint32(0, headerBytes.length);
  const head = concatBytes(MAGIC, Uint8Array.of(FILE_VERSION), length, headerBytes);
  const content = frame(utf8(JSON.stringify(document)));
  const sealed = await subtle().encrypt({ name: 'AES-GCM', iv, additionalData: head }, key, content);
  content.fill(0);
  return concatBytes(head, new Uint8Array(sealed));
}

function readHeader(file: Uint8Array): { header: FileHeader; end: number } {
  const malformed = (cause?: unknown) =>
    new ImportError('import_malformed', 'The file is not an encrypted export.', { cause });
  if (file.length < PREFIX_BYTES || MAGIC.some((byte, at) => file[at] !== byte)) throw malformed();
  if (file[MAGIC.length] !== FILE_VERSION) {
    throw new ImportError('import_version', 'The file is of a format that this version does not read.');
  }
  const length = new DataView(file.buffer, file.byteOffset).getUint32(MAGIC.length + 1);
  if (length > MAX_HEADER_BYTES || file.length < PREFIX_BYTES + length) throw malformed();
  const end = PREFIX_BYTES + length;
  let header: unknown;
  try {
    header = parseJson(fromUtf8(file.subarray(PREFIX_BYTES, end)));
  } catch (cause) {
    throw malformed(cause);
  }
  if (!isJsonObject(header) || !(header.secret === 'password' || header.secret === 'recovery-phrase'))
    throw malformed();
  if (header.cipher !== 'aes-256-gcm' || typeof header.iv !== 'string') throw malformed();
  return { header: header as unknown as FileHeader, end };
}

/** Whether the bytes start like an encrypted export, and which kind of secret opens it. */
export function inspectFile(file: Uint8Array): 'password' | 'recovery-phrase' | undefined {
  try {
    return readHeader(file).header.secret;
  } catch {
    return undefined;
  }
}

/**
 * Decrypts a file from {@link encryptFile}.
 * @throws ImportError `import_malformed`, `import_version`, `import_secret_wrong` (also for a damaged file)
 * @throws KdfRefusedError for a header whose key derivation is too cheap or too expensive
 * @throws RecoveryPhraseError
 */
export async function decryptFile(file: Uint8Array, secret: FileSecret): Promise<JsonObject> {
  const { header, end } = readHeader(file);
  if (header.secret !== ('password' in secret ? 'password' : 'recovery-phrase')) {
    throw new ImportError('import_secret_wrong', WRONG_SECRET_KIND[header.secret]);
  }
  const salt = checkKdfParameters(header);
  const iv = fromBase64(header.iv);
  if (iv?.length !== IV_BYTES) throw new ImportError('import_malformed', 'The file has no valid IV.');
  const key = await fileKey(secret, salt, header.iterations, 'decrypt');
  let framed: Uint8Array;
  try {
    const additionalData = Uint8Array.from(file.subarray(0, end));
    const sealed = Uint8Array.from(file.subarray(end));
    framed = new Uint8Array(await subtle().decrypt({ name: 'AES-GCM', iv, additionalData }, key, sealed));
  } catch (cause) {
    throw new ImportError(
      'import_secret_wrong',
      'The password or phrase does not open the file, or it is damaged.',
      {
        cause,
      },
    );
  }
  const content = unframe(framed)?.content;
  try {
    const document = content && parseJson(fromUtf8(content));
    if (isJsonObject(document)) return document;
  } catch {
    // Authentic bytes that are not JSON. The error below reports this.
  }
  throw new ImportError('import_malformed', 'The decrypted file is not a document.');
}
