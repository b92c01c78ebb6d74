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

/** Reads again and again until it is right. @returns what is right. @throws Error where it never becomes so. */
export async function rightOne<T>(
  what: string,
  read: () => Promise<T>,
  isRight: (found: T) => boolean,
): Promise<T> {
  let found = await read();
  await until(what, async () => isRight(found) || isRight((found = await read())));
  return found;
}
