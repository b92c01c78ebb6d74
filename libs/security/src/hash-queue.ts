import { Queue } from '@app/common';
import { HASH_RUNS } from '@app/common/observation';
import { networkOf, widerNetworksOf } from './rate-limits/network';

/** Who asks for a hash. */
export interface HashClient {
  address: string;
  /** Whether the account knows the client; see `isKnown`. */
  isKnown: boolean;
}

/**
 * Runs a fixed number of hashes at a time. Clients that their account knows and strangers take turns, so neither
 * stops the other; each uses the free slots of the other. Within them, blocks and their networks take turns: a
 * sender with many networks in one block gets the share of one block.
 */
export class HashQueue {
  private readonly queue: Queue;

  /** @param slots hashes that run at a time. */
  constructor(slots: number) {
    this.queue = new Queue('hashes', slots);
  }

  /** The number of hashes that wait. */
  get waiting(): number {
    return this.queue.waiting;
  }

  /** @throws ServiceError `overloaded` if there is no room or the wait was too long; the errors of `work`. */
  async run<T>({ address, isKnown }: HashClient, work: () => Promise<T>): Promise<T> {
    const askedAt = performance.now();
    const network = networkOf(address);
    const key = [isKnown ? 'known' : 'strangers', widerNetworksOf(network).block, network] as const;
    let startedAt: number | undefined;
    try {
      return await this.queue.run(key, () => {
        startedAt = performance.now();
        return work();
      });
    } finally {
      HASH_RUNS.tell({ askedAt, startedAt, endedAt: performance.now() });
    }
  }
}
