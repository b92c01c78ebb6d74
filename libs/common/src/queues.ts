import { type ErrorCode, type ErrorExtras, ServiceError } from './errors';
import { LIMIT_DECISIONS } from './observation';

/** The limits of one {@link Queue}. A limit that is absent does not exist. */
export interface QueueLimits {
  /** For all keys together: the weight that runs at a time, and the entries that wait. */
  all?: { slots?: number; length?: number };
  /** For each key, such as an account. */
  each?: { slots?: number; length?: number };
  /** An entry that waits longer is refused with `overloaded`. */
  timeoutMs: number;
  /** The answer to an entry that finds the queue full. */
  whenFull: ErrorCode;
  retryAfterSeconds: number;
}

/**
 * All queues of a process. The name is also the `limit` in the details of the refusal and in the metrics.
 * docs/limits.md has the same table.
 */
export const QUEUES = {
  /** Requests in flight of an account, or of an address without a token, in the units of `WEIGHTS`. */
  'account-requests': {
    each: { slots: 64, length: 500 },
    timeoutMs: 10_000,
    whenFull: 'rate_limited',
    retryAfterSeconds: 1,
  },
  /** All requests in flight of an address, which many accounts may share. */
  'address-requests': {
    each: { slots: 512, length: 4_000 },
    timeoutMs: 10_000,
    whenFull: 'rate_limited',
    retryAfterSeconds: 1,
  },
  /** Hashes of secrets. The keys are known clients and strangers. One slot for each two cores. */
  hashes: {
    all: { length: 70 },
    each: { length: 50 },
    timeoutMs: 10_000,
    whenFull: 'overloaded',
    retryAfterSeconds: 5,
  },
  /** Reads of many bytes or rows: pages of lists and of the feed, exports, counts of very many doses. */
  'long-reads': {
    all: { slots: 2, length: 1_000 },
    each: { slots: 1 },
    timeoutMs: 10_000,
    whenFull: 'overloaded',
    retryAfterSeconds: 1,
  },
  /** Checks of interactions that run in a thread. The keys are the threads. */
  checks: {
    each: { slots: 1, length: 64 },
    timeoutMs: 10_000,
    whenFull: 'overloaded',
    retryAfterSeconds: 5,
  },
  /** Attempts with one secret, which count one after another. */
  secrets: {
    each: { slots: 1, length: 50 },
    timeoutMs: 30_000,
    whenFull: 'overloaded',
    retryAfterSeconds: 1,
  },
} satisfies Record<string, QueueLimits>;

export type QueueName = keyof typeof QUEUES;

export const QUEUE_NAMES = Object.keys(QUEUES) as QueueName[];

/** The key of an entry. Further parts share the waiting time of the key fairly: an address within a network. */
export type QueueKey = string | readonly [string, ...string[]];

/** A refusal that says which limit it was. Security: `limit` is a name from the source code. */
export function refusedBy(limit: string, code: ErrorCode, extras: ErrorExtras = {}): ServiceError {
  return new ServiceError(code, {
    retryAfterSeconds: 1,
    ...extras,
    details: [{ field: 'limit', message: limit }],
  });
}

interface Entry {
  weight: number;
  start: () => void;
  refuse: () => void;
}

/** The entries of one key that wait, in the order of their turns. */
class WaitingEntries {
  size = 0;
  private readonly entries: Entry[] = [];
  private readonly parts = new Map<string, WaitingEntries>();

  /** The entry whose turn it is. */
  get first(): Entry | undefined {
    for (const part of this.parts.values()) return part.first;
    return this.entries[0];
  }

  add(path: readonly string[], entry: Entry): void {
    this.size++;
    if (path.length === 0) return void this.entries.push(entry);
    const [key, ...rest] = path;
    const part = this.parts.get(key) ?? new WaitingEntries();
    this.parts.set(key, part);
    part.add(rest, entry);
  }

