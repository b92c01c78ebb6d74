import { type ErrorCode, ServiceError } from './errors';

/** The limits of {@link Turns}. */
export interface TurnLimits {
  /** Weight that runs at a time for each key. An entry of weight 1 is the usual one. */
  atOnce: number;
  /** Entries that wait for each key. Further ones are refused. Default: no limit. */
  mostWaiting?: number;
  /** An entry that waits longer is refused. Default 5 seconds. `Infinity` waits for ever. */
  patienceMs?: number;
  /** The code of a refusal because too many entries wait. Default `overloaded`. */
  whenFull?: ErrorCode;
}

const PATIENCE_MS = 5_000;

interface Waiting {
  weight: number;
  start: () => void;
}

interface Line {
  used: number;
  waiting: Waiting[];
}

/**
 * Limits how much work runs at a time for each key, such as an account. The rest waits in the line of its
 * key, in the order of arrival. No key waits for another one.
 */
export class Turns {
  private readonly lines = new Map<string, Line>();
  private readonly limits: Required<TurnLimits>;

  constructor(limits: TurnLimits) {
    this.limits = { mostWaiting: Infinity, patienceMs: PATIENCE_MS, whenFull: 'overloaded', ...limits };
  }

  /** The number of entries that have not started. */
  get waiting(): number {
    let count = 0;
    for (const { waiting } of this.lines.values()) count += waiting.length;
    return count;
  }

  /** The number of keys with entries. */
  get keys(): number {
    return this.lines.size;
  }

  /**
   * Takes a place, which `leave` gives back. A weight above the limit counts as the limit.
   *
   * @returns `undefined` if the place is free, else a promise that resolves when it is. It rejects with
   *   ServiceError `overloaded` if the wait is too long.
   * @throws ServiceError `whenFull` if too many entries wait.
   */
  take(key: string, weight = 1): Promise<void> | undefined {
    const line = this.lines.get(key);
    if (line === undefined) {
      this.lines.set(key, { used: this.counted(weight), waiting: [] });
      return undefined;
    }
    if (line.waiting.length === 0 && line.used + this.counted(weight) <= this.limits.atOnce) {
      line.used += this.counted(weight);
      return undefined;
    }
    if (line.waiting.length >= this.limits.mostWaiting)
      throw new ServiceError(this.limits.whenFull, { retryAfterSeconds: 1 });
    return this.wait(line, this.counted(weight));
  }

  /** Gives a place back. `weight` must be that of `take`. */
  leave(key: string, weight = 1): void {
    const line = this.lines.get(key)!;
    line.used -= this.counted(weight);
    this.startNext(line);
    if (line.used === 0 && line.waiting.length === 0) this.lines.delete(key);
  }

  /** Rejects with the errors of `take` and of `work`. */
  async run<T>(key: string, work: () => Promise<T>, weight = 1): Promise<T> {
    const wait = this.take(key, weight);
    if (wait) await wait;
    try {
      return await work();
    } finally {
      this.leave(key, weight);
    }
  }

  private counted(weight: number): number {
    return Math.min(weight, this.limits.atOnce);
  }

  private wait(line: Line, weight: number): Promise<void> {
    const { patienceMs } = this.limits;
    return new Promise((resolve, reject) => {
      const entry: Waiting = {
        weight,
        start: () => {
          clearTimeout(timer);
          resolve();
        },
      };
      line.waiting.push(entry);
      const isPatient = patienceMs === Infinity;
      const timer = isPatient
        ? undefined
        : setTimeout(() => {
            line.waiting.splice(line.waiting.indexOf(entry), 1);
            // A lighter entry may have waited behind this one.
            this.startNext(line);
            reject(new ServiceError('overloaded', { retryAfterSeconds: 1 }));
          }, patienceMs);
    });
  }

  private startNext(line: Line): void {
    while (line.waiting.length > 0 && line.used + line.waiting[0].weight <= this.limits.atOnce) {
      const { weight, start } = line.waiting.shift()!;
      line.used += weight;
      start();
    }
  }
}
