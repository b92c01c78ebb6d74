import { setTimeout as sleep } from 'node:timers/promises';

const PATIENCE_MS = 20_000;

/** Asks until the answer is yes. @throws Error where it stays no. */
export async function until(what: string, question: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + PATIENCE_MS;
  while (!(await question())) {
    if (Date.now() > deadline) throw new Error(`It did not come to pass that ${what}.`);
    await sleep(10);
  }
}
