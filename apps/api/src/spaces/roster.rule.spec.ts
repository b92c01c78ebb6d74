import { areNewer, versionOfRoster } from './roster.rule';

const rosterOf = (json: string) => `${Buffer.from(json).toString('base64')}.c2lnbmF0dXJl`;

describe('the version of a roster', () => {
  it.each([
    ['{"version":1}', 1],
    ['{"v":1,"version":2147483646,"members":[]}', 2 ** 31 - 2],
  ])('is read: %s', (json, version) => expect(versionOfRoster(rosterOf(json))).toBe(version));

  it.each([
    '{}',
    'null',
    '1',
    '{"version":0}',
    '{"version":1.5}',
    '{"version":"1"}',
    '{"version":2147483647}',
    '{"version":1',
  ])('is missing: %s', (json) => expect(versionOfRoster(rosterOf(json))).toBeUndefined());

  it.each([undefined, 7, '', '.', 'e30=', '.e30=', 'e30=.', 'e30=.e30=.e30='])('is in no %j', (text) =>
    expect(versionOfRoster(text)).toBeUndefined(),
  );
});

it('versions rise from the stored one on', () => {
  expect(areNewer(3, [4])).toBe(true);
  expect(areNewer(3, [5, 6, 9])).toBe(true);
  expect(areNewer(3, [3])).toBe(false);
  expect(areNewer(3, [4, 4])).toBe(false);
  expect(areNewer(3, [5, 4])).toBe(false);
});
