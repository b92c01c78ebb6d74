import { setTimeout as sleep } from 'node:timers/promises';

const PAUSE_MS = 1_000;
/** So many within that time are no flood. */
const MOST_AT_ONCE = 20;
/** What they hold in memory meanwhile is no more than a line can bring in that time; still, there is an end to it. */
const MOST_WAITING = 2_000;

/**
 * Slows a flood of refused requests down: who is refused at once comes again at once, and that costs more than the pause.
 */
export class Tarpit {
  private recent = 0;

  /** Returns at once, or after a pause where many others were refused of late. */
  async pass(): Promise<void> {
    this.recent++;
    const pause = sleep(PAUSE_MS, undefined, { ref: false }).then(() => this.recent--);
    if (this.recent > MOST_AT_ONCE && this.recent <= MOST_WAITING) await pause;
  }
}