  /** Removes the first entry. Its part has its next turn after all others. */
  takeFirst(): void {
    this.size--;
    for (const [key, part] of this.parts) {
      this.parts.delete(key);
      part.takeFirst();
      if (part.size > 0) this.parts.set(key, part);
      return;
    }
    this.entries.shift();
  }

  /** Removes the newest entry of the largest part; of equal ones `path`, else the one whose turn is last. */
  takeNewestOfLargest(path: readonly string[]): Entry {
    this.size--;
    if (this.parts.size === 0) return this.entries.pop()!;
    const key = largest(this.parts, path[0], ({ size }) => size);
    const part = this.parts.get(key)!;
    const entry = part.takeNewestOfLargest(key === path[0] ? path.slice(1) : []);
    if (part.size === 0) this.parts.delete(key);
    return entry;
  }

  /** @returns whether it was there. */
  remove(path: readonly string[], entry: Entry): boolean {
    const [key, ...rest] = path;
    const part = this.parts.get(key);
    const index = this.entries.indexOf(entry);
    const isFound = path.length === 0 ? index >= 0 : part !== undefined && part.remove(rest, entry);
    if (!isFound) return false;
    if (path.length === 0) this.entries.splice(index, 1);
    else if (part!.size === 0) this.parts.delete(key);
    this.size--;
    return true;
  }
}

/** The work of one key. */
interface Group {
  used: number;
  waiting: WaitingEntries | undefined;
}

/**
 * Limits how much work runs at a time. The rest waits.
 *
 * The keys take turns, and so do the parts of a key. The entries of one key and part run in the order of their
 * arrival. A full queue refuses the newest entry of whoever has the most entries in it, so that nobody can fill
 * it for others.
 */
export class Queue {
  private static readonly lengths = new Map<QueueName, number>();

  private readonly groups = new Map<string, Group>();
  private readonly limits: QueueLimits;
  private readonly slotsOfAll: number;
  private readonly slotsOfEach: number;
  private used = 0;
  private entries = 0;

  /** @param slots for all keys, if they depend on the machine. */
  constructor(
    private readonly name: QueueName,
    slots?: number,
  ) {
    this.limits = QUEUES[name];
    this.slotsOfAll = slots ?? this.limits.all?.slots ?? Infinity;
    this.slotsOfEach = this.limits.each?.slots ?? Infinity;
  }

  /** The number of entries that wait in all queues of a name in this process. */
  static lengthOf(name: QueueName): number {
    return Queue.lengths.get(name) ?? 0;
  }

  /** The number of entries that have not started. */
  get waiting(): number {
    return this.entries;
  }

  /** The number of keys with entries. */
  get keys(): number {
    return this.groups.size;
  }

  /**
   * Takes a slot, which `leave` gives back. A weight above the limit counts as the limit.
   *
   * @param timeoutMs another time-out than that of the queue; `Infinity` waits for ever.
   * @returns `undefined` if a slot is free, else a promise that resolves when it is. It rejects with the
   *   ServiceError of the queue if the wait is too long, or if the queue is full.
   */
  take(key: QueueKey, weight = 1, timeoutMs = this.limits.timeoutMs): Promise<void> | undefined {
    const first = typeof key === 'string' ? key : key[0];
    const counted = this.counted(weight);
    let group = this.groups.get(first);
    if (group === undefined) {
      group = { used: 0, waiting: undefined };
      this.groups.set(first, group);
    }
    if (group.waiting === undefined && this.hasRoom(group, counted)) {
      group.used += counted;
      this.used += counted;
      return undefined;
    }
    const path = typeof key === 'string' ? [] : key.slice(1);
    return this.wait(first, path, group, counted, timeoutMs);
  }

  /** Gives a slot back. `key` and `weight` must be those of `take`. */
  leave(key: QueueKey, weight = 1): void {
    const first = typeof key === 'string' ? key : key[0];
    const counted = this.counted(weight);
    const group = this.groups.get(first)!;
    group.used -= counted;
    this.used -= counted;
    this.startNext(first, group);
  }

