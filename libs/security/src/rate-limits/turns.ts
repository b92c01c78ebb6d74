import { ServiceError } from '@app/common';

/** Maximum number of waiting entries for one key. Further entries are refused. */
const MAX_WAITING = 50;

/** Runs work with the same key one after another, and work with different keys at the same time. */
export class Turns {
  private readonly lines = new Map<string, { last: Promise<unknown>; length: number }>();

  /** @throws ServiceError `overloaded` if too many entries wait already; the errors of `work`. */
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
