import { readSpaceHeader } from './space-header.rule';

const ID = '01994c5e-9f52-7d6b-b1a4-6a1f0f0e7c11';

describe('the header of a space', () => {
  it.each([
    [ID, undefined],
    [`${ID};0`, 0],
    [`${ID};7`, 7],
    [`${ID};999999999`, 999_999_999],
  ])('is read: %s', (header, version) => expect(readSpaceHeader(header)).toEqual({ id: ID, version }));

  it.each([
    '',
    ';1',
    'x;1',
    `${ID};`,
    `${ID};-1`,
    `${ID};01`,
    `${ID};1.0`,
    `${ID};9999999999`,
    `${ID};1;1`,
    `${ID}, ${ID}`,
    `${ID};1, ${ID};2`,
  ])('is malformed: %j', (header) => expect(readSpaceHeader(header)).toBeUndefined());
});
