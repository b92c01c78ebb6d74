import { setTimeout as sleep } from 'node:timers/promises';

/** Up to this number of refusals of one address within the pause, there is no delay. */
const MOST_AT_ONCE = 20;
/** The pause grows with the flood, so that an address gets at most 250 refusals in a second. */
const PAUSE_MS = { least: 1_000, most: 10_000, perRefusal: 4 };
/**
 * With more waiting requests, further ones are not delayed. This limits the memory that waiting requests use.
 */
const MOST_WAITING = 5_000;

/**
 * Slows down a flood of refused requests. Without a pause, the client repeats a refused request immediately,
 * which costs more.
 */
export class Tarpit {
  private readonly recent = new Map<string, number>();
  private waiting = 0;

  /** @param wait makes the pause; tests replace it. */
  constructor(
    private readonly wait: (ms: number) => Promise<unknown> = (ms) => sleep(ms, undefined, { ref: false }),
  ) {}

  /** Returns immediately, or after a pause if many requests of the address were refused recently. */
  async pass(address: string): Promise<void> {
    const count = (this.recent.get(address) ?? 0) + 1;
    this.recent.set(address, count);
    const { least, most, perRefusal } = PAUSE_MS;
    const pause = this.wait(Math.min(most, Math.max(least, count * perRefusal))).then(() =>
      this.forgetOne(address),
    );
    if (count <= MOST_AT_ONCE || this.waiting >= MOST_WAITING) return;
    this.waiting++;
    await pause;
    this.waiting--;
  }

  private forgetOne(address: string): void {
    const count = this.recent.get(address)! - 1;
    if (count > 0) this.recent.set(address, count);
    else this.recent.delete(address);
  }
}
