import { ServiceError } from '@app/common';

/** Longest queue. In a longer queue, the last entry would wait longer than clients do. */
const MAX_WAITING = 50;
/** After this time, the client has probably given up, so its work is not started. */
const MAX_WAIT_MS = 10_000;

interface Waiting {
  network: string;
  start: () => void;
  refuse: (error: ServiceError) => void;
}

/**
 * Runs a fixed number of hashes at a time, with a short queue that no single network can fill.
 *
 * First in, first out. If the queue is full, a new entry replaces the newest entry of the network with the
 * most entries, unless its own network has the same number. A flood from one network only displaces its own
 * entries.
 */
export class HashQueue {
  private readonly waiting: Waiting[] = [];

  constructor(private free: number) {}

  /** @throws ServiceError `overloaded` if there is no room or the wait was too long; the errors of `work`. */
  async run<T>(network: string, work: () => Promise<T>): Promise<T> {
    if (!this.makeRoom(network)) throw overloaded();
    const since = performance.now();
    if (this.free > 0) this.free--;
    else await new Promise<void>((start, refuse) => this.waiting.push({ network, start, refuse }));
    try {
      if (performance.now() - since > MAX_WAIT_MS) throw overloaded();
      return await work();
    } finally {
      const next = this.waiting.shift();
      if (next) next.start();
      else this.free++;
    }
  }

  /** Removes an entry if necessary. @returns whether there is room for one more. */
  private makeRoom(network: string): boolean {
    if (this.free > 0 || this.waiting.length < MAX_WAITING) return true;
    const counts = new Map<string, number>();
    for (const each of this.waiting) counts.set(each.network, (counts.get(each.network) ?? 0) + 1);
    const [largest, most] = [...counts].reduce((one, other) => (other[1] > one[1] ? other : one));
    if (most <= (counts.get(network) ?? 0) + 1) return false;
    const last = this.waiting.findLastIndex((each) => each.network === largest);
    this.waiting.splice(last, 1)[0].refuse(overloaded());
    return true;
  }
}

function overloaded(): ServiceError {
  return new ServiceError('overloaded', { retryAfterSeconds: 5 });
}
