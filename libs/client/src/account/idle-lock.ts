/** The source of events of a person's activity; `window` in a browser. */
export interface ActivitySource {
  /** As of an `EventTarget`. */
  addEventListener(
    type: string,
    listener: () => void,
    options?: { passive: boolean; capture: boolean },
  ): void;
  /** As of an `EventTarget`. */
  removeEventListener(type: string, listener: () => void, options?: { capture: boolean }): void;
}

/** Options of the idle lock. */
export interface IdleLockOptions {
  /**
   * In milliseconds without activity of the person, in any tab. A function is asked anew at each look, at least
   * every half minute, so that a page can change the time; `Infinity` never locks.
   */
  afterMs: number | (() => number);
  /** Default: `window`. Elsewhere, call `noteActivity` of the client. */
  activity?: ActivitySource;
}

const ACTIVITY = ['pointerdown', 'keydown', 'wheel', 'touchstart'];
/** Events after which the clock is checked, because the timers of a sleeping device stand still. */
const WAKING = ['visibilitychange', 'pageshow', 'focus'];
/** Activity is reported to other tabs at most this often, in milliseconds. */
const TELL_MS = 5000;
/** The time that a function gives may have become shorter: a timer waits no longer than this, in milliseconds. */
const LOOK_MS = 30_000;

/** Calls `lock` when nobody has been active for a while. Counts by the clock, so that sleep counts too. */
export class IdleLock {
  readonly #afterMs: () => number;
  readonly #source: ActivitySource | undefined;
  readonly #lock: () => void;
  readonly #tell: () => void;
  #activeAt = Date.now();
  #toldAt = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor({ afterMs, activity }: IdleLockOptions, lock: () => void, tell: () => void) {
    this.#afterMs = typeof afterMs === 'function' ? afterMs : () => afterMs;
    this.#source = activity ?? (globalThis as { window?: ActivitySource }).window;
    this.#lock = lock;
    this.#tell = tell;
    for (const type of ACTIVITY)
      this.#source?.addEventListener(type, this.#heard, { passive: true, capture: true });
    for (const type of WAKING)
      this.#source?.addEventListener(type, this.#check, { passive: true, capture: true });
  }

  /** Starts to count; call it at an unlock. */
  start(): void {
    this.#activeAt = Date.now();
    this.#wait();
  }

  /** Stops to count; call it at a lock. */
  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  /** @param isTold whether another tab has reported the activity. */
  noteActivity(isTold = false): void {
    // The first activity after a long time locks, because it may be that of another person.
    this.#check();
    this.#activeAt = Date.now();
    if (isTold || this.#activeAt - this.#toldAt < TELL_MS) return;
    this.#toldAt = this.#activeAt;
    this.#tell();
  }

  /** Locks where the time is over and no timer has said so yet, as in a tab in the background or after sleep. */
  check(): void {
    this.#check();
  }

  close(): void {
    this.stop();
    for (const type of ACTIVITY) this.#source?.removeEventListener(type, this.#heard, { capture: true });
    for (const type of WAKING) this.#source?.removeEventListener(type, this.#check, { capture: true });
  }

  readonly #heard = () => this.noteActivity();

  readonly #check = () => {
    if (this.#timer !== undefined && Date.now() - this.#activeAt >= this.#afterMs()) this.#lock();
  };

  #wait(): void {
    clearTimeout(this.#timer);
    const restMs = this.#activeAt + this.#afterMs() - Date.now();
    this.#timer = setTimeout(
      () => {
        this.#check();
        // Somebody was active in the meantime.
        if (this.#timer !== undefined) this.#wait();
      },
      Math.min(Math.max(restMs, 1), LOOK_MS),
    );
    // The timer must not keep a process of Node alive.
    (this.#timer as { unref?: () => void }).unref?.();
  }
}
