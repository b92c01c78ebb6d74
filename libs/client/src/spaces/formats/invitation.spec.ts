import type { Key } from '../../crypto/web-crypto';
import { newId } from '../../ids';
import { newSpacePerson, type SpacePerson } from '../../testing/space-people';
import { publicIdentityOf } from './identity';
import {
  invitationKeys,
  newInvitation,
  openAcceptance,
  openOffer,
  readFragment,
  sealAcceptance,
  sealOffer,
  type AcceptanceContent,
  type OfferContent,
  type OfferPlace,
  type SealedForLink,
} from './invitation';

const spaceId = newId();
const invitation = newInvitation(spaceId);
const place: OfferPlace = {
  ...{ spaceId, invitationId: invitation.id, role: 'carer' },
  expiresAt: '2026-11-30T08:00:00.000Z',
};
let ada: SpacePerson;
let ben: SpacePerson;
let key: Key;
let offer: OfferContent;
let acceptance: AcceptanceContent;

beforeAll(async () => {
  [ada, ben] = await Promise.all([newSpacePerson(), newSpacePerson()]);
  ({ key } = await invitationKeys(invitation));
  offer = {
    profile: { id: newId(), name: 'Zoë', kind: 'person' },
    from: { identity: await publicIdentityOf(ada.own, ada.account), name: 'Ada' },
    roster: { version: 3, hash: Buffer.alloc(32, 5).toString('base64') },
  };
  acceptance = { identity: await publicIdentityOf(ben.own, ben.account), name: 'Ben' };
});

const known = ({ own: { account, sharing, signing, id } }: SpacePerson) => ({
  account,
  sharing,
  signing,
  id,
});

it('puts all into a link of 87 letters, which nothing else is', () => {
  expect(invitation.fragment).toMatch(/^AQ[\w-]{85}$/);
  const { id, secret } = invitation;
  expect(readFragment(invitation.fragment)).toEqual({ spaceId, id, secret });
  const { fragment } = invitation;
  const wrong = [
    '',
    fragment.slice(1),
    `${fragment}A`,
    `${fragment}=`,
    `Ag${fragment.slice(2)}`,
    `+${fragment.slice(1)}`,
  ];
  for (const each of [...wrong, `${fragment.slice(0, -1)}!`, `#${fragment}`])
    expect(() => readFragment(each)).toThrow(expect.objectContaining({ code: 'invalid_argument' }));
});

it('proves to the service that the link was seen, and tells it nothing of the key', async () => {
  const { proof, proofHash, key: made } = await invitationKeys(invitation);
  const digest = await crypto.subtle.digest('SHA-256', Buffer.from(proof, 'base64'));
  expect(proofHash).toBe(Buffer.from(digest).toString('base64'));
  expect([proof.length, made.extractable]).toEqual([44, false]);
  const other = await invitationKeys({ ...invitation, id: newId() });
  expect(other.proof).not.toBe(proof);
});

it('opens an offer with the identity of its maker', async () => {
  const sealed = await sealOffer(offer, key, place);
  expect(Buffer.from(sealed.ciphertext, 'base64')).toHaveLength(3 * 1024 + 16);
  expect(await openOffer(sealed, key, place)).toEqual({
    ...offer,
    from: { identity: known(ada), name: 'Ada' },
  });
});

it('hides the lengths of the names', async () => {
  const longer = { ...offer, profile: { ...offer.profile, name: 'Z'.repeat(200) } };
  const [one, other] = [await sealOffer(offer, key, place), await sealOffer(longer, key, place)];
  expect(one.ciphertext.length).toBe(other.ciphertext.length);
  const most = { ...offer, profile: { ...offer.profile, name: 'Z'.repeat(2600) } };
  expect(JSON.stringify(await sealOffer(most, key, place)).length).toBeLessThan(8192);
  const tooLong = { ...offer, profile: { ...offer.profile, name: 'Z'.repeat(4000) } };
  await expect(sealOffer(tooLong, key, place)).rejects.toMatchObject({ code: 'invalid_argument' });
});

it.each<[keyof OfferPlace, string]>([
  ['spaceId', newId()],
  ['invitationId', newId()],
  ['role', 'owner'],
  ['expiresAt', '2027-11-30T08:00:00.000Z'],
])('does not open an offer with another %s (attack 5)', async (name, value) => {
  const sealed = await sealOffer(offer, key, place);
  const opened = openOffer(sealed, key, { ...place, [name]: value });
  await expect(opened).rejects.toMatchObject({ code: 'tampered' });
});

