import { Breaks } from './breaks';

const WORK_MS = 150;

/** Work that awaits, and gives the thread to nobody. @returns whether a timer has run meanwhile */
async function work(pause: () => Promise<void>): Promise<boolean> {
  let hasRun = false;
  const timer = setTimeout(() => (hasRun = true), 0);
  const end = performance.now() + WORK_MS;
  while (performance.now() < end) await pause();
  const seen = hasRun;
  clearTimeout(timer);
  return seen;
}

it('let others run during long work', async () => {
  expect(await work(() => Promise.resolve())).toBe(false);
  const breaks = new Breaks();
  expect(await work(() => breaks.take())).toBe(true);
});

it('are no more than are needed', async () => {
  const breaks = new Breaks();
  let hasRun = false;
  setTimeout(() => (hasRun = true), 0);
  for (let turn = 0; turn < 10; turn += 1) await breaks.take();
  expect(hasRun).toBe(false);
});
