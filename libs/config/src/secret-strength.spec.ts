import { randomBytes } from 'node:crypto';
import { isGuessable } from './secret-strength';

it.each([
  ['one character', 'x'.repeat(64)],
  ['seven characters', 'aabacadaeafagbbcbdbebfbgccdcecfcgdd'],
  ['a repeated word', 'changeme-please!'.repeat(3)],
  ['a repeated word that is cut off', 'a secret word, '.repeat(4).slice(0, 40)],
  ['two halves that are equal', '0f1e2d3c4b5a69788796a5b4c3d2e1f0'.repeat(2)],
  ['the alphabet', 'abcdefghijklmnopqrstuvwxyz012345'],
  ['numbers backwards', '98765432109876543210987654321098'],
  ['every second letter', 'acegikmoqsuwyBDFHJLNPRTVXZ024681'],
])('finds %s', (_, secret) => expect([secret, isGuessable(secret)]).toEqual([secret, true]));

it.each(['hex', 'base64', 'base64url'] as const)('finds nothing in random bytes as %s', (encoding) => {
  for (let count = 0; count < 1000; count++) {
    const secret = randomBytes(encoding === 'hex' ? 16 : 32).toString(encoding);
    expect([secret, isGuessable(secret)]).toEqual([secret, false]);
  }
});

it('finds nothing in a sentence: it does not read', () => {
  expect(isGuessable('a secret of at least thirty-two bytes')).toBe(false);
});
