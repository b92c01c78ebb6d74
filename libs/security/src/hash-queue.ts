import { ServiceError } from '@app/common';
import { HASH_RUNS } from '@app/common/observation';
import { FairLine, type Origin } from './fair-line';

/** Longest queue of strangers. In a longer queue, the last entry would wait longer than clients do. */
const MAX_STRANGERS = 50;
/** Places for clients that their account knows. Strangers cannot take these places. */
const MAX_KNOWN = 20;
/** After this time, the client has probably given up, so its work is not started. */
const MAX_WAIT_MS = 10_000;

/** Who asks for a hash. */
export interface HashClient extends Origin {
  /** Whether the account knows the client; see `isKnown`. */
  isKnown: boolean;
}

interface Waiting extends HashClient {
  start: () => void;
  refuse: (error: ServiceError) => void;
}

/**
 * Runs a fixed number of hashes at a time, with two short queues: one for clients that their account knows and
 * one for strangers. The queues take turns, so neither stops the other. No single network can fill a queue; see
 * `FairLine`.
 */
export class HashQueue {
  private readonly known = new FairLine<Waiting>(MAX_KNOWN);
  private readonly strangers = new FairLine<Waiting>(MAX_STRANGERS);
  private isTurnOfKnown = true;

  constructor(private free: number) {}

  /** @throws ServiceError `overloaded` if there is no room or the wait was too long; the errors of `work`. */
  async run<T>(client: HashClient, work: () => Promise<T>): Promise<T> {
    const askedAt = performance.now();
    let startedAt: number | undefined;
    try {
      return await this.inTurn(client, () => {
        startedAt = performance.now();
        return work();
      });
    } finally {
      HASH_RUNS.tell({ askedAt, startedAt, endedAt: performance.now() });
    }
  }

  /** The number of hashes that wait. */
  get waiting(): number {
    return this.known.length + this.strangers.length;
  }

  private async inTurn<T>(client: HashClient, work: () => Promise<T>): Promise<T> {
    const since = performance.now();
    if (this.free > 0) this.free--;
    else await this.wait(client);
    try {
      if (performance.now() - since > MAX_WAIT_MS) throw overloaded();
      return await work();
    } finally {
      const next = this.next();
      if (next) next.start();
      else this.free++;
    }
  }

  private wait(client: HashClient): Promise<void> {
    return new Promise((start, refuse) => {
      const line = client.isKnown ? this.known : this.strangers;
      line.add({ ...client, start, refuse })?.refuse(overloaded());
    });
  }

  private next(): Waiting | undefined {
    const [first, second] = this.isTurnOfKnown ? [this.known, this.strangers] : [this.strangers, this.known];
    this.isTurnOfKnown = !this.isTurnOfKnown;
    return first.take() ?? second.take();
  }
}

function overloaded(): ServiceError {
  return new ServiceError('overloaded', { retryAfterSeconds: 5 });
}
