import { keyAad } from '../crypto/labels';
import { accountDataKeyOf } from '../crypto/account-data-key';
import { openChain } from '../crypto/key-chain';
import { decryptRecord } from '../crypto/record-cipher';
import type { Key } from '../crypto/web-crypto';
import { fromBase64, toBase64, type Bytes } from '../encoding';
import { verify } from '../spaces/formats/ed25519';
import {
  openIdentity,
  pairDigits,
  publicIdentityOf,
  readIdentity,
  type OwnIdentity,
} from '../spaces/formats/identity';
import {
  invitationKeys,
  openAcceptance,
  openOffer,
  readFragment,
  type AcceptanceContent,
  type OfferContent,
} from '../spaces/formats/invitation';
import {
  checkSignature,
  circleCodeOf,
  readRoster,
  signRoster,
  type Roster,
  type RosterContent,
} from '../spaces/formats/roster';
import { checkRosterStep } from '../spaces/formats/roster-rules';
import { openSpaceKey, profileKeyIdOf, wrapSpaceKey } from '../spaces/formats/space-key';
import { mergeContacts, mergeSpaces, readContacts, readSpaces } from '../spaces/formats/trust-entries';
import { sharingPublicOf } from '../spaces/formats/x-wing';
import { xWingSuite } from '../spaces/formats/x-wing-suite';
import type { SpaceRole } from '../spaces/space-types';
import type { AccountKey } from '../crypto/account-key';
import type vectors from '../../vectors.json';

type Vectors = typeof vectors;

/** How a vector is compared, and what else the run has. */
export interface VectorRun {
  equal: (what: string, found: unknown, expected: unknown) => void;
  refused: (what: string, run: () => unknown, code: string, rule?: number) => Promise<void>;
  accountOf: (raw: string) => Promise<AccountKey>;
  aesKey: (raw: string, usages: ('encrypt' | 'decrypt' | 'wrapKey' | 'unwrapKey')[]) => Promise<Key>;
  printOf: (key: Key) => Promise<string>;
  fromHex: (text: string) => Bytes;
  toHex: (bytes: Uint8Array) => string;
}

const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
const without = <T extends object>(entry: T, ...names: string[]) =>
  Object.fromEntries(Object.entries(entry).filter(([name]) => !names.includes(name)));

/** The vectors of shared profiles. */
export async function runSpaceVectors(all: Vectors, run: VectorRun): Promise<void> {
  await runSignatures(all, run);
  await runXWing(all, run);
  const people = await runIdentities(all, run);
  await runSpaceKeys(all, run, people);
  await runRosters(all, run, people);
  await runInvitations(all, run);
  await runSealed(all, run);
  await runTrustBooks(all, run);
}

async function runSignatures(all: Vectors, { equal }: VectorRun): Promise<void> {
  const check = (each: Omit<Vectors['signatures'][number], 'source'>) =>
    verify(
      fromBase64(each.public_base64)!,
      fromBase64(each.message_base64)!,
      fromBase64(each.signature_base64)!,
    );
  for (const each of all.signatures) equal(`signature, ${each.source}`, await check(each), true);
  for (const each of all.signatures_refused) equal(`signature, ${each.name}`, await check(each), false);
}

async function runXWing(all: Vectors, { equal, fromHex, toHex }: VectorRun): Promise<void> {
  const { kem } = xWingSuite();
  for (const each of all.x_wing) {
    const seed = fromHex(each.seed_hex);
    equal('public key of X-Wing', toBase64(await sharingPublicOf(seed)), each.public_base64);
    const recipientPublicKey = await kem.deserializePublicKey(fromBase64(each.public_base64)!.buffer);
    const { enc, sharedSecret } = await kem.encap({
      recipientPublicKey,
      ekm: fromHex(each.randomness_hex).buffer,
    });
    equal('encapsulation', toBase64(new Uint8Array(enc)), each.sent_base64);
    equal('secret', toHex(new Uint8Array(sharedSecret)), each.secret_hex);
    const recipientKey = await kem.deserializePrivateKey(seed.slice().buffer);
    const opened = await kem.decap({ recipientKey, enc: fromBase64(each.sent_base64)!.buffer });
    equal('opened secret', toHex(new Uint8Array(opened)), each.secret_hex);
  }
}

/** By account id. */
type People = Map<string, { own: OwnIdentity; account: AccountKey }>;

