/** With fresh keys: the second implementation takes what the library makes for shared profiles, and the other way round. */
import { randomBytes } from 'node:crypto';
import { generateDataKey } from '../../../libs/client/src/crypto/key-wrapping';
import { newId } from '../../../libs/client/src/ids';
import {
  makeIdentity,
  openIdentity,
  pairDigits,
  publicIdentityOf,
  readIdentity,
  type OwnIdentity,
  type PublicIdentity,
} from '../../../libs/client/src/spaces/formats/identity';
import {
  invitationKeys,
  newInvitation,
  openAcceptance,
  openOffer,
  readFragment,
  sealAcceptance,
  sealOffer,
} from '../../../libs/client/src/spaces/formats/invitation';
import { circleCodeOf, readRoster, signRoster } from '../../../libs/client/src/spaces/formats/roster';
import { checkRosterStep } from '../../../libs/client/src/spaces/formats/roster-rules';
import {
  openSpaceKey,
  profileKeyIdOf,
  wrapSpaceKey,
} from '../../../libs/client/src/spaces/formats/space-key';
import { accountKeyOf, entryOf, signAfter } from '../../../libs/client/src/testing/space-people';
import type { AccountKey } from '../../../libs/client/src/crypto/account-key';
import { ask, Questions, TIMEOUT_MS, type Task } from './program';

const raw = () => Uint8Array.from(randomBytes(32));
const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64');
const [adaRaw, benRaw, dekRaw] = [raw(), raw(), raw()];
const [adaId, benId, spaceId, profileId] = [newId(), newId(), newId(), newId()];
const place = { spaceId, profileId, rosterVersion: 2, senderId: adaId, recipientId: benId };
const asked = {
  ...{ space_id: spaceId, profile_id: profileId, roster_version: 2 },
  ...{ sender_id: adaId, recipient_id: benId },
};

/** What the second implementation has made of somebody. */
interface Made {
  id: string;
  sent: PublicIdentity;
  wrapped: string;
  iv: string;
  sharing_seed: string;
  signing_seed: string;
}

let ada: { own: OwnIdentity; account: AccountKey };
/** Of the second implementation. */
let ben: Made;
const one = (task: Task): unknown => {
  const [answer] = ask([task]);
  if (!('ok' in answer)) throw new Error(`It refuses ${task.do}: ${answer.refused}`);
  return answer.ok;
};
const dek = () => crypto.subtle.importKey('raw', dekRaw, 'AES-GCM', true, ['encrypt', 'decrypt']);

beforeAll(async () => {
  const account = await accountKeyOf(adaRaw);
  ada = { account, own: await makeIdentity(account, adaId) };
  ben = one({ do: 'make_identity', key: base64(benRaw), account: benId }) as Made;
}, TIMEOUT_MS);

const benOf = async () => {
  const { sent, wrapped, iv } = ben;
  const stored = { sharing_public: sent.sharing, signing_public: sent.signing, wrapped, wrapped_iv: iv };
  const account = await accountKeyOf(benRaw);
  return { account, own: await openIdentity(stored, account, benId) };
};

it('opens and reads the identities of each other, with the same digits', async () => {
  const { own, account } = ada;
  const sent = await publicIdentityOf(own, account);
  const { id, sharing, signing } = own;
  const all = new Questions();
  all.ok({ do: 'read_identity', sent }, { account: adaId, sharing, signing, id });
  all.ok({ do: 'pair_digits', one: id, other: ben.id }, await pairDigits(id, ben.id));
  all.refused({ do: 'read_identity', sent: { ...sent, account: benId } }, 'tampered');
  const keys = { account: adaId, sharing, signing, ...own.wrapped };
  all.refused({ do: 'open_identity', key: base64(benRaw), ...keys }, 'tampered');
  expect(ask(all.tasks)).toEqual(all.expected);
  const opened = one({ do: 'open_identity', key: base64(adaRaw), ...keys });
  expect(opened).toMatchObject({ id });
  expect((await benOf()).own.id).toBe(ben.id);
  expect((await readIdentity(ben.sent)).id).toBe(ben.id);
});

