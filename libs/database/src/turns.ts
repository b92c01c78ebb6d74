import { ServiceError } from '@app/common';

/** Work that has waited longer than this is refused. */
const PATIENCE_MS = 5_000;

interface Line {
  running: number;
  waiting: (() => void)[];
}

/**
 * Limits how much work of one kind runs at a time for each key, such as an account. The rest waits in the
 * order of arrival.
 */
export class Turns {
  private readonly lines = new Map<string, Line>();

  /** @param atOnce limit for each key. */
  constructor(
    private readonly atOnce: number,
    private readonly patienceMs = PATIENCE_MS,
  ) {}

  /** The amount of work that has not started. */
  get waiting(): number {
    let count = 0;
    for (const { waiting } of this.lines.values()) count += waiting.length;
    return count;
  }

  /**
   * Rejects with the errors of `work`.
   *
   * @throws ServiceError `overloaded` if the wait is too long.
   */
  async run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const line = this.lines.get(key) ?? { running: 0, waiting: [] };
    this.lines.set(key, line);
    const askedAt = performance.now();
    if (line.running < this.atOnce) line.running++;
    else await new Promise<void>((resolve) => line.waiting.push(resolve));
    try {
      if (performance.now() - askedAt > this.patienceMs)
        throw new ServiceError('overloaded', { retryAfterSeconds: 1 });
      return await work();
    } finally {
      const next = line.waiting.shift();
      if (next) next();
      else if (--line.running === 0) this.lines.delete(key);
    }
  }
}
