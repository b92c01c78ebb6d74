import { filterFieldsOf, type FilterList } from './filter-fields';

// Jest cannot load this package. The tested code does not need it.
jest.mock('magic-string', () => ({}));

describe('the plain fields of a record kind', () => {
  it.each<[FilterList, string[]]>([
    ['', []],
    ['status', ['status']],
    // What the command makes of `--filters=` and `--no-filters`.
    [0, []],
    [false, []],
    [' status, first_seen_in ,', ['status', 'first_seen_in']],
  ])('are listed by commas: %j', (list, fields) => {
    expect(filterFieldsOf(list)).toEqual(fields);
  });

  it.each<[FilterList, RegExp]>([
    [true, /name the fields/],
    [5, /snake_case/],
    ['firstSeen', /snake_case/],
    ['a-b', /snake_case/],
    ["x'", /snake_case/],
    ['status,status', /twice/],
    ['encrypted_data', /already/],
    ['limit', /already/],
    ['order', /PostgreSQL reserves/],
    ['class', /TypeScript reserves/],
  ])('are refused: %j', (list, message) => {
    expect(() => filterFieldsOf(list)).toThrow(message);
  });
});
