import { FairLine, type Origin } from './fair-line';

interface Entry extends Origin {
  name: string;
}

const entry = (block: string, network: string, name = `${block}${network}`): Entry => ({
  block,
  network,
  name,
});
const namesOf = (line: FairLine<Entry>) => {
  const names: string[] = [];
  for (let next = line.take(); next; next = line.take()) names.push(next.name);
  return names;
};

it('lets blocks take turns, and the networks of a block within it', () => {
  const line = new FairLine<Entry>(10);
  for (const name of ['1', '2']) line.add(entry('a', 'x', `ax${name}`));
  line.add(entry('a', 'y'));
  line.add(entry('b', 'x'));
  line.add(entry('b', 'y'));
  expect(namesOf(line)).toEqual(['ax1', 'bx', 'ay', 'by', 'ax2']);
});

it('lets a new block have its turn before the second one of a block that waits longer', () => {
  const line = new FairLine<Entry>(10);
  for (let count = 0; count < 5; count++) line.add(entry('a', 'x'));
  line.take();
  line.add(entry('b', 'x'));
  line.take();
  expect(line.take()?.name).toBe('bx');
});

it('makes room by the newest entry of the largest network of the largest block', () => {
  const line = new FairLine<Entry>(4);
  for (const name of ['first', 'second']) line.add(entry('a', 'x', name));
  line.add(entry('a', 'y'));
  line.add(entry('b', 'x'));
  expect(line.add(entry('c', 'x'))?.name).toBe('second');
  expect(namesOf(line)).toEqual(['first', 'bx', 'cx', 'ay']);
});

it('counts many networks of one block as one: they make room for another block', () => {
  const line = new FairLine<Entry>(50);
  const refused: unknown[] = [];
  for (let count = 0; count < 70; count++) {
    const own = entry('flood', String(count));
    refused.push(line.add(own) === own);
  }
  expect(refused).toEqual([...Array<boolean>(50).fill(false), ...Array<boolean>(20).fill(true)]);
  const mine = entry('home', 'x');
  expect(line.add(mine)).toMatchObject({ block: 'flood', network: '49' });
  line.take();
  expect(line.take()).toBe(mine);
});

it('refuses the new entry where every block has as many', () => {
  const line = new FairLine<Entry>(2);
  line.add(entry('a', 'x'));
  line.add(entry('b', 'x'));
  const late = entry('c', 'x');
  expect(line.add(late)).toBe(late);
  expect(namesOf(line)).toEqual(['ax', 'bx']);
});

it('keeps the turn of a block that is refused another entry', () => {
  const line = new FairLine<Entry>(2);
  line.add(entry('a', 'x', 'first'));
  line.add(entry('b', 'x'));
  line.add(entry('a', 'x', 'refused'));
  expect(namesOf(line)).toEqual(['first', 'bx']);
});