async function runIdentities(all: Vectors, { equal, refused, accountOf }: VectorRun): Promise<People> {
  const people: People = new Map();
  const open = async (each: Omit<Vectors['identities_refused'][number], 'name' | 'code'>) =>
    openIdentity(
      {
        ...{ sharing_public: each.sharing, signing_public: each.signing },
        ...{ wrapped: each.wrapped_base64, wrapped_iv: each.iv_base64 },
      },
      await accountOf(each.account_key_hex),
      each.account,
    );
  for (const each of all.identities) {
    const { sharing, signing } = each.sent;
    const own = await open({ ...each, sharing, signing });
    const account = await accountOf(each.account_key_hex);
    people.set(own.account, { own, account });
    equal('identity', own.id, each.id_base64);
    equal('identity as it is sent', await publicIdentityOf(own, account), each.sent);
    const { id } = await readIdentity(each.sent);
    equal('identity as it is read', id, each.id_base64);
    const place = text(keyAad({ purpose: 'identity', identityId: id }));
    equal('place of an identity', place, `health-records/v2\nkey\nidentity\n${each.id_base64}`);
  }
  for (const each of all.identities_refused)
    await refused(`identity, ${each.name}`, () => open(each), each.code);
  for (const each of all.identities_sent_refused)
    await refused(`identity as sent, ${each.name}`, () => readIdentity(each.sent), each.code);
  for (const { one_base64, other_base64, digits } of all.pair_digits) {
    equal('digits', await pairDigits(one_base64, other_base64), digits);
    equal('digits of the other one', await pairDigits(other_base64, one_base64), digits);
  }
  return people;
}

async function runSpaceKeys(all: Vectors, run: VectorRun, people: People): Promise<void> {
  const { equal, refused, aesKey, printOf, fromHex } = run;
  const extractable = (raw: string) =>
    crypto.subtle.importKey('raw', fromHex(raw), 'AES-GCM', true, ['encrypt']);
  for (const each of all.profile_key_ids) {
    const id = await profileKeyIdOf(await extractable(each.key_hex), each.profile_id);
    equal('id of a profile key', id, each.id_base64);
  }
  type KeyVector = Omit<Vectors['space_keys_refused'][number], 'name' | 'code' | 'recipient'>;
  const placeOf = (each: Omit<KeyVector, 'wrap_base64' | 'expected'>) => ({
    ...{ spaceId: each.space_id, profileId: each.profile_id, rosterVersion: each.roster_version },
    ...{ senderId: each.sender_id, recipientId: each.recipient_id },
  });
  const open = (each: KeyVector, recipient = each.recipient_id) => {
    const { own, account } = people.get(recipient)!;
    return openSpaceKey(each.wrap_base64, placeOf(each), each.expected, own, account);
  };
  for (const each of all.space_keys) {
    const opened = await open(each);
    const expected = await printOf(await aesKey(each.data_key_hex, ['encrypt']));
    equal(
      'key of a shared profile',
      [opened.epoch, await printOf(opened.key)],
      [each.expected.epoch, expected],
    );
  }
  for (const each of all.space_keys_refused)
    await refused(`key of a shared profile, ${each.name}`, () => open(each, each.recipient), each.code);
  const [{ sender_id, data_key_hex, ...place }] = all.space_keys;
  const { own, account } = people.get(sender_id)!;
  const key = await extractable(data_key_hex);
  for (const each of all.public_keys_refused) {
    const wrap = () => wrapSpaceKey(key, placeOf({ ...place, sender_id }), own, account, each.public_base64);
    await refused(`public key, ${each.name}`, wrap, each.code);
  }
}

async function runRosters(all: Vectors, { equal, refused }: VectorRun, people: People): Promise<void> {
  const chain: Roster[] = [];
  const check = async (wire: string, after: number) => {
    const roster = await readRoster(wire);
    await (after === 0 ? checkSignature(roster) : checkRosterStep(chain[after - 1], roster));
    return roster;
  };
  for (const each of all.rosters) {
    const roster = await check(each.roster, chain.length);
    equal(`hash of a roster, ${each.name}`, roster.hash, each.hash_base64);
    equal(`code of a circle, ${each.name}`, circleCodeOf(roster), each.digits);
    const content = JSON.parse(each.content_utf8) as RosterContent;
    equal(`content of a roster, ${each.name}`, roster.content, content);
    const signer = people.get(content.by);
    if (signer)
      equal('signed roster', (await signRoster(content, signer.own, signer.account)).text, each.roster);
    chain.push(roster);
  }
  for (const { name, roster, after, code, rule } of all.rosters_refused)
    await refused(`roster, ${name}`, () => check(roster, after), code, rule);
}

