import { isMadeFrom } from '../crypto/lineage';
import { askFor } from './ask-again';
import { codeOf, isInterrupted, messageOf, stopsAll } from './failures';
import type { LocalCopy, RowValues } from './local-copy';
import type { OfflineHost, SyncedKind } from './offline-host';
import {
  asideKey,
  entryKey,
  isUnproven,
  lostKey,
  missingKey,
  recordKey,
  textOf,
  UNKNOWN_KIND,
} from './offline-rows';
import { compareWithDropped, rescueLeftOut } from './rescue';
import type { AsideRecord, CachedRecord, Seal, WireBody } from './offline-rows';

/** What the service says of one record. */
export interface Arrival {
  kind: string;
  id: string;
  /** `undefined` for a deletion. */
  body: WireBody | undefined;
}

/** How often a profile is asked for, for the sake of records whose key is not known. */
const MAX_PROFILES_ASKED = 20;
/**
 * The only way into the copy. What the service says is opened in its own place, and compared with what this device and
 * the sealed heads know. What passes replaces the last good row. What does not is kept aside, with its reason.
 */
export class Gate {
  /** Profiles whose keys are open, and whose heads are known. */
  readonly #known = new Map<string, Promise<boolean>>();
  /** States that were opened before their turn. */
  readonly #opened = new WeakMap<WireBody, Promise<Seal>>();
  #asked = 0;
  #isReread: Promise<boolean> | undefined;

  constructor(
    private readonly host: OfflineHost,
    private readonly copy: LocalCopy,
    /** Of a space: reads it anew, for a row that no key opens. @returns whether another key is there now */
    private readonly reread?: () => Promise<boolean>,
    /** Rows of profiles whose keys and heads this session has taken in: each sync has a gate of its own. */
    private readonly opened = new WeakSet<CachedRecord>(),
  ) {}

