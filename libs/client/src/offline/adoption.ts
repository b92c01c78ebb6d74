import type { LocalCopy, RowValues } from './local-copy';
import {
  asideKey,
  entryKey,
  formerKey,
  inSpace,
  lostKey,
  missingKey,
  recordKey,
  STATE_KEY,
  textOf,
  unsealedKey,
  type CachedRecord,
  type FeedState,
  type MissingRecord,
  type OutboxEntry,
  type UnsealedWrite,
  type WireBody,
} from './offline-rows';

const PROFILE = 'profile';
const NO_WRAP = { wrapped_profile_dek: '', wrapped_profile_dek_iv: '' };

/**
 * A profile of the account is shared now: its rows and unsent writes go from the account's copy to that of the space, in one
 * step of the store. Nothing is lost, and nothing is sent twice.
 */
export async function adopt(own: LocalCopy, space: LocalCopy): Promise<void> {
  for (;;) {
    await space.catchUp();
    const isDone = await own.change(() => {
      // The numbers of the writes follow on those that the space has: another tab may be at work.
      if (space.version !== own.version) return { rows: {}, result: false };
      return { rows: new Adoption(own, space).rows, result: true };
    });
    if (isDone) break;
  }
  await space.catchUp();
}

/** Collects the rows of one step. */
class Adoption {
  readonly rows: RowValues = {};
  readonly #profileId: string;
  readonly #prefix: string;
  readonly #medications: ReadonlySet<string>;
  /** Whether the space has shown its records already. What the account still has of them is older. */
  readonly #isListed: boolean;

  constructor(
    private readonly own: LocalCopy,
    private readonly space: LocalCopy,
  ) {
    const { spaceId, profileId } = space.space!;
    this.#profileId = profileId;
    this.#prefix = inSpace(spaceId);
    this.#medications = this.#medicationsOf();
    this.#isListed = space.state.cursor !== undefined;
    this.#moveRecords();
    this.#moveWrites();
    if (Object.keys(this.rows).length > 0) this.#begin();
  }

  #medicationsOf(): Set<string> {
    const created = this.own.outbox.filter(
      ({ kind, body }) => kind === 'medication' && this.#isOfProfile(body),
    );
    const stored = this.own.records('medication').filter(({ body }) => this.#isOfProfile(body));
    return new Set([...stored, ...created].map(({ id }) => id));
  }

  #isOfProfile(body: WireBody | undefined): boolean {
    return body?.profile_id === this.#profileId;
  }

  #isBelow(body: WireBody | undefined): boolean {
    return this.#isOfProfile(body) || this.#medications.has(textOf(body ?? {}, 'medication_id'));
  }

  #moveRecords(): void {
    for (const kind of this.own.kinds) {
      for (const record of this.own.records(kind)) {
        if (!this.#isBelow(record.body)) continue;
        const { id } = record;
        this.#take(recordKey(kind, id), this.#isListed ? undefined : withoutWrap({ ...record, listing: 0 }));
        // What was doubted is judged anew by the feed of the space.
        for (const key of [asideKey(kind, id), missingKey(kind, id)]) this.#take(key, undefined);
      }
    }
    for (const { kind, id, body } of this.own.asides)
      if (this.#isBelow(body)) this.#take(asideKey(kind, id), undefined);
    for (const { kind, id } of this.#losts()) {
      const lost = this.own.get<CachedRecord>(lostKey(kind, id))!;
      if (this.#isBelow(lost.body)) this.#take(lostKey(kind, id), withoutWrap(lost));
    }
    this.#take(formerKey(this.#profileId), this.own.get(formerKey(this.#profileId)));
  }

  #losts(): MissingRecord[] {
    const keys = this.own.keys.filter((key) => key.startsWith('lost '));
    return keys.map((key) => this.own.get<CachedRecord>(key)!);
  }

  #moveWrites(): void {
    let number = this.space.nextNumber;
    const writes = [...this.own.outbox, ...this.own.unsealed].sort((a, b) => a.number - b.number);
    for (const write of writes) {
      const isEntry = 'action' in write;
      if (!(isEntry ? this.#isWriteBelow(write) : this.#isNoteBelow(write))) continue;
      const key = isEntry ? entryKey : unsealedKey;
      this.#take(key(write.number), undefined);
      this.rows[this.#prefix + key(number)] = { ...(isEntry ? inPlace(write) : write), number };
      number += 1;
    }
    const state = { ...this.space.state, nextNumber: number };
    if (number > this.space.nextNumber) this.rows[this.#prefix + STATE_KEY] = state;
  }

  /** A write is for the place where its record lies. */
  #isWriteBelow({ kind, id, body, base, parent }: OutboxEntry): boolean {
    if (kind === PROFILE) return id === this.#profileId;
    const stored = this.own.get<CachedRecord>(recordKey(kind, id))?.body ?? base ?? { ...body, ...parent };
    return this.#isBelow(stored);
  }

  #isNoteBelow({ before, after, gone }: UnsealedWrite): boolean {
    return gone?.profileId === this.#profileId || this.#isBelow(after ?? before);
  }

  /** What came along can be read at once. The first listing of the space then says what is there. */
  #begin(): void {
    if (this.#isListed) return;
    const written = (this.rows[this.#prefix + STATE_KEY] ?? this.space.state) as FeedState;
    const hasCome = this.own.get(recordKey(PROFILE, this.#profileId)) !== undefined;
    const isComplete = written.isComplete || (hasCome && this.own.state.isComplete);
    this.rows[this.#prefix + STATE_KEY] = {
      ...written,
      isComplete,
      listingAfter: 'move',
    } satisfies FeedState;
  }

  /** Removes a row of the account, and gives it to the space. */
  #take(key: string, row: object | undefined): void {
    if (this.own.get(key) !== undefined) this.rows[key] = null;
    if (row) this.rows[this.#prefix + key] = row;
  }
}

/** In a space the wrap is empty. */
function withoutWrap<T extends { kind: string; body: WireBody }>(row: T): T {
  return row.kind === PROFILE ? { ...row, body: { ...row.body, ...NO_WRAP } } : row;
}

/** A write as it goes to the space. What looked deleted before this device knew of the space is there. */
function inPlace({ problem, ...entry }: OutboxEntry): OutboxEntry {
  const { kind, base } = entry;
  return {
    ...entry,
    ...(kind === PROFILE && base && { base: { ...base, ...NO_WRAP } }),
    ...(problem && problem.code !== 'deleted_elsewhere' && { problem }),
  };
}
