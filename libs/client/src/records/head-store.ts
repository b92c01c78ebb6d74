import { decodeHead, encodeHead, type Head } from '../crypto/head';
import type { ProfileKey } from '../crypto/profile-key';
import { decryptRecord, encryptRecord } from '../crypto/record-cipher';
import { ObjectReader } from '../http/object-reader';
import { parseJson } from '../json';

/**
 * Keeps one sealed text for each profile on this device. It is the application's: a logout does not clear it. With it, a client notices when the
 * service rolls back a whole profile. Security: it sees profile ids and ciphertext only.
 */
export interface HeadStore {
  /** `null` when there is none. */
  read(profileId: string): string | null | Promise<string | null>;
  /** Replaces the text of a profile. */
  write(profileId: string, sealed: string): void | Promise<void>;
}

/** Keeps heads in a storage of the browser, usually `localStorage`. */
export class WebStorageHeadStore implements HeadStore {
  constructor(
    private readonly storage: {
      getItem(key: string): string | null;
      setItem(key: string, value: string): void;
    },
    private readonly prefix = 'health-records:head:',
  ) {}

  read(profileId: string): string | null {
    return this.storage.getItem(this.prefix + profileId);
  }

  /** Replaces the text of a profile. */
  write(profileId: string, sealed: string): void {
    this.storage.setItem(this.prefix + profileId, sealed);
  }
}

const placeOf = (profileId: string) => ({ profileId, kind: 'head', recordId: profileId }) as const;

/** The head of a profile on this device. Empty for none, and for one under a key of another account. */
export async function readStoredHead(store: HeadStore, profileId: string, key: ProfileKey): Promise<Head> {
  try {
    const stored = await store.read(profileId);
    if (stored === null) return new Map();
    const reader = new ObjectReader(parseJson(stored), 'head');
    const wire = { ciphertext: reader.text('ciphertext'), iv: reader.text('iv') };
    const { content } = await decryptRecord(wire, key, placeOf(profileId));
    return decodeHead(content.head) ?? new Map<string, number>();
  } catch {
    return new Map();
  }
}

/** A storage that is full or unavailable must not prevent a record from being stored. */
export async function writeStoredHead(
  store: HeadStore,
  profileId: string,
  head: Head,
  key: ProfileKey,
): Promise<void> {
  const wire = await encryptRecord({ head: encodeHead(head) }, key, placeOf(profileId));
  try {
    await store.write(profileId, JSON.stringify(wire));
  } catch {
    return;
  }
}
