import { ServiceError } from '@app/common';

/** Who waits longer than this many turns has given up, or is no person. */
const MAX_WAITING = 50;

/** Runs work one after another where it has the same key, at once where it has another. */
export class Turns {
  private readonly lines = new Map<string, { last: Promise<unknown>; length: number }>();

  /** @throws ServiceError `overloaded` when too many wait already; what `work` throws. */
  async take<T>(key: string, work: () => Promise<T>): Promise<T> {
    const line = this.lines.get(key) ?? { last: Promise.resolve(), length: 0 };
    if (line.length > MAX_WAITING) throw new ServiceError('overloaded', { retryAfterSeconds: 5 });
    this.lines.set(key, line);
    line.length++;
    const mine = line.last.then(work);
    line.last = mine.catch(() => undefined);
    try {
      return await mine;
    } finally {
      if (--line.length === 0) this.lines.delete(key);
    }
  }
}