it('seals the key of a profile to each other', async () => {
  const other = await benOf();
  const key = await profileKeyIdOf(await dek(), profileId);
  expect(one({ do: 'profile_key_id', key: base64(dekRaw), profile_id: profileId })).toBe(key);
  const wrap = await wrapSpaceKey(await dek(), place, ada.own, ada.account, ben.sent.sharing);
  const expected = { signing: ada.own.signing, epoch: 3, key };
  const open = { do: 'open_space_key', ...asked, wrap, expected, sharing_seed: ben.sharing_seed };
  const all = new Questions();
  all.ok(open, base64(dekRaw));
  all.refused({ ...open, roster_version: 3 }, 'tampered');
  expect(ask(all.tasks)).toEqual(all.expected);

  const back = { ...place, senderId: benId, recipientId: adaId };
  const made = one({
    ...{ do: 'wrap_space_key', ...asked, sender_id: benId, recipient_id: adaId, data_key: base64(dekRaw) },
    ...{ signing_seed: ben.signing_seed, recipient_public: ada.own.sharing },
  }) as string;
  const signed = { ...expected, signing: other.own.signing };
  const opened = await openSpaceKey(made, back, signed, ada.own, ada.account, true);
  expect(await profileKeyIdOf(opened.key, profileId)).toBe(key);
});

it('takes and refuses the rosters of each other', async () => {
  const other = await benOf();
  const members = [await entryOf(ada, 'owner'), await entryOf(other, 'editor')];
  const key = await profileKeyIdOf(await generateDataKey('profile'), profileId);
  const first = await signRoster(
    {
      ...{ v: 1, space: spaceId, profile: profileId, version: 1, previous: '', epoch: 1, key, due: false },
      ...{ members: [members[0]], by: adaId },
    },
    ada.own,
    ada.account,
  );
  const second = await signAfter(first, ada, { members });
  const raised = await signAfter(second, other, {
    members: [members[0], { ...members[1], role: 'owner' }],
    due: true,
  });
  const all = new Questions();
  const rosters = [first.text, second.text];
  all.ok({ do: 'check_rosters', rosters }, { hash: second.hash, digits: circleCodeOf(second) });
  all.refused({ do: 'check_rosters', rosters: [...rosters, raised.text] }, 'roster_refused:4');
  expect(ask(all.tasks)).toEqual(all.expected);

  const sorted = [...second.content.members];
  const content = {
    ...{ v: 1, space: spaceId, profile: profileId, version: 3, previous: second.hash, epoch: 1 },
    ...{ key, due: true, members: sorted.filter(({ account }) => account !== benId), by: benId },
  };
  const sign = (json: object) =>
    one({ do: 'sign_roster', content: JSON.stringify(json), signing_seed: ben.signing_seed }) as string;
  await checkRosterStep(second, await readRoster(sign(content)));
  const kept = await readRoster(sign({ ...content, due: false }));
  await expect(checkRosterStep(second, kept)).rejects.toMatchObject({ rule: 4 });
});

it('opens the invitations and answers of each other', async () => {
  const { id, secret, fragment } = newInvitation(spaceId);
  const link = { space_id: spaceId, invitation_id: id };
  const { proof, proofHash, key } = await invitationKeys({ id, secret });
  const keys = one({ do: 'invitation_keys', ...link, secret: base64(secret) }) as { key: string };
  expect(keys).toMatchObject({ proof, proof_hash: proofHash });
  expect(one({ do: 'read_fragment', fragment })).toEqual({ ...link, secret: base64(secret) });
  const made = one({ do: 'make_fragment', ...link, secret: base64(secret) }) as string;
  expect(readFragment(made)).toEqual({ spaceId, id, secret });

  const at = { spaceId, invitationId: id, role: 'carer' as const, expiresAt: '2026-11-30T08:00:00.000Z' };
  const askedAt = { ...link, role: at.role, expires_at: at.expiresAt, key: keys.key };
  const offer = {
    profile: { id: profileId, name: 'Zoë 💊', kind: 'person' },
    from: { identity: await publicIdentityOf(ada.own, ada.account), name: 'Ada' },
    roster: { version: 2, hash: base64(raw()) },
  };
  const { account, sharing, signing, id: identityId } = ada.own;
  const opened = { ...offer, from: { identity: { account, sharing, signing, id: identityId }, name: 'Ada' } };
  expect(one({ do: 'open_offer', ...askedAt, sealed: await sealOffer(offer, key, at) })).toEqual(opened);
  const sealed = one({ do: 'seal_offer', ...askedAt, content: JSON.stringify(offer) });
  expect(await openOffer(sealed, key, at)).toEqual(opened);

  const acceptance = { identity: ben.sent, name: 'Ben' };
  const { signature, ...bens } = ben.sent;
  expect(signature).toHaveLength(88);
  const accepted = { identity: { ...bens, id: ben.id }, name: 'Ben' };
  const answer = await sealAcceptance(acceptance, key, at);
  expect(one({ do: 'open_acceptance', ...askedAt, sealed: answer })).toEqual(accepted);
  const answered = one({ do: 'seal_acceptance', ...askedAt, content: JSON.stringify(acceptance) });
  expect(await openAcceptance(answered, key, at)).toEqual(accepted);
});
