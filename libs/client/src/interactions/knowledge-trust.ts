import { subtle } from '../crypto/web-crypto';
import { fromBase64, utf8, type Bytes } from '../encoding';
import { IntegrityError, InvalidArgumentError, UnsupportedPlatformError } from '../errors';
import type { StorageArea } from '../http/session-store';
import { isJsonObject, parseJson, type Json, type JsonObject } from '../json';

/** Which knowledge bases the client accepts for checks on the device. */
export interface KnowledgeTrustOptions {
  /** The operator's Ed25519 keys, each in base64 of 32 bytes. One of them must have signed the base. */
  publicKeys: readonly string[];
  /**
   * Where the newest accepted edition is remembered: `localStorage` in a browser. Default: the memory of this client, so
   * that another start accepts an older base again.
   */
  storage?: Pick<StorageArea, 'getItem' | 'setItem'>;
}

/** The version and the time of the signature of an edition. */
interface Edition {
  version: readonly number[];
  signedAt: string;
}

const STORAGE_KEY = 'health-records/knowledge';
const PUBLIC_KEY_BYTES = 32;
const ED25519 = { name: 'Ed25519' } as const;

/**
 * Accepts only bases that the operator has signed, and none that is older than one accepted before.
 * Security: a service that omits a warning must alter the base or serve an older one. A device that has never seen a base
 * accepts any signed edition.
 */
export class KnowledgeTrust {
  readonly #keys: readonly Bytes[];
  readonly #storage: Pick<StorageArea, 'getItem' | 'setItem'> | undefined;
  #newest: string | null = null;

  /** @throws InvalidArgumentError for a key that is not base64 of 32 bytes, or without a key. */
  constructor({ publicKeys, storage }: KnowledgeTrustOptions) {
    this.#keys = publicKeys.map(decodeKey);
    if (this.#keys.length === 0) throw new InvalidArgumentError('`publicKeys` needs a key.');
    this.#storage = storage;
  }

  /**
   * @returns a function that remembers this edition as the newest; call it when the base is in use.
   * @throws IntegrityError `knowledge_altered` without a valid signature, `knowledge_outdated` for an edition older than
   * an accepted one; UnsupportedPlatformError `ed25519_unavailable`
   */
  async accept(base: JsonObject): Promise<() => void> {
    const { signature, version } = base;
    const { signed_at: signedAt, value } = isJsonObject(signature) ? signature : {};
    const signatureBytes = typeof value === 'string' ? fromBase64(value) : undefined;
    const edition = editionOf(version, signedAt);
    if (!edition || !signatureBytes || !(await this.#isSigned(base, edition.signedAt, signatureBytes))) {
      throw new IntegrityError('knowledge_altered', 'The knowledge base is not signed by the operator.');
    }
    const newest = this.#read();
    if (newest && isOlder(edition, newest)) {
      throw new IntegrityError(
        'knowledge_outdated',
        'The knowledge base is older than one that this device has used.',
      );
    }
    return () => this.#write(JSON.stringify({ version, signed_at: signedAt }));
  }

  async #isSigned(base: JsonObject, signedAt: string, signature: Bytes): Promise<boolean> {
    const text = utf8(signedText(base, signedAt));
    for (const key of this.#keys) {
      try {
        const publicKey = await subtle().importKey('raw', key, ED25519, false, ['verify']);
        if (await subtle().verify(ED25519, publicKey, signature, text)) return true;
      } catch (cause) {
        if ((cause as Error)?.name !== 'NotSupportedError') throw cause;
        throw new UnsupportedPlatformError(
          'ed25519_unavailable',
          'This platform has no Ed25519 in WebCrypto.',
          {
            cause,
          },
        );
      }
    }
    return false;
  }

  #read(): Edition | undefined {
    const text = this.#storage ? this.#storage.getItem(STORAGE_KEY) : this.#newest;
    if (text === null) return undefined;
    let stored: Json;
    try {
      stored = parseJson(text);
    } catch {
      return undefined;
    }
    return isJsonObject(stored) ? editionOf(stored.version, stored.signed_at) : undefined;
  }

  #write(text: string): void {
    this.#newest = text;
    this.#storage?.setItem(STORAGE_KEY, text);
  }
}

/**
 * The signed text: a label, the time, and the base without its signature as compact JSON. The members keep their order,
 * so parsing and writing the JSON again gives the same text.
 * Source: RFC 8032 (Ed25519); ECMA-262 (JSON.stringify).
 */
function signedText({ signature: _, ...unsigned }: JsonObject, signedAt: string): string {
  return `health-records knowledge base 1\n${signedAt}\n${JSON.stringify(unsigned)}`;
}

function decodeKey(key: string): Bytes {
  const bytes = fromBase64(key);
  if (bytes?.length !== PUBLIC_KEY_BYTES)
    throw new InvalidArgumentError('An Ed25519 public key is 32 bytes in base64.');
  return bytes;
}

function editionOf(version: Json | undefined, signedAt: Json | undefined): Edition | undefined {
  if (typeof version !== 'string' || !/^\d+\.\d+\.\d+$/.test(version)) return undefined;
  if (typeof signedAt !== 'string' || !/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(signedAt))
    return undefined;
  return { version: version.split('.').map(Number), signedAt };
}

/** By version, then by the time of the signature. */
function isOlder(one: Edition, other: Edition): boolean {
  for (const [at, part] of one.version.entries()) {
    if (part !== other.version[at]) return part < other.version[at];
  }
  return one.signedAt < other.signedAt;
}
