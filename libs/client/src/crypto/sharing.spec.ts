import { newId } from '../ids';
import type { AccountKey } from './account-key';
import { generateDataKey, type WrappedKey } from './key-wrapping';
import { openProfileKey, wrapProfileKey } from './profile-key';
import { decryptRecord, encryptRecord } from './record-cipher';
import {
  generateSharingKeyPair,
  isSharingSupported,
  openSharedProfileKey,
  openSharingKeyPair,
  publicKeyFingerprint,
  shareProfileKey,
  type SharingKeyPair,
} from './sharing';
import { AES_GCM, subtle, type Key } from './web-crypto';

const profileId = newId();
const accountKey = () => crypto.subtle.generateKey(AES_GCM, false, ['wrapKey', 'unwrapKey']);
let mine: AccountKey;
let theirs: Key;
let wrapped: WrappedKey;
let sender: SharingKeyPair;
let recipient: SharingKeyPair;

beforeAll(async () => {
  const [key, input] = [await accountKey(), await accountKey()];
  mine = { key, input, id: Buffer.alloc(16, 1).toString('base64'), accountId: newId() };
  theirs = await accountKey();
  wrapped = await wrapProfileKey({ key: await generateDataKey('profile'), epoch: 3 }, mine, profileId);
  sender = await generateSharingKeyPair(mine.key);
  recipient = await generateSharingKeyPair(theirs);
});

afterEach(() => jest.restoreAllMocks());

const share = (from = sender) => shareProfileKey(profileId, wrapped, mine, from, recipient.publicKey);

it('gives the recipient the very key with its epoch, unreadable', async () => {
  const key = await openSharedProfileKey(profileId, await share(), recipient, sender.publicKey);
  const place = { profileId, kind: 'medication' as const, recordId: newId() };
  const own = await openProfileKey(wrapped, mine, profileId);
  expect((await decryptRecord(await encryptRecord({ a: 1 }, own, place), key, place)).content).toEqual({
    a: 1,
  });
  expect([key.epoch, key.key.extractable]).toEqual([3, false]);
});

it('opens after the key pair was stored and read again', async () => {
  const { publicKey, wrappedPrivateKey } = recipient;
  const stored = await openSharingKeyPair({ publicKey, wrappedPrivateKey }, theirs);
  expect(stored.keys.privateKey.extractable).toBe(false);
  await expect(
    openSharedProfileKey(profileId, await share(), stored, sender.publicKey),
  ).resolves.toBeDefined();
  await expect(openSharingKeyPair(stored, mine.key)).rejects.toMatchObject({ code: 'tampered' });
});

it('does not take the own public key from the service: it is bound to the private one', async () => {
  const planted = { ...recipient, publicKey: (await generateSharingKeyPair(theirs)).publicKey };
  await expect(openSharingKeyPair(planted, theirs)).rejects.toMatchObject({ code: 'tampered' });
});

it('refuses a key that the service has planted, whomever it names as the sender', async () => {
  // The service knows every public key, and makes a profile key that it can read.
  const service = await generateSharingKeyPair(mine.key);
  const planted = await share(service);
  await expect(openSharedProfileKey(profileId, planted, recipient, sender.publicKey)).rejects.toMatchObject({
    code: 'tampered',
  });
});

it('opens for nobody else, for no other profile, and with no bit changed', async () => {
  const shared = await share();
  const other = await generateSharingKeyPair(theirs);
  const open = (id: string, what = shared, own = recipient) =>
    openSharedProfileKey(id, what, own, sender.publicKey);
  const bytes = Buffer.from(shared.ciphertext, 'base64');
  bytes[2] ^= 1;
  await expect(open(profileId, shared, other)).rejects.toMatchObject({ code: 'tampered' });
  await expect(open(newId())).rejects.toMatchObject({ code: 'tampered' });
  await expect(open(profileId, { ...shared, ciphertext: bytes.toString('base64') })).rejects.toMatchObject({
    code: 'tampered',
  });
  await expect(open(profileId, { ...shared, ciphertext: '' })).rejects.toMatchObject({ code: 'tampered' });
});

it('uses a new ephemeral key each time', async () => {
  const [one, two] = await Promise.all([share(), share()]);
  expect(one.encapsulated).not.toBe(two.encapsulated);
});

it.each([
  ['zero', new Uint8Array(32)],
  ['one', Uint8Array.from({ length: 32 }, (_, at) => (at === 0 ? 1 : 0))],
  ['too short', new Uint8Array(31)],
])('refuses the public key %s, whose secret everybody knows', async (_what, bytes) => {
  const publicKey = Buffer.from(bytes).toString('base64');
  await expect(shareProfileKey(profileId, wrapped, mine, sender, publicKey)).rejects.toMatchObject({
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
  expect(await publicKeyFingerprint(sender.publicKey)).not.toBe(fingerprint);
});
