import { IntegrityError } from '../errors';
import {
  decodeHead,
  decodePresence,
  encodeHead,
  encodePresence,
  type Head,
  type Presence,
} from '../crypto/head';
import type { KeyChain } from '../crypto/key-chain';
import { FIRST_GENERATION, successorOf, type Ancestry, type Lineage } from '../crypto/lineage';
import type { ProfileKey } from '../crypto/profile-key';
import type { JsonObject } from '../json';
import { readStoredHead, writeStoredHead, type HeadStore } from './head-store';
import type { SessionLedger } from './session-ledger';

const OWN_MEMBERS = new Set(['details', 'meta', 'edited', 'head', 'present', 'proven', 'earlier']);

interface Floor {
  generation: number;
  /** When this session saw it; 0 for what a head said. */
  tick: number;
  /** Of a record that exists; absent for one that was deleted, and where nobody has said it. */
  kind?: string;
}

/** The members of the content of a profile beside its details and fields. */
export interface SealedHead {
  head: string;
  present: Presence;
  /** Kept as it is. */
  keyChain?: KeyChain;
  /** Milliseconds since 1970: when the first dose of the account with a proof was written. */
  proven?: number;
}

/** A record that a head says exists, and its least generation. */
export interface ListedRecord {
  profileId: string;
  kind: string;
  id: string;
  generation: number;
}

/**
 * The heads of the open profiles: lower bounds of the generations of their records. A bound only rises, so two
 * devices that write at once cannot contradict each other, and a head that lags behind raises no false alarm.
 */
export class Heads {
  readonly #ledger: SessionLedger;
  readonly #store: HeadStore | undefined;
  readonly #realmOf: (profileId: string) => string;
  readonly #floors = new Map<string, Map<string, Floor>>();
  readonly #published = new Map<string, ReadHead>();
  readonly #provenSince = new Map<string, number>();
  /** What else is sealed in each profile. A client that knows less keeps it. */
  readonly #others = new Map<string, JsonObject>();
  readonly #remembered = new Set<string>();
  /** Profiles of which a reading has taught more than this device has written. */
  readonly #unwritten = new Set<string>();
  /** Records of which a person knows that lists leave them out. */
  readonly #accepted = new Set<string>();
  /** Whether this session has read all profiles to the end. */
  areAllRead = false;

  /**
   * @param realmOf names the space of a shared profile; empty for one of the account. Security: what the members of one space
   * have sealed says nothing of others, nor of the account.
   */
  constructor(ledger: SessionLedger, store?: HeadStore, realmOf: (profileId: string) => string = () => '') {
    this.#ledger = ledger;
    this.#store = store;
    this.#realmOf = realmOf;
  }

