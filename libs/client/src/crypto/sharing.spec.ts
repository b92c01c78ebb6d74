import { newId } from '../ids';
import type { AccountKey } from './account-key';
import { generateDataKey, type WrappedKey } from './key-wrapping';
import { openProfileKey, wrapProfileKey } from './profile-key';
import { decryptRecord, encryptRecord } from './record-cipher';
import {
  generateSharingKeyPair,
  isSharingSupported,
  openSharedProfileKey,
  publicKeyFingerprint,
  shareProfileKey,
  unwrapSharingPrivateKey,
  type SharingKeyPair,
} from './sharing';
import { AES_GCM, subtle, type Key } from './web-crypto';

const profileId = newId();
const accountKey = () => crypto.subtle.generateKey(AES_GCM, false, ['wrapKey', 'unwrapKey']);
let mine: AccountKey;
let theirs: Key;
let wrapped: WrappedKey;
let recipient: SharingKeyPair;

beforeAll(async () => {
  mine = { key: await accountKey(), id: Buffer.alloc(16, 1).toString('base64') };
  theirs = await accountKey();
  wrapped = await wrapProfileKey({ key: await generateDataKey('profile'), epoch: 1 }, mine, profileId);
  recipient = await generateSharingKeyPair(theirs);
});

afterEach(() => jest.restoreAllMocks());

it('gives the recipient the very key, unreadable', async () => {
  const shared = await shareProfileKey(profileId, wrapped, mine, recipient.publicKey);
  const key = await openSharedProfileKey(profileId, shared, recipient);
  const place = { profileId, kind: 'medication' as const, recordId: newId() };
  const own = await openProfileKey(wrapped, mine, profileId);
  expect((await decryptRecord(await encryptRecord({ a: 1 }, own, place), key, place)).content).toEqual({
    a: 1,
  });
  expect(key.key.extractable).toBe(false);
});

it('opens after the private key was stored and read again', async () => {
  const privateKey = await unwrapSharingPrivateKey(recipient.wrappedPrivateKey, theirs);
  const shared = await shareProfileKey(profileId, wrapped, mine, recipient.publicKey);
  await expect(
    openSharedProfileKey(profileId, shared, { publicKey: recipient.publicKey, privateKey }),
  ).resolves.toBeDefined();
  expect(privateKey.extractable).toBe(false);
  await expect(unwrapSharingPrivateKey(recipient.wrappedPrivateKey, mine.key)).rejects.toMatchObject({
    code: 'tampered',
  });
});

it('opens for nobody else, and for no other profile', async () => {
  const shared = await shareProfileKey(profileId, wrapped, mine, recipient.publicKey);
  const other = await generateSharingKeyPair(theirs);
  await expect(openSharedProfileKey(profileId, shared, other)).rejects.toMatchObject({ code: 'tampered' });
  await expect(openSharedProfileKey(newId(), shared, recipient)).rejects.toMatchObject({ code: 'tampered' });
});

it('uses a new ephemeral key each time', async () => {
  const [one, two] = await Promise.all(
    [1, 2].map(() => shareProfileKey(profileId, wrapped, mine, recipient.publicKey)),
  );
  expect(one.ephemeralPublicKey).not.toBe(two.ephemeralPublicKey);
});

it.each([
  ['zero', new Uint8Array(32)],
  ['one', Uint8Array.from({ length: 32 }, (_, at) => (at === 0 ? 1 : 0))],
  ['too short', new Uint8Array(31)],
])('refuses the public key %s, whose secret everybody knows', async (_what, bytes) => {
  const publicKey = Buffer.from(bytes).toString('base64');
  await expect(shareProfileKey(profileId, wrapped, mine, publicKey)).rejects.toMatchObject({
    code: 'invalid_argument',
  });
});

it('says so where the platform lacks X25519', async () => {
  expect(await isSharingSupported()).toBe(true);
  jest.spyOn(subtle(), 'generateKey').mockRejectedValue(new DOMException('no', 'NotSupportedError'));
  expect(await isSharingSupported()).toBe(false);
  await expect(generateSharingKeyPair(theirs)).rejects.toMatchObject({ code: 'x25519_unavailable' });
});

it('has a fingerprint to read aloud, another for another key', async () => {
  const fingerprint = await publicKeyFingerprint(recipient.publicKey);
  expect(fingerprint).toMatch(/^\d{5}( \d{5}){5}$/);
  expect(await publicKeyFingerprint((await generateSharingKeyPair(mine.key)).publicKey)).not.toBe(
    fingerprint,
  );
});
