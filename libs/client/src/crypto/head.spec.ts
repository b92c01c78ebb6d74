import { newId } from '../ids';
import { decodeHead, decodePresence, encodeHead, encodePresence, MAX_HEAD_ENTRIES } from './head';

it('comes back, sorted by id', () => {
  const [a, b] = [newId(1), newId(2)];
  const head = decodeHead(
    encodeHead(
      new Map([
        [b, 2 ** 32 - 1],
        [a, 2],
      ]),
    ),
  )!;
  expect([...head]).toEqual([
    [a, 2],
    [b, 2 ** 32 - 1],
  ]);
  expect(encodeHead(new Map())).toBe('');
  expect(decodeHead('')).toEqual(new Map());
});

it('keeps the newest ids when there are too many', () => {
  const ids = Array.from({ length: MAX_HEAD_ENTRIES + 1 }, (_, at) => newId(at));
  const head = decodeHead(encodeHead(new Map(ids.map((id) => [id, 2]))))!;
  expect([...head.keys()]).toEqual(ids.slice(1));
});

it.each([
  ['a number', 7],
  ['no base64', '?'],
  ['half an entry', Buffer.alloc(10).toString('base64')],
  ['no generation', Buffer.alloc(20, 0).toString('base64')],
  ['an id twice', Buffer.alloc(40, 1).toString('base64')],
  ['too many entries', Buffer.alloc(20 * (MAX_HEAD_ENTRIES + 1)).toString('base64')],
])('refuses %s', (_what, text) => expect(decodeHead(text)).toBeUndefined());

describe('which records exist', () => {
  const ids = Array.from({ length: 9 }, (_, at) => newId(at + 1));
  const head = new Map(ids.map((id) => [id, 1]));
  const kinds = new Map([
    [ids[0], 'medication'],
    [ids[8], 'appointment'],
  ]);

  it('is a bit for each entry, by kind', () => {
    const present = encodePresence(head, (id) => kinds.get(id));
    expect(present).toEqual({ appointment: 'AIA=', medication: 'gAA=' });
    expect(decodePresence(head, present)).toEqual(kinds);
    expect(decodePresence(head, undefined)).toEqual(new Map());
  });

  it.each([
    ['a list', []],
    ['too few bits', { medication: 'gA==' }],
    ['too many bits', { medication: 'gAAA' }],
    ['no base64', { medication: '?' }],
  ])('refuses %s', (_what, value) => expect(decodePresence(head, value)).toBeUndefined());
});