it('opens an acceptance with the identity of who accepts', async () => {
  const sealed = await sealAcceptance(acceptance, key, place);
  expect(await openAcceptance(sealed, key, place)).toEqual({ identity: known(ben), name: 'Ben' });
  for (const other of [{ spaceId: newId() }, { invitationId: newId() }]) {
    const opened = openAcceptance(sealed, key, { ...place, ...other });
    await expect(opened).rejects.toMatchObject({ code: 'tampered' });
  }
});

it('opens neither in the place of the other', async () => {
  const asOffer = openOffer(await sealAcceptance(acceptance, key, place), key, place);
  await expect(asOffer).rejects.toMatchObject({ code: 'tampered' });
  const asAcceptance = openAcceptance(await sealOffer(offer, key, place), key, place);
  await expect(asAcceptance).rejects.toMatchObject({ code: 'tampered' });
});

const flipped = (text: string) => {
  const bytes = Buffer.from(text, 'base64');
  bytes[7] ^= 1;
  return bytes.toString('base64');
};

it('opens with no bit changed, and nothing in another form', async () => {
  const sealed = await sealOffer(offer, key, place);
  const { ciphertext, iv } = sealed;
  const wrong: unknown[] = [
    ...[
      { ciphertext: flipped(ciphertext), iv },
      { ciphertext, iv: flipped(iv) },
    ],
    ...[{ ciphertext, iv: iv.slice(4) }, { ciphertext: '', iv }, { ciphertext: 7, iv }, { ciphertext }],
    ...['', null, undefined, [], ciphertext],
  ];
  for (const each of wrong)
    await expect(openOffer(each, key, place)).rejects.toMatchObject({ code: 'tampered' });
});

it('opens with the secret of no other link', async () => {
  const { key: other } = await invitationKeys(newInvitation(spaceId));
  const opened = openOffer(await sealOffer(offer, key, place), other, place);
  await expect(opened).rejects.toMatchObject({ code: 'tampered' });
});

it('takes no identity in which somebody has exchanged a key (attack 5)', async () => {
  // Who has seen the link could do so.
  const { sharing } = acceptance.identity;
  const identity = { ...offer.from.identity, sharing };
  const planted = await sealOffer({ ...offer, from: { ...offer.from, identity } }, key, place);
  await expect(openOffer(planted, key, place)).rejects.toMatchObject({ code: 'tampered' });
  const answer = { ...acceptance, identity: { ...acceptance.identity, account: newId() } };
  const accepted = openAcceptance(await sealAcceptance(answer, key, place), key, place);
  await expect(accepted).rejects.toMatchObject({ code: 'tampered' });
});

/** What is authentic all the same. */
async function sealText(text: string, what: string, parts: string[]): Promise<SealedForLink> {
  const iv = new Uint8Array(12);
  const additionalData = Buffer.from(['health-records/v2', what, ...parts].join('\n'));
  const cipher = { name: 'AES-GCM', iv, additionalData };
  const sealed = await crypto.subtle.encrypt(cipher, key, Buffer.from(text));
  return { ciphertext: Buffer.from(sealed).toString('base64'), iv: Buffer.from(iv).toString('base64') };
}

it('says so where the format of an offer or acceptance is another one', async () => {
  const { profile, from, roster } = offer;
  const offers = [
    { from, roster },
    { profile, roster },
    { profile, from },
    { profile: { ...profile, id: 'x' }, from, roster },
    { profile, from: { ...from, name: 7 }, roster },
    { profile, from, roster: { ...roster, hash: 'AAAA' } },
    { profile, from, roster: { ...roster, version: 0 } },
  ];
  const { role, expiresAt, invitationId } = place;
  for (const text of ['', 'null', '[]', ...offers.map((each) => JSON.stringify(each))]) {
    const sealed = await sealText(text, 'invite-offer', [spaceId, invitationId, role, expiresAt]);
    await expect(openOffer(sealed, key, place)).rejects.toMatchObject({ code: 'format_unsupported' });
  }
  const nameless = await sealText('{"identity":{}}', 'invite-acceptance', [spaceId, invitationId]);
  await expect(openAcceptance(nameless, key, place)).rejects.toMatchObject({ code: 'format_unsupported' });
});
