const EVERY_MS = 1_000;
/** Limits the memory. There are fewer kinds of failures than this. */
const MOST_KINDS = 100;

/**
 * Decides which failures of an outage are logged: one of each kind in a second. Otherwise an unavailable
 * database would fill the log with one line for each request.
 */
export class OutageLog {
  private readonly kinds = new Map<string, { nextAt: number; left: number }>();

  constructor(private readonly now: () => number = () => performance.now()) {}

  /**
   * @returns `undefined` if this failure is not logged; otherwise how many failures of its kind were left out
   *   since the last one that was.
   */
  leftOut(kind: string): number | undefined {
    const now = this.now();
    const known = this.kinds.get(kind);
    if (known && now < known.nextAt) {
      known.left++;
      return undefined;
    }
    if (this.kinds.size >= MOST_KINDS) this.kinds.clear();
    this.kinds.set(kind, { nextAt: now + EVERY_MS, left: 0 });
    return known?.left ?? 0;
  }
}
