import { namesOf } from './names';

// Jest cannot load this package. The tested code does not need it.
jest.mock('magic-string', () => ({}));

describe('the names of a record kind', () => {
  it('are spelled for files, classes, variables, tables and sentences', () => {
    expect(namesOf('FoodReaction')).toEqual({
      kind: 'food-reaction',
      plural: 'food-reactions',
      kindClass: 'FoodReaction',
      pluralClass: 'FoodReactions',
      kindVariable: 'foodReaction',
      pluralVariable: 'foodReactions',
      kindWords: 'food reaction',
      pluralWords: 'food reactions',
      table: 'food_reactions',
    });
  });

  it.each([
    ['allergy', 'allergies'],
    ['diagnosis', 'diagnoses'],
    ['pulse', 'pulses'],
  ])('have the regular plural of the language: %s, %s', (kind, plural) => {
    expect(namesOf(kind).plural).toBe(plural);
  });

  it('have the plural that is given', () => {
    expect(namesOf('weight', 'weighings').table).toBe('weighings');
  });

  it.each(['', 'a b/c', '../x', '1st', 'ä', "x'; DROP", 'x'.repeat(41)])('are refused: %j', (name) => {
    expect(() => namesOf(name)).toThrow(/is not a name/);
  });

  it.each([
    ['user', undefined, /The name users is taken: the service/],
    ['sync', undefined, /The name sync is taken: the service/],
    ['dose', 'servings', /The name doses is taken: the service/],
    ['health-stat', undefined, /The name health-stats is taken: the service/],
    ['serving', 'doses', /The name doses is taken: the service/],
    ['class', undefined, /The name class is taken: TypeScript/],
    ['order', undefined, /The name order is taken: PostgreSQL/],
    ['reference', 'references', /The name references is taken: PostgreSQL/],
  ])('are refused where they are taken: %s, %s', (name, plural, message) => {
    expect(() => namesOf(name, plural)).toThrow(message);
  });

  it('are refused where the plural is the same word', () => {
    expect(() => namesOf('sheep')).toThrow(/--plural=sheep-records/);
  });
});
