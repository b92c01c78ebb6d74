import type { RecordPlace } from '../crypto/labels';
import type { Lineage } from '../crypto/lineage';
import type { ProfileKey } from '../crypto/profile-key';
import { decryptRecord, type EncryptedFieldWire, type OpenedRecord } from '../crypto/record-cipher';
import type { JsonObject } from '../json';

interface Opened {
  wire: EncryptedFieldWire;
  key: ProfileKey;
  kind: string;
  /** Parsed anew for each reader, because a reader may change what it gets. */
  text: string;
  lineage: Lineage;
}

/**
 * The decrypted contents of cached records, so that a list is decrypted once. Another ciphertext replaces the
 * entry of its record.
 * Security: in memory only, from an unlock to the next lock.
 */
export class OpenedRecords {
  #opened = new Map<string, Opened>();

  /** As `decryptRecord`. */
  async open(wire: EncryptedFieldWire, key: ProfileKey, place: RecordPlace): Promise<OpenedRecord> {
    // A lock while a record is decrypted begins another map.
    const opened = this.#opened;
    const known = opened.get(place.recordId);
    if (known && isSame(known, wire, key, place)) {
      return { content: JSON.parse(known.text) as JsonObject, lineage: { ...known.lineage } };
    }
    const { content, lineage } = await decryptRecord(wire, key, place);
    const text = JSON.stringify(content);
    opened.set(place.recordId, { wire, key, kind: place.kind, text, lineage: { ...lineage } });
    return { content, lineage };
  }

  /** A deleted record. */
  forget(id: string): void {
    this.#opened.delete(id);
  }

  /** At a lock. */
  clear(): void {
    this.#opened = new Map();
  }
}

/** A key belongs to one profile, so an equal key means an equal profile. */
function isSame(known: Opened, wire: EncryptedFieldWire, key: ProfileKey, { kind }: RecordPlace): boolean {
  const { ciphertext, iv } = known.wire;
  return known.key === key && known.kind === kind && ciphertext === wire.ciphertext && iv === wire.iv;
}
