import { RetryQueue } from './retry-queue';

const LIMITS = { waiting: 3, maxAgeMs: 60_000, firstDelayMs: 1_000, maxDelayMs: 4_000 };

/** A queue whose work fails as long as `isAway`. */
function aQueue() {
  const state = { isAway: false, done: [] as string[], tries: 0, dropped: 0 };
  const work = (item: string) => {
    state.tries++;
    if (!state.isAway) state.done.push(item);
    return Promise.resolve(!state.isAway);
  };
  const clock = { now: () => new Date() };
  return { state, queue: new RetryQueue<string>(work, LIMITS, clock, () => state.dropped++) };
}

describe('a retry queue', () => {
  it('works off its items in their order', async () => {
    const { state, queue } = aQueue();
    for (const item of ['a', 'b', 'c']) queue.add(item);
    await queue.stop(1_000);
    expect([state.done, queue.waiting, state.dropped]).toEqual([['a', 'b', 'c'], 0, 0]);
  });

  it('takes a bounded number while the work fails, and drops the rest', async () => {
    const { state, queue } = aQueue();
    state.isAway = true;
    for (let count = 0; count < 1_000; count++) queue.add(String(count));
    await queue.stop(1_000);
    expect([queue.waiting, state.dropped]).toEqual([3, 997]);
  });

  it('takes nothing after its stop', async () => {
    const { state, queue } = aQueue();
    await queue.stop(1_000);
    queue.add('a');
    expect([state.tries, state.dropped]).toEqual([0, 1]);
  });
});
