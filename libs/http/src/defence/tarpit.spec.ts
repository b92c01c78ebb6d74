import { Tarpit } from './tarpit';

/** A tarpit whose pauses the test ends. */
function aTarpit(): { tarpit: Tarpit; endPauses: () => Promise<void> } {
  let ends: (() => void)[] = [];
  const tarpit = new Tarpit(() => new Promise<void>((resolve) => ends.push(resolve)));
  const endPauses = async () => {
    for (const end of ends) end();
    ends = [];
    await settled();
  };
  return { tarpit, endPauses };
}

/** Lets all work continue that waits for nothing. */
const settled = () => new Promise<void>((resolve) => setImmediate(resolve));

/**
 * Passes this number of requests at the same time. Counts those that finish before the end of the pause and
 * those after it.
 */
async function passing(count: number): Promise<{ atOnce: number; later: number }> {
  const { tarpit, endPauses } = aTarpit();
  let through = 0;
  for (let index = 0; index < count; index++) void tarpit.pass('a').then(() => through++);
  await settled();
  const atOnce = through;
  await endPauses();
  return { atOnce, later: through - atOnce };
}

describe('a tarpit', () => {
  it('lets a few through at once', async () => {
    expect(await passing(20)).toEqual({ atOnce: 20, later: 0 });
  });

  it('holds a flood, but no more of it than it can carry', async () => {
    expect(await passing(100)).toEqual({ atOnce: 20, later: 80 });
    expect(await passing(6_000)).toEqual({ atOnce: 1_000, later: 5_000 });
  });

  it('does not hold another address, and holds a larger flood for longer', async () => {
    const pauses: number[] = [];
    const tarpit = new Tarpit((ms) => {
      pauses.push(ms);
      return new Promise(() => undefined);
    });
    for (let index = 0; index < 3_000; index++) void tarpit.pass('a');
    await tarpit.pass('b');
    expect([pauses[0], pauses[999], pauses[2_999], pauses[3_000]]).toEqual([1_000, 4_000, 10_000, 1_000]);
  });

  it('holds an account that asks from everywhere, and others at none of its addresses', async () => {
    const { tarpit, endPauses } = aTarpit();
    let through = 0;
    for (let index = 0; index < 100; index++)
      void tarpit.pass(`address ${index}`, 'account').then(() => through++);
    await settled();
    expect(through).toBe(20);
    await tarpit.pass('address 99', 'another account');
    await endPauses();
    expect(through).toBe(100);
  });

  it('forgets a flood that is over', async () => {
    const { tarpit, endPauses } = aTarpit();
    for (let index = 0; index < 30; index++) void tarpit.pass('a');
    await endPauses();
    let isThrough = false;
    void tarpit.pass('a').then(() => (isThrough = true));
    await settled();
    expect(isThrough).toBe(true);
  });

  it('pauses by itself', async () => {
    const tarpit = new Tarpit();
    const begin = performance.now();
    await Promise.all(Array.from({ length: 21 }, () => tarpit.pass('a')));
    expect(performance.now() - begin).toBeGreaterThanOrEqual(900);
  });
});
