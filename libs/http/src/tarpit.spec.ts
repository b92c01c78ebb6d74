import { Tarpit } from './tarpit';

/** Of so many that come at once: how many are through before the pause is over, and how many after it. */
async function passing(count: number): Promise<{ atOnce: number; later: number }> {
  const tarpit = new Tarpit();
  let through = 0;
  const all = Array.from({ length: count }, () => tarpit.pass().then(() => through++));
  await new Promise((resolve) => setImmediate(resolve));
  const atOnce = through;
  await Promise.all(all);
  return { atOnce, later: through - atOnce };
}

describe('a tarpit', () => {
  it('lets a few through at once', async () => {
    expect(await passing(20)).toEqual({ atOnce: 20, later: 0 });
  });

  it('holds a flood, but no more of it than it can carry', async () => {
    expect(await passing(100)).toEqual({ atOnce: 20, later: 80 });
    expect(await passing(3_000)).toEqual({ atOnce: 1_020, later: 1_980 });
  });

  it('forgets a flood that is over', async () => {
    const tarpit = new Tarpit();
    await Promise.all(Array.from({ length: 30 }, () => tarpit.pass()));
    const begin = performance.now();
    await tarpit.pass();
    expect(performance.now() - begin).toBeLessThan(500);
  });
});