async function runInvitations(all: Vectors, run: VectorRun): Promise<void> {
  const { equal, refused, aesKey, printOf } = run;
  for (const each of all.invitations) {
    const { spaceId, id, secret } = readFragment(each.fragment);
    equal('link', [spaceId, id, toBase64(secret)], [each.space_id, each.invitation_id, each.secret_base64]);
    const { proof, proofHash, key } = await invitationKeys({ id, secret });
    equal('proof of a link', [proof, proofHash], [each.proof_base64, each.proof_hash_base64]);
    equal('key of a link', await printOf(key), await printOf(await aesKey(each.key_hex, ['encrypt'])));
  }
  for (const each of all.invitations_refused)
    await refused(`link, ${each.name}`, () => readFragment(each.fragment), each.code);
}

async function runSealed(all: Vectors, { equal, refused, aesKey }: VectorRun): Promise<void> {
  type OfferVector = Omit<Vectors['offers_refused'][number], 'name' | 'code'>;
  const openOfferOf = async (each: OfferVector) =>
    openOffer(each.sealed, await aesKey(each.key_hex, ['decrypt']), {
      ...{ spaceId: each.space_id, invitationId: each.invitation_id },
      ...{ role: each.role as SpaceRole, expiresAt: each.expires_at },
    });
  type AcceptanceVector = Omit<Vectors['acceptances_refused'][number], 'name' | 'code'>;
  const openAcceptanceOf = async (each: AcceptanceVector) =>
    openAcceptance(each.sealed, await aesKey(each.key_hex, ['decrypt']), {
      ...{ spaceId: each.space_id, invitationId: each.invitation_id },
    });
  for (const each of all.offers) {
    const { from, ...opened } = await openOfferOf(each);
    const content = JSON.parse(each.content_utf8) as OfferContent;
    equal('offer', opened, without(content, 'from'));
    equal('maker of an offer', without(from.identity, 'id'), without(content.from.identity, 'signature'));
    equal('length of an offer', fromBase64(each.sealed.ciphertext)!.length, each.filled_length + 16);
  }
  for (const each of all.acceptances) {
    const { identity, name } = await openAcceptanceOf(each);
    const content = JSON.parse(each.content_utf8) as AcceptanceContent;
    equal(
      'acceptance',
      [without(identity, 'id'), name],
      [without(content.identity, 'signature'), content.name],
    );
    equal('length of an acceptance', fromBase64(each.sealed.ciphertext)!.length, each.filled_length + 16);
  }
  for (const each of all.offers_refused)
    await refused(`offer, ${each.name}`, () => openOfferOf(each), each.code);
  for (const each of all.acceptances_refused)
    await refused(`acceptance, ${each.name}`, () => openAcceptanceOf(each), each.code);
}

async function runTrustBooks(all: Vectors, run: VectorRun): Promise<void> {
  const { equal, refused, accountOf, aesKey, printOf } = run;
  for (const each of all.space_profiles) {
    const key = await aesKey(each.key_hex, ['decrypt', 'unwrapKey']);
    const place = { profileId: each.profile_id, kind: 'profile', recordId: each.profile_id };
    const wire = { ciphertext: each.ciphertext_base64, iv: each.iv_base64 };
    const { content } = await decryptRecord(wire, { key, epoch: each.epoch }, place);
    equal('profile in a space', JSON.stringify(content), each.content_utf8);
    const [former] = await openChain(content.keyChain, { key, epoch: each.epoch }, each.profile_id);
    const expected = await printOf(await aesKey(each.former[0].key_hex, ['encrypt']));
    equal('its former key', [former.epoch, await printOf(former.key)], [each.former[0].epoch, expected]);
  }
  for (const each of all.trust_books) {
    const place = { profileId: each.account_id, kind: 'trust-book', recordId: each.account_id };
    const key = await accountDataKeyOf(await accountOf(each.account_key_hex));
    const wire = { ciphertext: each.ciphertext_base64, iv: each.iv_base64 };
    const { content } = await decryptRecord(wire, key, place);
    equal('contacts', readContacts(content.contacts), each.contacts);
    equal('spaces', readSpaces(content.spaces), each.spaces);
  }
  const read = (content: string) => {
    const { contacts, spaces } = JSON.parse(content) as Record<string, unknown>;
    return [readContacts(contacts), readSpaces(spaces)];
  };
  for (const each of all.trust_books_refused)
    await refused(`trust book, ${each.name}`, () => read(each.content_utf8), each.code);
  const merge = (each: { member: string; theirs: unknown; mine: unknown }) =>
    each.member === 'contacts'
      ? mergeContacts(readContacts(each.theirs), readContacts(each.mine))
      : mergeSpaces(readSpaces(each.theirs), readSpaces(each.mine));
  const order = (value: object) => Object.entries(value).sort();
  for (const each of all.trust_merges)
    equal(`trust books, ${each.name}`, order(merge(each)), order(each.merged));
  for (const each of all.trust_merges_refused)
    await refused(`trust books, ${each.name}`, () => merge(each), each.code, each.rule);
}
