import { canonicalJson } from '../json';
import {
  entryKey,
  CIRCLE,
  FORMER,
  inSpace,
  SPACE,
  type CircleRow,
  FIRST_STATE,
  rowsOf,
  STATE_KEY,
  textOf,
  UNKNOWN_KIND,
  type AsideRecord,
  type CachedRecord,
  type FeedState,
  type FormerRow,
  type MissingRecord,
  type OutboxEntry,
  type UnsealedWrite,
} from './offline-rows';
import type { Row, RowChanges, RowStore } from './row-store';

const RECORD_LENGTH = 'record '.length;
const ASIDE_LENGTH = 'aside '.length;
/** Of more rows at once nobody asks whose doses they are: all is read again. */
const MOST_TRACED_ROWS = 200;

/** Rows to write; `null` removes a row. */
export type RowValues = Record<string, object | null>;

/** What other parts must know of changes, of this tab or another. */
export interface CopyListener {
  /**
   * Records were added, changed or removed, or the outbox has changed.
   * @param change.dosesOf the medications whose doses have changed; absent where they are not known
   * @param change.isOwn whether it is a write of this client, or that the service has it as it was written
   */
  changed(kinds: ReadonlySet<string>, change: { dosesOf?: ReadonlySet<string>; isOwn: boolean }): void;
  /** The service no longer has this record. */
  removed(kind: string, id: string): void;
  /** The database of the service was restored. */
  epochChanged(): void;
  /** The error of a change after the end of this copy. */
  ended(): Error;
}

/** The space whose rows a copy has. */
export interface CopiedSpace {
  spaceId: string;
  profileId: string;
}

/**
 * The rows of one account, without those of its spaces, or of one space in memory. The store is authoritative: each change is decided on the newest rows,
 * and is decided again if another tab was faster.
 */
export class LocalCopy {
  readonly #store: RowStore;
  readonly #prefix: string;
  readonly #listener: CopyListener;
  #version = 0;
  /** Texts are read when they are needed: a start with 10,000 records stays fast. */
  readonly #rows = new Map<string, string>();
  readonly #parsed = new Map<string, object>();
  readonly #byKind = new Map<string, Set<string>>();
  /** The keys of rows that are no records. They are few, and are looked through at each write. */
  readonly #others = new Set<string>();
  /** The keys of doses by medication; made at the first question for them. */
  #dosesOf: Map<string, Set<string>> | undefined;
  readonly #missing = new Set<string>();
  readonly #aside = new Set<string>();
  /** Of these, the problems of the person. The status is asked for at each page, and a page may bring many doubts. */
  readonly #told = new Map<string, AsideRecord>();
  readonly #foreign = new Map<string, string>();
  #outbox: OutboxEntry[] | undefined;
  #turn: Promise<unknown> = Promise.resolve();
  #nextRead: Promise<void> | undefined;
  #isEnded = false;
  #ahead: Promise<RowChanges> | undefined;

  /**
   * @param ahead what a whole read of the store gave, or will give; it may be old.
   * @param space absent for the rows of the account itself.
   */
  constructor(
    store: RowStore,
    accountId: string,
    listener: CopyListener,
    ahead?: Promise<RowChanges>,
    readonly space?: CopiedSpace,
  ) {
    this.#store = store;
    this.#prefix = rowsOf(accountId) + (space ? inSpace(space.spaceId) : '');
    this.#listener = listener;
    this.#ahead = ahead;
  }

  /** The space; empty for the account. */
  get realm(): string {
    return this.space?.spaceId ?? '';
  }

  /** Of the store, as this copy has read it. */
  get version(): number {
    return this.#version;
  }

