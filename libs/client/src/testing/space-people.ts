import { namesOf, type AccountKey } from '../crypto/account-key';
import { newId } from '../ids';
import { makeIdentity, type OwnIdentity } from '../spaces/formats/identity';
import { signRoster, type Roster, type RosterContent, type RosterMember } from '../spaces/formats/roster';
import { sharingHashOf } from '../spaces/formats/x-wing';
import type { SpaceRole } from '../spaces/space-types';

/** Somebody with an account and an identity. */
export interface SpacePerson {
  account: AccountKey;
  own: OwnIdentity;
}

export async function accountKeyOf(raw: Uint8Array<ArrayBuffer>): Promise<AccountKey> {
  const [key, input] = await Promise.all([
    crypto.subtle.importKey('raw', raw, 'AES-GCM', false, ['wrapKey', 'unwrapKey']),
    crypto.subtle.importKey('raw', raw, 'HKDF', false, ['deriveBits']),
  ]);
  return { key, ...(await namesOf(input)) };
}

export async function newSpacePerson(id = newId()): Promise<SpacePerson> {
  const account = await accountKeyOf(crypto.getRandomValues(new Uint8Array(32)));
  return { account, own: await makeIdentity(account, id) };
}

/** The entry of a person in a roster. */
export async function entryOf({ own }: SpacePerson, role: SpaceRole): Promise<RosterMember> {
  const sharing = await sharingHashOf(Uint8Array.from(Buffer.from(own.sharing, 'base64')));
  return { account: own.account, role, sharing, signing: own.signing };
}

/** Signs what comes after a roster, whether or not it may. */
export function signAfter(
  before: Roster,
  { own, account }: SpacePerson,
  changes: Partial<RosterContent>,
): Promise<Roster> {
  const { content, hash } = before;
  const next = { ...content, version: content.version + 1, previous: hash, by: own.account, ...changes };
  return signRoster(next, own, account);
}
