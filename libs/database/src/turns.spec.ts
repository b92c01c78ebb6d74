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
    const turns = new Turns(2);
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
    const turns = new Turns(1);
    const results = await Promise.allSettled([
      turns.run('a', () => Promise.reject(new Error('no'))),
      turns.run('a', () => Promise.resolve('done')),
    ]);
    expect(results).toMatchObject([{ reason: { message: 'no' } }, { value: 'done' }]);
  });

  it('refuse what waited for too long', async () => {
    const turns = new Turns(1);
    const first = work();
    const results = [turns.run('a', first.run), turns.run('a', work().run)];
    const clock = jest.spyOn(performance, 'now').mockReturnValue(performance.now() + 5_500);
    first.end();
    expect(await Promise.allSettled(results)).toMatchObject([
      { value: 'done' },
      { reason: { code: 'overloaded' } },
    ]);
    clock.mockRestore();
  });
});
