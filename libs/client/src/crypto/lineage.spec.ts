import { earlierIn, isMadeFrom, successorOf, type Lineage } from './lineage';

const stateOf = (name: string) => name.padEnd(22, 'A') + '==';
const first = (name: string): Lineage => ({ generation: 1, previous: null, state: stateOf(name) });
const after = (name: string, ...all: Lineage[]): Lineage => ({
  ...successorOf(...all),
  state: stateOf(name),
});
/** A line of states, `a1` … */
function line(name: string, length: number, from = first(`${name}0`)): Lineage[] {
  const all = [from];
  for (let at = 1; at <= length; at += 1) all.push(after(`${name}${at}x`, all.at(-1)!));
  return all;
}

it('a state names those from which it was made', () => {
  const all = line('a', 14);
  expect(all[2]).toEqual({
    generation: 3,
    previous: all[1].state,
    earlier: '2.a1xAAA 1.a0AAAA',
    state: stateOf('a2x'),
  });
  expect(all[14].earlier!.split(' ')).toHaveLength(12);
  for (const older of all.slice(2, 14)) expect(isMadeFrom(all[14], older)).toBe(true);
  // Nothing is known of what lies further back.
  expect(isMadeFrom(all[14], all[1])).toBeUndefined();
});

it('a state of another branch was not made from ours', () => {
  const ours = line('a', 5);
  const theirs = line('b', 6, ours[2]);
  expect(theirs.slice(3).map((each) => isMadeFrom(each, ours[5]))).toEqual([false, false, false, false]);
  // Without the names, as older clients write, only the next generation can be told.
  const [next, later] = [theirs[4], theirs[5]].map(({ generation, previous }) => ({ generation, previous }));
  expect(isMadeFrom({ ...next, generation: 7 }, ours[5])).toBe(false);
  expect(isMadeFrom({ ...later, generation: 8 }, ours[5])).toBeUndefined();
});

it('a state that replaces two branches was made from both', () => {
  const ours = line('a', 5);
  const theirs = line('b', 4, ours[2]);
  const joined = after('c', ours[5], theirs[4]);
  expect(joined).toMatchObject({ generation: 8, previous: theirs[4].state });
  for (const each of [...ours, ...theirs]) expect(isMadeFrom(joined, each)).toBe(true);
  expect(earlierIn(joined.earlier, joined.previous)).toEqual({ earlier: joined.earlier });
});

it.each([
  ['names that begin with another state', '2.a1xAAA 1.a0AAAA', stateOf('a2x')],
  ['no text', 7, stateOf('a1x')],
  ['names of a first state', '2.a1xAAA', null],
])('%s say nothing', (_what, earlier, previous) => {
  expect(earlierIn(earlier, previous)).toEqual({});
});
