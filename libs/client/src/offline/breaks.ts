/** How long the thread is held at most. A task of 50 ms is one that a person notices. Source: w3.org/TR/longtasks-1. */
const HELD_MS = 30;

/**
 * Breaks of long work. Browsers answer short calls of WebCrypto within the task that asks, so that a loop over thousands of
 * records would hold the thread of a page although it awaits.
 */
export class Breaks {
  #since = performance.now();

  /** Lets everything else run, where the work has held the thread for long enough. */
  async take(): Promise<void> {
    if (performance.now() - this.#since < HELD_MS) return;
    // A timer would wait for seconds in a page that is not in front.
    const { port1, port2 } = new MessageChannel();
    await new Promise<void>((resolve) => {
      port1.addEventListener('message', () => resolve(), { once: true });
      port1.start();
      port2.postMessage(undefined);
    });
    port1.close();
    this.#since = performance.now();
  }
}
