import { filterFieldsOf } from './filter-fields';

// Jest cannot load this package. The tested code does not need it.
jest.mock('magic-string', () => ({}));

describe('the plain fields of a record kind', () => {
  it.each<[string, string[]]>([
    ['', []],
    ['status', ['status']],
    [' status, first_seen_in ,', ['status', 'first_seen_in']],
  ])('are listed by commas: %j', (list, fields) => {
    expect(filterFieldsOf(list)).toEqual(fields);
  });

  it.each<[string, RegExp]>([
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
