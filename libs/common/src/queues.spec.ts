import { Queue, type QueueKey } from './queues';

/** Work that ends when the test ends it. */
function work(): { run: () => Promise<string>; end: () => void; begun: () => boolean } {
  let end: () => void = () => undefined;
  let hasBegun = false;
  const ended = new Promise<void>((resolve) => (end = resolve));
  const run = async () => {
    hasBegun = true;
    await ended;
    return 'done';
  };
  return { run, end: () => end(), begun: () => hasBegun };
}

/** Waits in a queue with one slot for all keys; `order` is that of the starts, `refused` of the refusals. */
function inOneSlot() {
  const queue = new Queue('hashes', 1);
  const [order, refused]: [string[], string[]] = [[], []];
  void queue.take('runs');
  const ask = (key: QueueKey, name: string) =>
    queue
      .run(key, async () => void order.push(name))
      .catch((error: { code: string }) => void refused.push(`${name} ${error.code}`));
  return { queue, order, refused, ask };
}

describe('a queue', () => {
  it('runs a few at a time for each key, in the order in which they came', async () => {
    const queue = new Queue('secrets');
    const works = Array.from({ length: 3 }, work);
    const results = works.map(({ run }) => queue.run('a', run));
    const other = work();
    const ofOther = queue.run('b', other.run);
    expect([...works, other].map(({ begun }) => begun())).toEqual([true, false, false, true]);
    expect([queue.waiting, Queue.lengthOf('secrets')]).toEqual([2, 2]);
    works[0].end();
    await results[0];
    expect(works.map(({ begun }) => begun())).toEqual([true, true, false]);
    for (const { end } of [...works, other]) end();
    expect(await Promise.all([...results, ofOther])).toEqual(Array(4).fill('done'));
    expect([queue.waiting, queue.keys, Queue.lengthOf('secrets')]).toEqual([0, 0, 0]);
  });

  it('goes on after work that fails', async () => {
    const queue = new Queue('secrets');
    const results = await Promise.allSettled([
      queue.run('a', () => Promise.reject(new Error('no'))),
      queue.run('a', () => Promise.resolve('done')),
    ]);
    expect(results).toMatchObject([{ reason: { message: 'no' } }, { value: 'done' }]);
    expect(queue.keys).toBe(0);
  });

  it('refuses what waits for too long, and lets a lighter entry behind it start', async () => {
    jest.useFakeTimers();
    try {
      const queue = new Queue('account-requests');
      void queue.take('a', 40);
      const refused = queue.take('a', 60);
      jest.advanceTimersByTime(5_000);
      const started = queue.take('a', 10);
      jest.advanceTimersByTime(5_100);
      await expect(refused).rejects.toMatchObject({
        code: 'overloaded',
        retryAfterSeconds: 1,
        details: [{ field: 'limit', message: 'account-requests' }],
      });
      await started;
      queue.leave('a', 40);
      queue.leave('a', 10);
      expect([queue.waiting, queue.keys]).toEqual([0, 0]);
    } finally {
      jest.useRealTimers();
    }
  });

  it('waits for ever where it is told to', async () => {
    jest.useFakeTimers();
    try {
      const queue = new Queue('long-reads');
      void queue.take('a');
      const waits = queue.take('a', 1, Infinity);
      jest.advanceTimersByTime(10 ** 8);
      queue.leave('a');
      await waits;
    } finally {
      jest.useRealTimers();
    }
  });

  it('refuses what finds the queue of its key full', async () => {
    const queue = new Queue('account-requests');
    void queue.take('a', 64);
    const waiting = Array.from({ length: 500 }, () => queue.take('a', 1, Infinity));
    await expect(queue.take('a')).rejects.toMatchObject({ code: 'rate_limited' });
    expect(queue.take('b')).toBeUndefined();
    queue.leave('a', 64);
    await waiting[0];
  });

  it('runs what is heavier than all slots alone', () => {
    const queue = new Queue('account-requests');
    expect(queue.take('a', 500)).toBeUndefined();
    expect(queue.take('a')).toBeInstanceOf(Promise);
    queue.leave('a', 500);
    expect(queue.waiting).toBe(0);
  });

  it('lets keys, their parts and the parts of these take turns', async () => {
    const { queue, order, ask } = inOneSlot();
    const asked = [
      ask(['strangers', 'a', 'x'], 'ax1'),
      ask(['strangers', 'a', 'x'], 'ax2'),
      ask(['strangers', 'a', 'y'], 'ay'),
      ask(['strangers', 'b', 'x'], 'bx'),
      ask(['known', 'c', 'x'], 'known1'),
      ask(['known', 'c', 'x'], 'known2'),
    ];
    queue.leave('runs');
    await Promise.all(asked);
    expect(order).toEqual(['ax1', 'known1', 'bx', 'known2', 'ay', 'ax2']);
  });

  it('makes room by the newest entry of the largest part of the largest part', async () => {
    const { queue, order, refused, ask } = inOneSlot();
    const asked = Array.from({ length: 48 }, (_, n) => ask(['strangers', 'flood', String(n % 47)], `f${n}`));
    asked.push(ask(['strangers', 'home', 'x'], 'home'), ask(['strangers', 'work', 'x'], 'work'));
    await Promise.resolve();
    expect(refused).toEqual([]);
    asked.push(ask(['strangers', 'away', 'x'], 'away'));
    queue.leave('runs');
    await Promise.all(asked);
    expect(refused).toEqual(['f47 overloaded']);
    expect(order.slice(0, 4)).toEqual(['f0', 'home', 'work', 'away']);
  });

  it('gives known clients the free slots of strangers, and a part of them back when strangers come', async () => {
    const { queue, refused, ask } = inOneSlot();
    const asked = Array.from({ length: 50 }, (_, n) => ask(['known', 'clinic', 'x'], `k${n}`));
    await Promise.resolve();
    expect([queue.waiting, refused]).toEqual([50, []]);
    for (let count = 0; count < 30; count++) asked.push(ask(['strangers', 'b', 'x'], `s${count}`));
    queue.leave('runs');
    await Promise.all(asked);
    const evicted = Array.from({ length: 10 }, (_, n) => `k${49 - n} overloaded`);
    expect(refused).toEqual(evicted);
  });
});
