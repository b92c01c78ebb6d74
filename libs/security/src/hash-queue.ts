import { ServiceError } from '@app/common';

/** More than these wait so long that the person has given up: they are told to come back. */
const MAX_WAITING = 50;
/** Who has waited longer is not waited for any more: the client has gone, or will go before there is an answer. */
const MAX_WAIT_MS = 10_000;

interface Waiting {
  network: string;
  start: () => void;
  refuse: (error: ServiceError) => void;
}

/**
 * A fixed number of places for hash work, with a short queue in front that no single network can keep for itself.
 *
 * First come, first served. Where the queue is full, the last comer of the network that has most in it gives way to one
 * of which there are fewer: who floods it from one place stands in nobody's way but their own.
 */
export class HashQueue {
  private readonly waiting: Waiting[] = [];

  constructor(private free: number) {}

  /** @throws ServiceError `overloaded` where there is no room; what `work` throws. */
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

  /** @returns whether there is a free place, or room in the queue. */
  private makeRoom(network: string): boolean {
    if (this.free > 0 || this.waiting.length < MAX_WAITING) return true;
    const counts = new Map<string, number>();
    for (const each of this.waiting) counts.set(each.network, (counts.get(each.network) ?? 0) + 1);
    const [greediest, most] = [...counts].reduce((one, other) => (other[1] > one[1] ? other : one));
    if (most <= (counts.get(network) ?? 0) + 1) return false;
    const last = this.waiting.findLastIndex((each) => each.network === greediest);
    this.waiting.splice(last, 1)[0].refuse(overloaded());
    return true;
  }
}

function overloaded(): ServiceError {
  return new ServiceError('overloaded', { retryAfterSeconds: 5 });
}
