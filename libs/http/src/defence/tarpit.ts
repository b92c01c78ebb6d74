import { setTimeout as sleep } from 'node:timers/promises';

/** Up to this number of refusals of one client within the pause, there is no delay. */
const MOST_AT_ONCE = 20;
/** The pause grows with the flood, so that a client gets at most 250 refusals in a second. */
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

  /**
   * Returns immediately, or after a pause if many requests of the client were refused recently.
   *
   * @param keys the names of the client: its address, and its account if there is one. An account that asks from thousands
   *   of addresses waits as if it asked from one.
   */
  async pass(...keys: string[]): Promise<void> {
    const count = Math.max(...keys.map((key) => this.countOne(key)));
    const { least, most, perRefusal } = PAUSE_MS;
    const pause = this.wait(Math.min(most, Math.max(least, count * perRefusal))).then(() =>
      keys.forEach((key) => this.forgetOne(key)),
    );
    if (count <= MOST_AT_ONCE || this.waiting >= MOST_WAITING) return;
    this.waiting++;
    await pause;
    this.waiting--;
  }

  private countOne(key: string): number {
    const count = (this.recent.get(key) ?? 0) + 1;
    this.recent.set(key, count);
    return count;
  }

  private forgetOne(key: string): void {
    const count = this.recent.get(key)! - 1;
    if (count > 0) this.recent.set(key, count);
    else this.recent.delete(key);
  }
}
