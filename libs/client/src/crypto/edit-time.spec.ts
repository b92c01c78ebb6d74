import { isLater, MAX_AHEAD_MS, readStamp, readTimes, stampAfter, withTimes } from './edit-time';

const NOW = Date.parse('2026-11-23T12:00:00Z');
const at = (ms: number, before?: string) => stampAfter(before, ms);
const FIRST = at(NOW);

describe('the sealed time of a change', () => {
  it('has the time of the device, and counts where that has not moved on', () => {
    const now = NOW + 60_000;
    const first = at(now);
    expect(readStamp(first)).toMatchObject({ ms: now, count: 0 });
    const second = at(now, first);
    expect(readStamp(second)).toMatchObject({ ms: now, count: 1 });
    expect(readStamp(at(now - 1000, second))).toMatchObject({ ms: now, count: 2 });
    expect(readStamp(at(now + 1, second))).toMatchObject({ ms: now + 1, count: 0 });
  });

  it('is never the same for two changes of one version, made by two clients of one process', () => {
    const now = NOW + 120_000;
    const base = at(now - 1);
    const [one, other] = [at(now, base), at(now, base)];
    expect([isLater(other, one, now), isLater(one, other, now)]).toEqual([true, false]);
  });

  it('does not carry on a clock that is far ahead', () => {
    expect(readStamp(at(NOW, at(NOW + MAX_AHEAD_MS)))).toMatchObject({ ms: NOW + MAX_AHEAD_MS, count: 1 });
    expect(readStamp(at(NOW, at(NOW + MAX_AHEAD_MS + 1)))).toMatchObject({ ms: NOW, count: 0 });
  });

  it('goes on with the next millisecond where the count is full', () => {
    const now = NOW + 180_000;
    let stamp = at(now);
    for (let count = 0; count < 0xffff; count += 1) stamp = at(now, stamp);
    expect(readStamp(stamp)).toMatchObject({ ms: now, count: 0xffff });
    expect(readStamp(at(now, stamp))).toMatchObject({ ms: now + 1, count: 0 });
  });

  it.each<[string, string | undefined, string | undefined, boolean]>([
    ['the greater time', at(NOW + 1), at(NOW), true],
    ['the greater count', at(NOW, FIRST), FIRST, true],
    ['not the equal one', 'AAAAAAAAAAAAAAAA', 'AAAAAAAAAAAAAAAA', false],
    ['one that is sealed', at(NOW), undefined, true],
    ['not one that is missing', undefined, at(NOW), false],
    ['not one a day ahead', at(NOW + 86_400_000), at(NOW), false],
    ['a day ahead of another that is wrong, too', at(NOW + 2 * 86_400_000), at(NOW + 86_400_000), true],
    ['not what is no stamp', 'x', at(NOW), false],
  ])('the later one: %s', (_what, one, two, expected) => {
    expect(isLater(one, two, NOW)).toBe(expected);
    if (one !== two) expect(isLater(two, one, NOW)).toBe(!expected);
  });

  it('a unit keeps its time when the rest is changed, and needs no entry of its own otherwise', () => {
    const [first, second] = [at(NOW), at(NOW + 1)];
    expect(withTimes({ '': first }, { '': second, medicine: first })).toEqual({
      '': second,
      medicine: first,
    });
    expect(withTimes({ '': first }, { medicine: first })).toEqual({ '': first });
    expect(withTimes({ '': second, medicine: first }, { medicine: second })).toEqual({ '': second });
    expect(readTimes({ '': first, medicine: 'no stamp' })).toEqual({ '': first });
    expect([readTimes(undefined), readTimes([]), readTimes({}), readTimes({ '': 1 })]).toEqual(
      Array(4).fill(undefined),
    );
  });
});
