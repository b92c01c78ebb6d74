import { detailMembersOf } from './detail-members';

// Jest cannot load this package. The tested code does not need it.
jest.mock('magic-string', () => ({}));

describe('the members of the encrypted document', () => {
  it('are read by commas, each with its type', () => {
    const read = detailMembersOf('substance, firstSeen:date?,note?,dose:number');
    expect(read.map(({ name, type }) => [name, type])).toEqual([
      ['substance', 'text'],
      ['firstSeen', 'date?'],
      ['note', 'text?'],
      ['dose', 'number'],
    ]);
  });

  it.each<[string, RegExp]>([
    ['', /needs a member/],
    ['first_seen', /camelCase/],
    ['a b', /camelCase/],
    ['a:b:c', /camelCase|no type/],
    ["x'", /camelCase/],
    ['a:string', /no type string/],
    ['a,a:date', /twice/],
    ['history', /itself uses/],
  ])('are refused: %j', (list, message) => {
    expect(() => detailMembersOf(list)).toThrow(message);
  });
});
