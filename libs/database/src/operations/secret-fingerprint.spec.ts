import { secretFingerprintOf, hasFingerprint, isFast } from './secret-fingerprint';

const SECRET = 'a secret of this test, long enough';
/** As an older version has stored it. */
const FAST = 'pffoLKwqdVMqsYSdVpBKGKDnmMBI3nXz8UExvoJqi7s';

it('belongs to its secret and to no other', async () => {
  const stored = await secretFingerprintOf(SECRET);
  expect(isFast(stored)).toBe(false);
  expect(await hasFingerprint(SECRET, 'jwt', stored)).toBe(true);
  expect(await hasFingerprint(`${SECRET}!`, 'jwt', stored)).toBe(false);
});

it('is salted, and says how slow it is', async () => {
  const [one, other] = [await secretFingerprintOf(SECRET), await secretFingerprintOf(SECRET)];
  expect(one).toMatch(/^\$scrypt\$ln=14\$[\w-]{22}\$[\w-]{43}$/);
  expect(other).not.toBe(one);
});

it('of an older version is still read', async () => {
  expect(isFast(FAST)).toBe(true);
  expect(await hasFingerprint(SECRET, 'jwt', FAST)).toBe(true);
  expect(await hasFingerprint(SECRET, 'decoy', FAST)).toBe(false);
  expect(await hasFingerprint(`${SECRET}!`, 'jwt', FAST)).toBe(false);
});
