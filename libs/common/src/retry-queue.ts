import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from './clock';

export interface RetryQueueLimits {
  /** The most items that wait. A further one is dropped. */
  waiting: number;
  /** An item that has waited for longer is dropped. */
  maxAgeMs: number;
  /** The wait after a failure. It doubles with each further one. */
  firstDelayMs: number;
  maxDelayMs: number;
}

/** Works off items one after another. While the work fails, all of them wait, for longer and longer. */
export class RetryQueue<Item> {
  private readonly items: { item: Item; since: number }[] = [];
  private running: Promise<void> | undefined;
  private delayMs = 0;
  private wake = new AbortController();
  private isStopping = false;

  /**
   * @param work `false` asks for another try of the same item. It must not throw.
   * @param onDrop is called for each item that is given up.
   */
  constructor(
    private readonly work: (item: Item) => Promise<boolean>,
    private readonly limits: RetryQueueLimits,
    private readonly clock: Pick<Clock, 'now'>,
    private readonly onDrop: () => void,
  ) {}

  get waiting(): number {
    return this.items.length;
  }

  add(item: Item): void {
    if (this.isStopping || this.items.length >= this.limits.waiting) return this.onDrop();
    this.items.push({ item, since: this.clock.now().getTime() });
    this.running ??= this.run().finally(() => (this.running = undefined));
  }

  /** Takes no more items, and waits for the one that is under way. What waits is lost. */
  async stop(timeoutMs: number): Promise<void> {
    this.isStopping = true;
    this.wake.abort();
    if (this.running) await Promise.race([this.running, sleep(timeoutMs, undefined, { ref: false })]);
  }

  private async run(): Promise<void> {
    while (this.items.length > 0) {
      const [{ item, since }] = this.items;
      if (this.clock.now().getTime() - since > this.limits.maxAgeMs) this.onDrop();
      else if (!(await this.work(item))) {
        if (this.isStopping) return;
        await this.pause();
        continue;
      } else this.delayMs = 0;
      this.items.shift();
    }
  }

  private async pause(): Promise<void> {
    const { firstDelayMs, maxDelayMs } = this.limits;
    this.delayMs = Math.min(this.delayMs * 2 || firstDelayMs, maxDelayMs);
    await sleep(this.delayMs, undefined, { ref: false, signal: this.wake.signal }).catch(() => undefined);
  }
}
