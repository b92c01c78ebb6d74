import { IntegrityError } from '../errors';
import { decodeHead, encodeHead, type Head } from '../crypto/head';
import { FIRST_GENERATION, type Ancestry, type Lineage } from '../crypto/lineage';
import type { ProfileKey } from '../crypto/profile-key';
import type { Json } from '../json';
import { readStoredHead, writeStoredHead, type HeadStore } from './head-store';
import { successorOf } from './sealed-record';
import type { SessionLedger } from './session-ledger';

interface Floor {
  generation: number;
  /** When this session saw it; 0 for what a head said. */
  tick: number;
}

/**
 * The heads of the open profiles: lower bounds of the generations of their records. A bound only rises, so two
 * devices that write at once cannot contradict each other, and a head that lags behind raises no false alarm.
 */
export class Heads {
  readonly #ledger: SessionLedger;
  readonly #store: HeadStore | undefined;
  readonly #floors = new Map<string, Map<string, Floor>>();
  readonly #published = new Map<string, Head>();
  readonly #remembered = new Set<string>();
  /** Profiles of which a reading has taught more than this device has written. */
  readonly #unwritten = new Set<string>();

  constructor(ledger: SessionLedger, store?: HeadStore) {
    this.#ledger = ledger;
    this.#store = store;
  }

  /**
   * Takes in the head that was sealed in a profile, and at first the one of this device.
   * @throws IntegrityError `format_unsupported` for a sealed head that is none.
   */
  async learn(profileId: string, key: ProfileKey, sealed: Json | undefined): Promise<void> {
    const head = sealed === undefined ? new Map<string, number>() : decodeHead(sealed);
    if (!head) {
      throw new IntegrityError('format_unsupported', 'The head of a profile has another format.', {
        kind: 'profile',
        id: profileId,
      });
    }
    this.#published.set(profileId, head);
    for (const [id, generation] of head) this.#raise(profileId, id, generation, 0);
    if (!this.#store || this.#remembered.has(profileId)) return;
    this.#remembered.add(profileId);
    const stored = await readStoredHead(this.#store, profileId, key);
    for (const [id, generation] of stored) this.#raise(profileId, id, generation, 0);
  }

  /**
   * Whether a state is older than its record must be.
   * @param generation 0 for a profile that nobody has sealed.
   * @param mark of the request: what this session learned later proves nothing about its answer.
   */
  isOlder(profileId: string, id: string, generation: number, mark: number): boolean {
    const floor = this.#floors.get(profileId)?.get(id);
    return floor !== undefined && floor.tick <= mark && generation < floor.generation;
  }

  /** Notes a state that was read or written. The first one needs no note, except for a profile. */
  note(profileId: string, id: string, generation: number): void {
    if (generation <= FIRST_GENERATION && id !== profileId) return;
    if (this.#raise(profileId, id, generation)) this.#unwritten.add(profileId);
  }

  /** Notes a deletion: whatever this client knows of the record is too old from now on. */
  noteDeletion(profileId: string, id: string, last: Lineage | undefined): void {
    const known = this.#floors.get(profileId)?.get(id)?.generation ?? FIRST_GENERATION;
    this.#raise(profileId, id, Math.max(known, last?.generation ?? 0) + 1);
  }

  /** The ancestry of the next state of a record: above `current`, and above all that is known. */
  next(profileId: string, id: string, current: Lineage | undefined): Ancestry | undefined {
    const floor = this.#floors.get(profileId)?.get(id);
    const next = successorOf(current);
    if (!floor || (next && next.generation > floor.generation)) return next;
    return { generation: floor.generation + 1, previous: current?.state ?? null };
  }

  /** What is sealed into the profile. */
  encode(profileId: string): string {
    return encodeHead(this.#headOf(profileId));
  }

  /** Whether this client knows more than the sealed head says. */
  isAhead(profileId: string): boolean {
    const published = this.#published.get(profileId);
    const known = decodeHead(this.encode(profileId)) ?? new Map<string, number>();
    known.delete(profileId);
    return [...known].some(([id, generation]) => generation > (published?.get(id) ?? FIRST_GENERATION));
  }

  /** Writes the head to this device. What another tab has written meanwhile is kept. */
  async remember(profileId: string, key: ProfileKey): Promise<void> {
    if (!this.#store) return;
    this.#unwritten.delete(profileId);
    const stored = await readStoredHead(this.#store, profileId, key);
    for (const [id, generation] of stored) this.#raise(profileId, id, generation, 0);
    const head = this.#headOf(profileId);
    if ([...head].every(([id, generation]) => stored.get(id) === generation)) return;
    await writeStoredHead(this.#store, profileId, head, key);
  }

  /** Writes to this device what the readings since the last call have taught. */
  async rememberNoted(keyOf: (profileId: string) => Promise<ProfileKey>): Promise<void> {
    if (!this.#store) return;
    for (const profileId of [...this.#unwritten]) await this.remember(profileId, await keyOf(profileId));
  }

  /** A new profile under the id of a deleted one begins anew. */
  forget(profileId: string): void {
    this.#floors.delete(profileId);
    this.#remembered.delete(profileId);
    this.#unwritten.delete(profileId);
  }

  clear(): void {
    this.#floors.clear();
    this.#published.clear();
    this.#remembered.clear();
    this.#unwritten.clear();
  }

  #headOf(profileId: string): Head {
    const floors = this.#floors.get(profileId) ?? new Map<string, Floor>();
    return new Map([...floors].map(([id, { generation }]) => [id, generation]));
  }

  /** @returns whether it was not known. */
  #raise(profileId: string, id: string, generation: number, tick?: number): boolean {
    const floors = this.#floors.get(profileId) ?? new Map<string, Floor>();
    this.#floors.set(profileId, floors);
    if ((floors.get(id)?.generation ?? 0) >= generation) return false;
    floors.set(id, { generation, tick: tick ?? this.#ledger.advance() });
    return true;
  }
}