  get keys(): string[] {
    return [...this.#rows.keys()];
  }

  /** Of the account: what the directory keeps of its spaces. */
  get circles(): CircleRow[] {
    return this.#inOrder(CIRCLE);
  }

  /** From now on this copy writes nothing: what is still under way must not fill an emptied store. */
  end(): void {
    this.#isEnded = true;
  }

  /** Reads what other tabs have written. Calls share a read that has not begun. */
  catchUp(): Promise<void> {
    this.#nextRead ??= this.#inTurn(() => {
      this.#nextRead = undefined;
      return this.#read();
    });
    return this.#nextRead;
  }

  /** The same where another tab has told of it. A write over what it has not told yet is refused, and decided anew. */
  async catchUpIfTold(): Promise<void> {
    await this.#turn;
    if (this.#version === 0 || !this.#store.isNewest?.(this.#version)) await this.catchUp();
  }

  /**
   * Changes rows. `decide` may run several times; it reads this copy and returns the rows to write.
   * @param isOwn see {@link CopyListener.changed}
   * @returns the last result of `decide`.
   * @throws LockedError after {@link end}
   */
  change<T>(decide: () => { rows: RowValues; result: T }, isOwn = false): Promise<T> {
    return this.#inTurn(async () => {
      // The store refuses a write that was decided on old rows. Where nothing is written, only a read can tell.
      for (let isNewest = false; ; isNewest = true) {
        if (isNewest || this.#version === 0) await this.#read();
        if (this.#isEnded) throw this.#listener.ended();
        let decided: { rows: RowValues; result: T };
        try {
          decided = decide();
        } catch (error) {
          if (isNewest) throw error;
          continue;
        }
        const texts = Object.entries(decided.rows).flatMap(([key, value]): Row[] => {
          const text = value && JSON.stringify(value);
          // The feed shows again what an answer has shown.
          return text === (this.#rows.get(key) ?? null) ? [] : [[this.#prefix + key, text]];
        });
        if (texts.length === 0) {
          if (isNewest) return decided.result;
        } else if (await this.#store.write(texts, this.#version)) {
          this.#version += 1;
          this.#apply(texts, isOwn);
          return decided.result;
        }
      }
    });
  }

  get state(): FeedState {
    return this.get<FeedState>(STATE_KEY) ?? FIRST_STATE;
  }

  get<T extends object>(key: string): T | undefined {
    const known = this.#parsed.get(key);
    if (known) return known as T;
    const text = this.#rows.get(key);
    if (text === undefined) return undefined;
    const value = JSON.parse(text) as T;
    this.#parsed.set(key, value);
    return value;
  }

  /** All cached records of one kind, in no order. */
  records(kind: string): CachedRecord[] {
    return [...(this.#byKind.get(kind) ?? [])].map((key) => this.get<CachedRecord>(key)!);
  }

  /** The cached doses of a medication, in no order. */
  dosesOf(medicationId: string): CachedRecord[] {
    this.#dosesOf ??= this.#indexOfDoses();
    return [...(this.#dosesOf.get(medicationId) ?? [])].map((key) => this.get<CachedRecord>(key)!);
  }

  #indexOfDoses(): Map<string, Set<string>> {
    const index = new Map<string, Set<string>>();
    for (const key of this.#byKind.get('dose') ?? []) keysIn(index, this.#medicationOf(key)).add(key);
    return index;
  }

  #medicationOf(key: string): string {
    return textOf(this.get<CachedRecord>(key)?.body ?? {}, 'medication_id');
  }

  get kinds(): string[] {
    return [...this.#byKind.keys()];
  }

  /** The records that the listing after a reset did not show. */
  get missing(): MissingRecord[] {
    return [...this.#missing].map((key) => this.get<MissingRecord>(key)!);
  }

  /** What the service shows and this device does not believe. */
  get asides(): AsideRecord[] {
    return [...this.#aside].map((key) => this.get<AsideRecord>(key)!);
  }

  /** Of these, what the person must know. */
  get told(): AsideRecord[] {
    return [...this.#told.values()];
  }

  /** The number of the next write. */
  get nextNumber(): number {
    const last = Math.max(0, ...[...this.outbox, ...this.unsealed].map(({ number }) => number));
    return Math.max(this.state.nextNumber, last + 1);
  }

  /**
   * Removes what a former account has left in the store. Its own writes stay until it signs in again, and so does
   * the number of the next one. Its place in the feed goes with its records: else they would never come back.
   */
  async dropForeignRows(): Promise<void> {
    await this.#inTurn(async () => {
      while (!this.#isEnded) {
        const rows = [...this.#foreign].flatMap(([key, text]): Row[] => {
          if (!key.endsWith(` ${STATE_KEY}`)) return [[key, null]];
          const { nextNumber } = JSON.parse(text) as FeedState;
          const rewound = JSON.stringify({ ...FIRST_STATE, nextNumber });
          return rewound === text ? [] : [[key, rewound]];
        });
        if (rows.length === 0) return;
        if (await this.#store.write(rows, this.#version)) {
          this.#version += 1;
          this.#foreign.clear();
          return;
        }
        // Another tab was faster.
        await this.#read();
      }
    });
  }

  /** In the order in which they are sent. */
  get outbox(): readonly OutboxEntry[] {
    this.#outbox ??= this.#inOrder<OutboxEntry>('outbox ');
    return this.#outbox;
  }

  /** Confirmed writes that no head names yet. */
  get unsealed(): UnsealedWrite[] {
    return this.#inOrder('unsealed ');
  }

  /** Wraps of before all keys were replaced, while writes of this device wait to be sealed anew. */
  get former(): FormerRow[] {
    return this.#inOrder(FORMER);
  }

  #inOrder<T extends object>(prefix: string): T[] {
    const keys = [...this.#others].filter((key) => key.startsWith(prefix)).sort();
    return keys.map((key) => this.get<T>(key)!);
  }

  entry(number: number): OutboxEntry | undefined {
    return this.get(entryKey(number));
  }

  #inTurn<T>(run: () => Promise<T>): Promise<T> {
    const turn = this.#turn.then(run, run);
    this.#turn = turn.catch(() => undefined);
    return turn;
  }

  async #read(): Promise<void> {
    const ahead = this.#ahead;
    this.#ahead = undefined;
    if (ahead) this.#merge(await ahead);
    this.#merge(await this.#store.read(this.#version));
  }

  #merge({ version, isWhole, rows }: RowChanges): void {
    this.#version = version;
    if (isWhole) {
      const gone = new Set([...this.#rows.keys()].map((key) => this.#prefix + key));
      if (gone.size > 0) for (const [key] of rows) gone.delete(key);
      this.#apply([...[...gone].map((key): Row => [key, null]), ...rows]);
    } else if (rows.length > 0) this.#apply(rows);
  }

  #apply(rows: readonly Row[], isOwn = false): void {
    const kinds = new Set<string>();
    const removed: [kind: string, id: string][] = [];
    const epoch = this.state.epoch;
    let dosesOf: Set<string> | undefined = rows.length > MOST_TRACED_ROWS ? undefined : new Set();
    const traced = (key: string) => {
      if (!key.startsWith('record dose ') || !this.#rows.has(key) || !(dosesOf || this.#dosesOf)) return;
      const medication = this.#medicationOf(key);
      dosesOf?.add(medication);
      return medication;
    };
    for (const [fullKey, text] of rows) {
      if (!fullKey.startsWith(this.#prefix)) {
        // A space forgets nothing of others: the account's own copy does.
        if (text === null || this.space) this.#foreign.delete(fullKey);
        else if (!/^\S+ (space \S+ )?(outbox|lost|unsealed) /.test(fullKey)) this.#foreign.set(fullKey, text);
        continue;
      }
      const key = fullKey.slice(this.#prefix.length);
      // Each space has a copy of its own.
      if (!this.space && key.startsWith(SPACE)) continue;
      const before = traced(key);
      if (before !== undefined) this.#dosesOf?.get(before)?.delete(key);
      // At a start this runs for each record: nothing here is made for a row that does not need it.
      if (key.startsWith('record ')) {
        const kind = key.slice(RECORD_LENGTH, key.indexOf(' ', RECORD_LENGTH));
        const keys = this.#byKind.get(kind) ?? new Set();
        if (keys.size === 0) this.#byKind.set(kind, keys);
        kinds.add(kind);
        if (text !== null) keys.add(key);
        else if (keys.delete(key)) removed.push([kind, key.slice(RECORD_LENGTH + kind.length + 1)]);
      } else this.#others[text === null ? 'delete' : 'add'](key);
      if (key.startsWith('outbox ')) {
        this.#outbox = undefined;
        const entry = text === null ? this.get<OutboxEntry>(key) : (JSON.parse(text) as OutboxEntry);
        if (entry) kinds.add(entry.kind);
        if (entry?.kind === 'dose' && entry.parent) dosesOf?.add(entry.parent.medication_id);
      } else if (key.startsWith('missing ')) {
        this.#missing[text === null ? 'delete' : 'add'](key);
      } else if (key.startsWith('aside ')) {
        const kind = key.slice(ASIDE_LENGTH, key.indexOf(' ', ASIDE_LENGTH));
        kinds.add(kind);
        // Of what no device has proved, the medication is not sure.
        if (kind === 'dose') dosesOf = undefined;
        isOwn = false;
        const aside = text === null ? undefined : (JSON.parse(text) as AsideRecord);
        this.#aside[aside ? 'add' : 'delete'](key);
        if (aside && isTold(aside)) this.#told.set(key, aside);
        else this.#told.delete(key);
      }
      this.#parsed.delete(key);
      if (text === null) this.#rows.delete(key);
      else this.#rows.set(key, text);
      const after = traced(key);
      if (after !== undefined && this.#dosesOf) keysIn(this.#dosesOf, after).add(key);
    }
    for (const [kind, id] of removed) this.#listener.removed(kind, id);
    if (epoch !== undefined && this.state.epoch !== epoch) this.#listener.epochChanged();
    if (kinds.size > 0 || rows.some(([key]) => key === this.#prefix + STATE_KEY))
      this.#listener.changed(kinds, { ...(dosesOf && { dosesOf }), isOwn });
  }
}

function keysIn(index: Map<string, Set<string>>, name: string): Set<string> {
  const keys = index.get(name) ?? new Set();
  if (keys.size === 0) index.set(name, keys);
  return keys;
}

/**
 * A deletion and its head come in two requests, and so do a change and its head: what is seen once may be right
 * already at the next look. What belongs to a kind that this client does not have is no problem of the person.
 */
function isTold({ code, times, above, isLeft }: AsideRecord): boolean {
  return times > 1 && above === undefined && code !== UNKNOWN_KIND && !isLeft;
}

/** Whether two versions of a record have the same content, whatever the service has set. */
export function hasSameContent(a: object | undefined, b: object | undefined): boolean {
  const content = (body: object | undefined) =>
    canonicalJson({
      ...body,
      ...{ created_at: 0, updated_at: 0, revision: 0, schedule_changed_at: 0, author_id: 0 },
    });
  return content(a) === content(b);
}