  /** Rejects with the errors of `take` and of `work`. */
  async run<T>(key: QueueKey, work: () => Promise<T>, timeoutMs?: number): Promise<T> {
    const wait = this.take(key, 1, timeoutMs);
    if (wait) await wait;
    try {
      return await work();
    } finally {
      this.leave(key);
    }
  }

  private count(change: 1 | -1): void {
    this.entries += change;
    Queue.lengths.set(this.name, Queue.lengthOf(this.name) + change);
  }

  private counted(weight: number): number {
    return Math.min(weight, this.slotsOfEach, this.slotsOfAll);
  }

  private hasRoom(group: Group, weight: number): boolean {
    return group.used + weight <= this.slotsOfEach && this.used + weight <= this.slotsOfAll;
  }

  private wait(
    key: string,
    path: readonly string[],
    group: Group,
    weight: number,
    timeoutMs: number,
  ): Promise<void> {
    const waiting = (group.waiting ??= new WaitingEntries());
    return new Promise((resolve, reject) => {
      let timer: NodeJS.Timeout | undefined;
      const refuse = (code: ErrorCode) => {
        clearTimeout(timer);
        LIMIT_DECISIONS.tell({ limit: this.name, isRefused: true });
        reject(refusedBy(this.name, code, { retryAfterSeconds: this.limits.retryAfterSeconds }));
      };
      const entry: Entry = {
        weight,
        start: () => {
          clearTimeout(timer);
          resolve();
        },
        refuse: () => refuse(this.limits.whenFull),
      };
      waiting.add(path, entry);
      this.count(1);
      if (timeoutMs !== Infinity)
        timer = setTimeout(() => {
          if (!waiting.remove(path, entry)) return;
          this.count(-1);
          refuse('overloaded');
          // A lighter entry may have waited behind this one.
          this.startNext(key, group);
        }, timeoutMs);
      this.makeRoom(key, path, group);
    });
  }

  /** Refuses an entry of a queue that is too long. It can be the new one. */
  private makeRoom(key: string, path: readonly string[], group: Group): void {
    const { all, each } = this.limits;
    let [fullKey, full] = [key, group];
    if (group.waiting!.size <= (each?.length ?? Infinity)) {
      if (this.entries <= (all?.length ?? Infinity)) return;
      fullKey = largest(this.groups, key, ({ waiting }) => waiting?.size ?? 0);
      full = this.groups.get(fullKey)!;
    }
    const refused = full.waiting!.takeNewestOfLargest(fullKey === key ? path : []);
    this.count(-1);
    refused.refuse();
    this.tidy(fullKey, full);
  }

  /** Starts what has room now. Without a limit for all keys, only this one can have gained room. */
  private startNext(key: string, group: Group): void {
    if (this.slotsOfAll === Infinity) while (this.startOne(key, group));
    else while ([...this.groups].some(([other, each]) => this.startOne(other, each)));
    this.tidy(key, group);
  }

  private startOne(key: string, group: Group): boolean {
    const entry = group.waiting?.first;
    if (entry === undefined || !this.hasRoom(group, entry.weight)) return false;
    group.waiting!.takeFirst();
    this.count(-1);
    group.used += entry.weight;
    this.used += entry.weight;
    // Its next turn comes after those of all others.
    this.groups.delete(key);
    this.groups.set(key, group);
    if (group.waiting!.size === 0) group.waiting = undefined;
    entry.start();
    return true;
  }

  private tidy(key: string, group: Group): void {
    if (group.waiting?.size === 0) group.waiting = undefined;
    if (group.used === 0 && group.waiting === undefined) this.groups.delete(key);
  }
}

/** The key of the largest value. Of equal ones, `preferred` if it is one of them, else the last one. */
function largest<V>(
  values: Map<string, V>,
  preferred: string | undefined,
  sizeOf: (value: V) => number,
): string {
  let found = '';
  let size = -1;
  for (const [key, value] of values) {
    const each = sizeOf(value);
    if (each < size || (each === size && found === preferred)) continue;
    [found, size] = [key, each];
  }
  return found;
}
