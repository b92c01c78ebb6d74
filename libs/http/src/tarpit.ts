import { setTimeout as sleep } from 'node:timers/promises';

const PAUSE_MS = 1_000;
/** Up to this number of refusals within the pause, there is no delay. */
const MOST_AT_ONCE = 20;
/**
 * With more waiting requests, further ones are not delayed. This limits the memory that waiting requests use.
 */
const MOST_WAITING = 2_000;

/**
 * Slows down a flood of refused requests. Without a pause, the client repeats a refused request immediately,
 * which costs more.
 */
export class Tarpit {
  private recent = 0;

  /** @param wait makes the pause; tests replace it. */
  constructor(
    private readonly wait: () => Promise<unknown> = () => sleep(PAUSE_MS, undefined, { ref: false }),
  ) {}

  /** Returns immediately, or after a pause if many requests were refused recently. */
  async pass(): Promise<void> {
    this.recent++;
    const pause = this.wait().then(() => this.recent--);
    if (this.recent > MOST_AT_ONCE && this.recent <= MOST_WAITING) await pause;
  }
}
