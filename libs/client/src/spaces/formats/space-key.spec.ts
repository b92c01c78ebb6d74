import { generateDataKey } from '../../crypto/key-wrapping';
import type { SpaceKeyPlace } from '../../crypto/labels';
import { decryptRecord, encryptRecord } from '../../crypto/record-cipher';
import type { Key } from '../../crypto/web-crypto';
import { newId } from '../../ids';
import { newSpacePerson, type SpacePerson } from '../../testing/space-people';
import { openSpaceKey, profileKeyIdOf, wrapSpaceKey, type ExpectedKey } from './space-key';

let ada: SpacePerson;
let ben: SpacePerson;
let dek: Key;
let place: SpaceKeyPlace;
let expected: ExpectedKey;
let wrap: string;

beforeAll(async () => {
  [ada, ben] = await Promise.all([newSpacePerson(), newSpacePerson()]);
  dek = await generateDataKey('profile');
  const [senderId, recipientId] = [ada.own.account, ben.own.account];
  place = { spaceId: newId(), profileId: newId(), rosterVersion: 3, senderId, recipientId };
  expected = { signing: ada.own.signing, epoch: 2, key: await profileKeyIdOf(dek, place.profileId) };
  wrap = await wrapSpaceKey(dek, place, ada.own, ada.account, ben.own.sharing);
});

const open = (text = wrap, at = place, as = expected, by = ben) =>
  openSpaceKey(text, at, as, by.own, by.account);

it('gives the recipient the very key, unreadable, with the epoch of the roster', async () => {
  expect(Buffer.from(wrap, 'base64')).toHaveLength(1232);
  expect(wrap).toHaveLength(1644);
  const key = await open();
  expect([key.epoch, key.key.extractable, key.doses.extractable]).toEqual([2, false, false]);
  const record = { profileId: place.profileId, kind: 'medication', recordId: newId() };
  const wire = await encryptRecord({ a: 1 }, { key: dek, epoch: 2 }, record);
  expect((await decryptRecord(wire, key, record)).content).toEqual({ a: 1 });
});

it('gives it readable to a function that seals it on', async () => {
  const { key } = await openSpaceKey(wrap, place, expected, ben.own, ben.account, true);
  expect(await profileKeyIdOf(key, place.profileId)).toBe(expected.key);
});

it('is another one each time', async () => {
  expect(await wrapSpaceKey(dek, place, ada.own, ada.account, ben.own.sharing)).not.toBe(wrap);
});

it.each(['spaceId', 'profileId', 'senderId', 'recipientId'] as const)(
  'does not open with another %s (attack 5)',
  async (name) => {
    await expect(open(wrap, { ...place, [name]: newId() })).rejects.toMatchObject({ code: 'tampered' });
  },
);

it('does not open as that of another roster (attack 6)', async () => {
  await expect(open(wrap, { ...place, rosterVersion: 4 })).rejects.toMatchObject({ code: 'tampered' });
});

it.each([
  ['the encapsulated key', 0],
  ['its end, of X25519', 1119],
  ['the sealed key', 1120],
  ['the tag', 1167],
  ['the signature', 1168],
  ['the end of the signature', 1231],
])('does not open with a bit of %s changed (attack 5)', async (_what, at) => {
  const bytes = Buffer.from(wrap, 'base64');
  bytes[at] ^= 1;
  await expect(open(bytes.toString('base64'))).rejects.toMatchObject({ code: 'tampered' });
});

it('does not open one byte too long or short, or in another spelling', async () => {
  const bytes = Buffer.from(wrap, 'base64');
  const longer = Buffer.concat([bytes, Buffer.alloc(1)]);
  for (const each of [longer.toString('base64'), bytes.subarray(1).toString('base64'), `${wrap}\n`, '']) {
    await expect(open(each)).rejects.toMatchObject({ code: 'tampered' });
  }
});

it('does not open for another member', async () => {
  const other = await newSpacePerson();
  const asBen = { ...other, own: { ...other.own, account: ben.own.account } };
  await expect(open(wrap, place, expected, asBen)).rejects.toMatchObject({ code: 'tampered' });
});

it('is not taken from anybody but who has signed the roster (attacks 5, 19)', async () => {
  const service = await newSpacePerson(ada.own.account);
  const planted = await wrapSpaceKey(dek, place, service.own, service.account, ben.own.sharing);
  await expect(open(planted)).rejects.toMatchObject({ code: 'tampered' });
  // Also a body that is right, with a signature of somebody else.
  const mixed = Buffer.concat([
    Buffer.from(wrap, 'base64').subarray(0, 1168),
    Buffer.from(planted, 'base64').subarray(1168),
  ]);
  await expect(open(mixed.toString('base64'))).rejects.toMatchObject({ code: 'tampered' });
});

it('is not taken with another key than the roster names (attack 12)', async () => {
  const garbage = await wrapSpaceKey(
    await generateDataKey('profile'),
    place,
    ada.own,
    ada.account,
    ben.own.sharing,
  );
  await expect(open(garbage)).rejects.toThrow('is not the one that the roster names');
});

it('names a key by profile: the id tells nothing of the same key elsewhere', async () => {
  expect(expected.key).toHaveLength(24);
  expect(await profileKeyIdOf(dek, newId())).not.toBe(expected.key);
});

it.each([
  ['too short', () => Buffer.alloc(1215)],
  // ML-KEM: each coefficient must be below 3329. Source: FIPS 203, section 7.2.
  ['with a coefficient that is not reduced', () => notReduced()],
  ['with an X25519 key of small order', () => smallOrder()],
])('seals to no key that is %s', async (_what, key) => {
  const sharing = key().toString('base64');
  await expect(wrapSpaceKey(dek, place, ada.own, ada.account, sharing)).rejects.toMatchObject({
    code: 'tampered',
  });
});

function notReduced(): Buffer {
  const bytes = Buffer.from(ben.own.sharing, 'base64');
  bytes.fill(0xff, 0, 3);
  return bytes;
}

function smallOrder(): Buffer {
  const bytes = Buffer.from(ben.own.sharing, 'base64');
  bytes.fill(0, 1184);
  return bytes;
}
