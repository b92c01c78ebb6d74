import { setTimeout as sleep } from 'node:timers/promises';
import type { Queue } from '@app/common';
import { SLOWED_SECRETS } from '@app/common/observation';
import { SECRET_POLICIES } from './policies';
import type { SharedCounters } from './shared-counters';

const FIRST_MS = 500;
const MAX_MS = 8_000;

/** How long a stranger's try waits after so many wrong ones: half a second at the budget, and twice as long at twice of it. */
export function delayMsAfter(failures: number, budget: number): number {
  if (failures < budget) return 0;
  return Math.min(FIRST_MS * 2 ** Math.floor(Math.log2(failures / budget)), MAX_MS);
}

/**
 * A budget of all wrong secrets together. Beyond it the tries of strangers are slow, one of a network at a time:
 * somebody who tries a few passwords at each of many accounts, from many networks, uses up no other counter.
 *
 * Security: it refuses nobody, and known devices, known addresses and sessions do not wait.
 */
export class Slowdown {
  private failures = 0;
  private until = 0;

  /** @param turns the queue of attempts, whose keys are no networks. */
  constructor(
    private readonly shared: SharedCounters,
    private readonly turns: Queue,
  ) {}

  /** Waits before a try of a stranger; without a network the sender is known. @throws ServiceError `overloaded` if too many of the network wait. */
  async wait(network: string | undefined): Promise<void> {
    if (network === undefined) return;
    const delayMs = Date.now() < this.until ? delayMsAfter(this.failures, SECRET_POLICIES.service.points) : 0;
    if (delayMs === 0) return;
    SLOWED_SECRETS.tell({ seconds: delayMs / 1000 });
    await this.turns.run(network, () => sleep(delayMs));
  }

  /** Counts a wrong secret, and learns how many there were in all processes. */
  async count(): Promise<void> {
    const [state] = await this.shared.take([{ policy: SECRET_POLICIES.service, key: 'all' }]);
    this.failures = state.points;
    this.until = Date.now() + state.msBeforeEnd;
  }
}
