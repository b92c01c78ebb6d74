import { Turns } from './turns';

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

describe('turns', () => {
  it('run a few at a time for each key, in the order in which they came', async () => {
    const turns = new Turns({ atOnce: 2 });
    const works = Array.from({ length: 4 }, work);
    const results = works.map(({ run }) => turns.run('a', run));
    const other = work();
    const ofOther = turns.run('b', other.run);
    expect([...works, other].map(({ begun }) => begun())).toEqual([true, true, false, false, true]);
    expect(turns.waiting).toBe(2);
    works[1].end();
    await results[1];
    expect(works.map(({ begun }) => begun())).toEqual([true, true, true, false]);
    for (const { end } of [...works, other]) end();
    expect(await Promise.all([...results, ofOther])).toEqual(Array(5).fill('done'));
    expect(turns.waiting).toBe(0);
  });

  it('go on after work that fails', async () => {
    const turns = new Turns({ atOnce: 1 });
    const results = await Promise.allSettled([
      turns.run('a', () => Promise.reject(new Error('no'))),
      turns.run('a', () => Promise.resolve('done')),
    ]);
    expect(results).toMatchObject([{ reason: { message: 'no' } }, { value: 'done' }]);
    expect(turns.keys).toBe(0);
  });

  it('refuse what waits for too long, and let a lighter entry behind it start', async () => {
    jest.useFakeTimers();
    try {
      const turns = new Turns({ atOnce: 3, patienceMs: 1_000 });
      const [first, heavy, light] = [work(), work(), work()];
      const running = turns.run('a', first.run, 2);
      const refused = turns.run('a', heavy.run, 3);
      jest.advanceTimersByTime(500);
      const started = turns.run('a', light.run);
      jest.advanceTimersByTime(600);
      await expect(refused).rejects.toMatchObject({ code: 'overloaded', retryAfterSeconds: 1 });
      expect([heavy.begun(), turns.waiting]).toEqual([false, 0]);
      for (const { end } of [first, light]) end();
      expect(await Promise.all([running, started])).toEqual(['done', 'done']);
      expect(turns.keys).toBe(0);
    } finally {
      jest.useRealTimers();
    }
  });

  it('refuse what finds the line full', () => {
    const turns = new Turns({ atOnce: 1, mostWaiting: 1, patienceMs: Infinity, whenFull: 'rate_limited' });
    expect(turns.take('a')).toBeUndefined();
    expect(turns.take('a')).toBeInstanceOf(Promise);
    expect(() => turns.take('a')).toThrow(expect.objectContaining({ code: 'rate_limited' }));
    expect(turns.take('b')).toBeUndefined();
  });

  it('run what is heavier than all places alone', () => {
    const turns = new Turns({ atOnce: 2 });
    expect(turns.take('a', 5)).toBeUndefined();
    expect(turns.take('a')).toBeInstanceOf(Promise);
    turns.leave('a', 5);
    expect(turns.waiting).toBe(0);
  });
});