  /**
   * Takes in the bounds that were sealed in a profile, and at first those of this device. They hold whether or not
   * this is the newest state of the profile.
   * @throws IntegrityError `format_unsupported` for a sealed head that is none.
   */
  async learn(profileId: string, key: ProfileKey, content: JsonObject): Promise<void> {
    const read = readHead(content);
    if (!read) {
      throw new IntegrityError('format_unsupported', 'The head of a profile has another format.', {
        kind: 'profile',
        id: profileId,
      });
    }
    const { head, present, proven } = read;
    if (proven !== undefined) this.noteProof(proven, this.#realmOf(profileId));
    for (const [id, generation] of head) this.#raise(profileId, id, generation, 0, present.get(id));
    if (!this.#store || this.#remembered.has(profileId)) return;
    this.#remembered.add(profileId);
    const stored = await readStoredHead(this.#store, profileId, key);
    for (const [id, generation] of stored) this.#raise(profileId, id, generation, 0);
  }

  /** Takes the newest state of a profile: what is sealed next goes on from its content. */
  publish(profileId: string, content: JsonObject): void {
    const others = Object.entries(content).filter(([name]) => !OWN_MEMBERS.has(name));
    this.#others.set(profileId, Object.fromEntries(others));
    this.#published.set(profileId, readHead(content)!);
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

  /**
   * Notes a state that was read or written.
   * @param kind of a record that the head lists. Without it the first state needs no note, except for a profile.
   * @param isUnlisted whether the head lists only those that were changed.
   */
  note(profileId: string, id: string, generation: number, kind?: string, isUnlisted?: boolean): void {
    if (generation <= FIRST_GENERATION && id !== profileId && (isUnlisted || kind === undefined)) return;
    if (this.#raise(profileId, id, generation, undefined, kind)) this.#unwritten.add(profileId);
  }

  /** Whether the head says that a record was deleted after this generation. */
  isDeleted(profileId: string, id: string, generation: number): boolean {
    const floor = this.#floors.get(profileId)?.get(id);
    return floor !== undefined && floor.generation > generation && floor.kind === undefined;
  }

  /**
   * The same, of a record whose profile is not known: its medication may have moved to another one of the realm.
   * @param generation may be a function, which is called where a head knows the record: few are known, and thousands asked for.
   */
  isDeletedAnywhere(id: string, generation: number | (() => number), realm: string): boolean {
    for (const [profileId, floors] of this.#floors) {
      if (!floors.has(id) || this.#realmOf(profileId) !== realm) continue;
      if (this.isDeleted(profileId, id, typeof generation === 'number' ? generation : generation()))
        return true;
    }
    return false;
  }

  /** Since when every dose of a realm has a proof; `undefined` where no head that this client knows says it. */
  provenSince(realm: string): number | undefined {
    return this.#provenSince.get(realm);
  }

  /** The earliest time counts. */
  noteProof(at: number, realm: string): void {
    this.#provenSince.set(realm, Math.min(at, this.#provenSince.get(realm) ?? at));
  }

  /** Whether the sealed head of a profile does not say yet since when doses have proofs. */
  lacksProof(profileId: string): boolean {
    const known = this.#provenSince.get(this.#realmOf(profileId)) ?? Infinity;
    return known < (this.#published.get(profileId)?.proven ?? Infinity);
  }

  /** Whether the head of another profile says that a profile was deleted. */
  isProfileDeleted(id: string): boolean {
    return this.#othersOf(id).some((other) => this.#published.get(other)!.head.has(id));
  }

  /** @returns the profile whose head will say it: the oldest other one. */
  noteProfileDeletion(id: string): string[] {
    const [keeper] = this.#othersOf(id).sort();
    if (keeper !== undefined) this.noteDeletion(keeper, id, undefined);
    this.#published.delete(id);
    return keeper === undefined ? [] : [keeper];
  }

  #othersOf(id: string): string[] {
    const realm = this.#realmOf(id);
    return [...this.#published.keys()].filter((other) => other !== id && this.#realmOf(other) === realm);
  }

  /** The records that the published head of a profile says exist. */
  listed(profileId: string): ListedRecord[] {
    const published = this.#published.get(profileId);
    if (!published) return [];
    const { head, present } = published;
    const floors = this.#floors.get(profileId);
    return [...present].flatMap(([id, kind]) => {
      const generation = head.get(id)!;
      // This device has deleted it since.
      const isGone = (floors?.get(id)?.generation ?? 0) > generation && !floors?.get(id)?.kind;
      return isGone ? [] : [{ profileId, kind, id, generation }];
    });
  }

  /** The same of one kind in all profiles, without what {@link accept} names. */
  listedOf(kind: string): ListedRecord[] {
    const all = [...this.#published.keys()].flatMap((each) => this.listed(each));
    return all.filter((record) => record.kind === kind && !this.#accepted.has(record.id));
  }

  /** A person agrees that records are missing. @param areGone whether the service has none of them at all. */
  accept(records: readonly ListedRecord[], areGone: boolean): void {
    for (const { profileId, id } of records) {
      this.#accepted.add(id);
      if (areGone) this.noteDeletion(profileId, id, undefined);
    }
  }

  /** The session has read all profiles. What the heads of others list counts no more. */
  noteProfiles(ids: ReadonlySet<string>): void {
    this.areAllRead = true;
    for (const id of this.#published.keys()) if (!ids.has(id)) this.#published.delete(id);
  }

  /** Notes a deletion: whatever this client knows of the record is too old from now on. */
  noteDeletion(profileId: string, id: string, last: Pick<Lineage, 'generation'> | undefined): void {
    const known = this.#floors.get(profileId)?.get(id)?.generation ?? FIRST_GENERATION;
    this.#raise(profileId, id, Math.max(known, last?.generation ?? 0) + 1);
  }

  /** The ancestry of the next state of a record: above the `current` ones, and above all that is known. */
  next(profileId: string, id: string, ...current: readonly Lineage[]): Ancestry | undefined {
    const floor = this.#floors.get(profileId)?.get(id);
    const next = current.length > 0 ? successorOf(...current) : undefined;
    if (!floor || (next && next.generation > floor.generation)) return next;
    return { previous: null, ...next, generation: floor.generation + 1 };
  }

  /** What is sealed into the profile. */
  encode(profileId: string): SealedHead {
    const head = this.#headOf(profileId);
    const floors = this.#floors.get(profileId);
    const present = encodePresence(head, (id) => floors?.get(id)?.kind);
    const proven = this.provenSince(this.#realmOf(profileId));
    return {
      ...this.#others.get(profileId),
      head: encodeHead(head),
      present,
      ...(proven === undefined ? {} : { proven }),
    };
  }

  /** Whether this client knows more than the sealed head says. */
  isAhead(profileId: string): boolean {
    const published = this.#published.get(profileId);
    const mine = this.encode(profileId);
    if (this.lacksProof(profileId)) return true;
    const known = decodeHead(mine.head)!;
    const present = decodePresence(known, mine.present)!;
    known.delete(profileId);
    return [...known].some(([id, generation]) => {
      const isListed = present.has(id) && !published?.present.has(id);
      return isListed || generation > (published?.head.get(id) ?? FIRST_GENERATION);
    });
  }

  /** Writes the head to this device. What another tab has written meanwhile is kept. */
  async remember(profileId: string, key: ProfileKey): Promise<void> {
    if (!this.#store) return;
    this.#unwritten.delete(profileId);
    const stored = await readStoredHead(this.#store, profileId, key);
    for (const [id, generation] of stored) this.#raise(profileId, id, generation, 0);
    const head = this.#headOf(profileId);
    // What a former key has sealed is sealed anew, before that key goes.
    const isSame = [...head].every(([id, generation]) => stored.get(id) === generation);
    if (isSame && !key.older) return;
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
    this.#others.clear();
    this.#remembered.clear();
    this.#unwritten.clear();
    this.#accepted.clear();
    this.areAllRead = false;
    this.#provenSince.clear();
  }

  #headOf(profileId: string): Head {
    const floors = this.#floors.get(profileId) ?? new Map<string, Floor>();
    return new Map([...floors].map(([id, { generation }]) => [id, generation]));
  }

  /** @returns whether it was not known. */
  #raise(profileId: string, id: string, generation: number, tick?: number, kind?: string): boolean {
    const floors = this.#floors.get(profileId) ?? new Map<string, Floor>();
    this.#floors.set(profileId, floors);
    const known = floors.get(id);
    if (known && known.generation > generation) return false;
    if (known?.generation === generation && (known.kind !== undefined || kind === undefined)) return false;
    const at = known?.generation === generation ? known.tick : (tick ?? this.#ledger.advance());
    floors.set(id, { generation, tick: at, ...(kind === undefined ? {} : { kind }) });
    return true;
  }
}

interface ReadHead {
  head: Head;
  present: ReadonlyMap<string, string>;
  proven: number | undefined;
}

/** @returns `undefined` for members of another format. */
function readHead({ head: sealed, present: flags, proven }: JsonObject): ReadHead | undefined {
  const head = sealed === undefined ? new Map<string, number>() : decodeHead(sealed);
  const present = head && decodePresence(head, flags);
  const isTime = proven === undefined || (Number.isSafeInteger(proven) && Number(proven) >= 0);
  return head && present && isTime ? { head, present, proven: proven as number | undefined } : undefined;
}
