import { setTimeout as sleep } from 'node:timers/promises';

/** Shorter than the time-out of a test, so that the sentence is seen. */
const TIMEOUT_MS = 45_000;

/** Asks again and again until the answer is yes. @throws Error where it stays no. */
export async function until(what: string, question: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + TIMEOUT_MS;
  while (!(await question())) {
    if (Date.now() > deadline) throw new Error(`This did not become true in time: ${what}.`);
    await sleep(10);
  }
}