  /**
   * Judges what arrived together.
   * @returns the rows to store. Nothing else of it may be stored.
   * @throws LockedError: without the keys nothing is judged, and nothing is stored. All temporary errors.
   */
  async judge(arrivals: readonly Arrival[]): Promise<RowValues> {
    const rows: RowValues = {};
    // The head and the key of a profile are needed for its records.
    const [profiles, others] = split(arrivals, ({ kind }) => kind === 'profile');
    const [shown, gone] = split(profiles, ({ body }) => body !== undefined);
    for (const arrival of shown) await this.#admit(arrival, rows);
    const [records, deletions] = split(others, ({ body }) => body !== undefined);
    await Promise.all(records.map((arrival) => this.#admit(arrival, rows)));
    // What lies below a record goes with it.
    const order = [...gone, ...deletions].sort((a, b) => depthOf(a) - depthOf(b));
    for (const arrival of order) await this.#delete(arrival, rows);
    if (this.copy.space && shown.length > 0) await rescueLeftOut(this.host, this.copy, rows);
    return rows;
  }

  /** Opens what will be judged next, while what was judged is being stored. It decides nothing. */
  openAhead(arrivals: readonly Arrival[]): void {
    // A profile may bring a head that says more of the others.
    if (arrivals.some(({ kind }) => kind === 'profile')) return;
    for (const { kind, body } of arrivals) {
      const synced = body && this.host.kindOf(kind);
      if (!synced || synced.provedBy || !this.#known.has(textOf(body, 'profile_id'))) continue;
      const seal = synced.verify(body, this.copy.realm);
      // What is wrong with it is said in its turn.
      seal.catch(() => undefined);
      this.#opened.set(body, seal);
    }
  }

  /** Judges one answer, and stores what passes. @throws the reason why it does not. */
  async admit(arrival: Arrival & { body: WireBody }): Promise<CachedRecord> {
    const rows: RowValues = {};
    await this.#admit(arrival, rows);
    if (this.copy.space && arrival.kind === 'profile') await rescueLeftOut(this.host, this.copy, rows);
    await this.copy.change(() => ({ rows, result: undefined }));
    const aside = rows[asideKey(arrival.kind, arrival.id)] as AsideRecord | null | undefined;
    if (!aside) return rows[recordKey(arrival.kind, arrival.id)] as CachedRecord;
    throw Object.assign(new Error(aside.message), { code: aside.code, isDoubt: true });
  }

  /** What our own state says of itself. @returns `undefined` for one that this device cannot open. */
  async sealOf(kind: string, body: WireBody): Promise<Seal | undefined> {
    try {
      return await this.host.kindOf(kind)?.verify(body, this.copy.realm);
    } catch (error) {
      if (stopsAll(error)) throw error;
      return undefined;
    }
  }

  async #admit({ kind, id, body }: Arrival, rows: RowValues): Promise<void> {
    const key = recordKey(kind, id);
    const known = this.copy.get<CachedRecord>(key);
    try {
      const seal = await this.#verifyWithAllKeys(kind, id, body!, known);
      rows[key] = { kind, id, body: body!, listing: this.copy.state.listing, seal } satisfies CachedRecord;
      for (const note of [asideKey(kind, id), lostKey(kind, id), missingKey(kind, id)]) {
        if (this.copy.get(note)) rows[note] = null;
      }
    } catch (error) {
      if (stopsAll(error)) throw error;
      this.#putAside({ kind, id, body, code: codeOf(error), message: messageOf(error) }, rows);
      // It was shown: it is not missing.
      const shown = this.copy.get<CachedRecord>(key) ?? known;
      if (shown) rows[key] = { ...shown, listing: this.copy.state.listing };
    }
  }

  async #verifyWithAllKeys(
    ...what: [kind: string, id: string, body: WireBody, known: CachedRecord | undefined]
  ): Promise<Seal> {
    try {
      return await this.#verify(...what);
    } catch (error) {
      // The service may have told of a new key after the sync has asked.
      if (!this.reread || !NO_KEY.includes(codeOf(error))) throw error;
      this.#isReread ??= this.reread();
      if (!(await this.#isReread)) throw error;
      this.#opened.delete(what[2]);
      return this.#verify(...what);
    }
  }

  /** @throws the reason why it does not pass. */
  async #verify(kind: string, id: string, body: WireBody, known: CachedRecord | undefined): Promise<Seal> {
    const synced = this.host.kindOf(kind);
    if (!synced) throw doubt(UNKNOWN_KIND, 'This client does not know this kind of records.');
    if ((kind === 'profile' ? body.profile_id : body.id) !== id) {
      throw doubt('protocol_violation', 'The service shows a record under the id of another.');
    }
    const profileId = textOf(body, 'profile_id');
    const { space } = this.copy;
    if (space && profileId !== '' && profileId !== space.profileId) {
      throw doubt('protocol_violation', 'The service shows a record of another profile in a space.');
    }
    if (!space && profileId !== '' && this.#isShared(profileId)) {
      throw doubt(
        'protocol_violation',
        'The service shows a record of a shared profile outside of its space.',
      );
    }
    if (kind !== 'profile' && profileId !== '' && !(await this.isOpen(profileId))) {
      throw doubt('profile_unknown', 'The service does not show the profile of this record.');
    }
    if (synced.provedBy) await this.#openAll(synced.provedBy(body));
    // Rows of earlier versions have no seal, and those of doses an empty one.
    const sealed = known?.seal?.state ? known.seal : undefined;
    const before =
      known && (sealed ?? (await synced.verify(known.body, this.copy.realm).catch(() => undefined)));
    const seal = await (this.#opened.get(body) ?? synced.verify(body, this.copy.realm));
    if (kind === 'profile') this.#known.set(id, Promise.resolve(true));
    if (!known || !before || seal.state === before.state) return seal;
    if (seal.generation < before.generation) {
      throw doubt('rolled_back', 'The service shows a state that was replaced before.');
    }
    const leavesOut = () => this.#leavesOut(seal, before, { synced, known, body });
    if (await compareWithDropped(this.host, this.copy, known, leavesOut)) {
      throw doubt('stale_revision', 'The service shows a state that was made without ours.');
    }
    return seal;
  }

  #isShared(id: string): boolean {
    const places = this.host.spaces()?.places ?? [];
    return places.some(({ profileId, state }) => profileId === id && state === 'member');
  }

  /** Whether a state was not made from ours, and lacks something that ours has. */
  async #leavesOut(
    seal: Seal,
    ours: Seal,
    { synced, known, body }: { synced: SyncedKind; known: CachedRecord; body: WireBody },
  ): Promise<boolean> {
    if (!synced.merge) return seal.generation === ours.generation;
    // What nobody has sealed has no generation.
    if (ours.generation === 0) return false;
    // What follows on a state of another branch is of that branch.
    const isOther = this.copy.get<AsideRecord>(asideKey(known.kind, known.id))?.code === 'stale_revision';
    if (isMadeFrom(seal, ours) ?? !isOther) return false;
    return (await synced.merge({ base: undefined, mine: known.body, theirs: body })) !== undefined;
  }

  /** Opens the key of a profile and takes in its head. */
  isOpen(profileId: string): Promise<boolean> {
    let known = this.#known.get(profileId);
    if (!known) {
      known = this.#open(profileId);
      this.#known.set(profileId, known);
      known.catch(() => this.#known.delete(profileId));
    }
    return known;
  }

  /** A dose is compared with all heads: they say since when doses have proofs, and which were deleted. */
  async #openAll(provedBy: string | undefined): Promise<void> {
    const ids = new Set(this.copy.records('profile').map(({ id }) => id));
    if (provedBy !== undefined) ids.add(provedBy);
    await Promise.all([...ids].map((id) => this.isOpen(id)));
  }

  async #open(profileId: string): Promise<boolean> {
    const kind = this.host.kindOf('profile');
    const cached = this.copy.get<CachedRecord>(recordKey('profile', profileId));
    if (kind && cached) {
      // Also where a newer state is kept aside: the key is open then, and the head is known. After a replacement of all
      // keys elsewhere only the new state opens.
      if (kind.isOpen?.(profileId) && this.opened.has(cached)) return true;
      if (await this.sealOf('profile', cached.body)) {
        this.opened.add(cached);
        return true;
      }
    }
    if (!kind || (this.#asked += 1) > MAX_PROFILES_ASKED) return false;
    const body = await askFor(this.host, this.copy, { kind: 'profile', id: profileId });
    if (!body) return false;
    try {
      await kind.verify(body);
      return true;
    } catch (error) {
      if (isInterrupted(error)) throw error;
      return false;
    }
  }

  async #delete({ kind, id }: Arrival, rows: RowValues): Promise<void> {
    const key = recordKey(kind, id);
    const known = (rows[key] ?? this.copy.get<CachedRecord>(key)) as CachedRecord | undefined;
    const own = this.copy.outbox.filter((entry) => entry.id === id && entry.kind === kind);
    // A copy that waits to be sent is the only one that is certain: it is sent again.
    const unsent = own.find(({ action }) => action === 'create');
    const isOurs = own.some(({ action }) => action === 'delete');
    const last = known ?? (unsent?.wasSent && unsent.body && { kind, id, body: unsent.body, listing: 0 });
    const held = last && !isOurs ? await this.#whyHeld(last, rows) : undefined;
    if (held !== undefined && known) {
      const message = 'The service says that this record was deleted. No device has sealed that.';
      this.#putAside({ kind, id, body: undefined, code: 'deletion_unproven', message, ...held }, rows);
      rows[key] = { ...known, listing: this.copy.state.listing };
      return;
    }
    rows[key] = null;
    for (const note of [missingKey(kind, id), asideKey(kind, id)]) if (this.copy.get(note)) rows[note] = null;
    if (held !== undefined || !last) return;
    for (const entry of own) {
      // The create arrived, its answer was lost, and another device has deleted the record since.
      if (entry.action === 'create' && entry.wasSent) rows[entryKey(entry.number)] = null;
    }
    if (known && this.#isNeeded(id)) rows[lostKey(kind, id)] = known;
  }

  /** @returns `undefined` for a deletion that counts. */
  async #whyHeld(last: CachedRecord, rows: RowValues): Promise<{ above?: string } | undefined> {
    const { kind, id, body } = last;
    const synced = this.host.kindOf(kind);
    if (!synced) return undefined;
    const profileId = textOf(body, 'profile_id');
    const above: [string, string][] = [];
    if (kind !== 'profile' && profileId !== '') above.push(['profile', profileId]);
    if (typeof body.medication_id === 'string') above.push(['medication', body.medication_id]);
    for (const [parentKind, parentId] of above) {
      const parent = recordKey(parentKind, parentId);
      if (!(rows[parent] ?? this.copy.get(parent)) || rows[parent] === null) return undefined;
      const aside = rows[asideKey(parentKind, parentId)] ?? this.copy.get(asideKey(parentKind, parentId));
      if (aside && rows[asideKey(parentKind, parentId)] !== null) {
        if ((aside as AsideRecord).code === 'deletion_unproven') return { above: parentId };
      }
    }
    if (!synced.isDeleted) return undefined;
    if (synced.provedBy) await this.#openAll(undefined);
    else if (kind !== 'profile' && !(await this.isOpen(profileId))) return {};
    const seal = last.seal ?? (await synced.verify(body, this.copy.realm).catch(() => undefined));
    const generation = seal?.generation || 1;
    return synced.isDeleted({ profileId, id, generation }, this.copy.realm) ? undefined : {};
  }

  #putAside(
    what: Omit<AsideRecord, 'since' | 'times' | 'body'> & { body: WireBody | undefined },
    rows: RowValues,
  ) {
    const { kind, id, body, ...reason } = what;
    const before = this.copy.get<AsideRecord>(asideKey(kind, id));
    const isSame = before?.code === reason.code;
    const isAuthentic = ['rolled_back', 'stale_revision'].includes(reason.code);
    // A dose that nobody has proved is shown as such.
    const isReadable = isAuthentic || isUnproven({ kind, code: reason.code });
    rows[asideKey(kind, id)] = {
      kind,
      id,
      ...reason,
      since: isSame ? before.since : new Date().toISOString(),
      times: isSame ? before.times + 1 : 1,
      ...(isReadable && body ? { body } : {}),
      ...(isSame && before.isLeft && { isLeft: true as const }),
      ...(Number.isSafeInteger(body?.revision) ? { revision: Number(body!.revision) } : {}),
    } satisfies AsideRecord;
  }

  /** Whether a write in the outbox is for this record or below it. */
  #isNeeded(id: string): boolean {
    return this.copy.outbox.some(({ id: written, body, base, parent = {} }) => {
      const medication = this.copy.get<CachedRecord>(recordKey('medication', String(parent.medication_id)));
      const above = [body?.profile_id, base?.profile_id, medication?.body.profile_id];
      return [written, ...above, ...Object.values(parent)].includes(id);
    });
  }
}

/** Without the right key, nothing opens. */
const NO_KEY = ['tampered', 'key_mismatch'];

const DEPTHS: Record<string, number> = { profile: 0, dose: 2 };
const depthOf = ({ kind }: Arrival) => DEPTHS[kind] ?? 1;

function doubt(code: string, message: string): Error {
  return Object.assign(new Error(message), { code });
}

function split<T>(all: readonly T[], isFirst: (each: T) => boolean): [T[], T[]] {
  return [all.filter(isFirst), all.filter((each) => !isFirst(each))];
}
