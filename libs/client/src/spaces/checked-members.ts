import { RosterRefusedError } from '../errors';
import { fromBase64 } from '../encoding';
import { identityIdOf } from './formats/identity';
import type { Roster, RosterMember } from './formats/roster';
import { sharingHashOf } from './formats/x-wing';
import type { Signer } from './own-identity';
import type { Contact, Contacts } from './pins';
import type { SpaceAcquaintance, SpaceRole } from './space-types';
import type { NamedMember, NamedSpace } from './space-wire';

/** An entry of a checked roster, with what is known of who it is. */
export interface CheckedMember {
  account: string;
  role: SpaceRole;
  acquaintance: SpaceAcquaintance;
  /** Base64, the key by which its signatures are checked. */
  signing: string;
  /** Base64 of its public key, and the id of its identity; absent where the service has no such account any more. */
  present?: { sharing: string; identity: string; joinedAt: string };
}

/**
 * Compares the members that the service names with a checked roster, and with the contacts of this account.
 * @throws RosterRefusedError with rule 0 for somebody whom nobody let in, another role or key; with rule 6 for keys of this
 * account that it has not made.
 */
export async function checkMembers(
  named: NamedSpace,
  roster: Roster,
  signers: readonly Signer[],
  contacts: Contacts,
): Promise<{ members: CheckedMember[]; signer: Signer }> {
  const self = signers[0].own.account;
  const entries = new Map(roster.content.members.map((entry) => [entry.account, entry]));
  const present = new Map<string, NonNullable<CheckedMember['present']>>();
  for (const member of named.members) {
    const entry = entries.get(member.account);
    const { sharing, joinedAt } = member;
    if (!entry || !(await isSame(member, entry))) throw notLetIn(named.id);
    const keys = { account: member.account, sharing, signing: entry.signing };
    present.set(member.account, { sharing, joinedAt, identity: await identityIdOf(keys) });
  }
  const mine = present.get(self);
  if (!mine || entries.get(self)!.role !== named.role) throw notLetIn(named.id);
  const signer = signers.find(({ own }) => own.id === mine.identity);
  if (!signer)
    throw new RosterRefusedError(
      6,
      'The list of members has keys of this account that it did not make.',
      named.id,
    );
  const members = roster.content.members.map(({ account, role, signing }) => {
    const found = present.get(account);
    const member = { account, role, signing, ...(found && { present: found }) };
    return { ...member, acquaintance: acquaintanceOf(member, self, contacts[account]) };
  });
  return { members, signer };
}

/** Whether two of these are one. */
async function isSame({ role, sharing }: NamedMember, entry: RosterMember): Promise<boolean> {
  const key = fromBase64(sharing);
  return role === entry.role && key !== undefined && (await sharingHashOf(key)) === entry.sharing;
}

function acquaintanceOf(
  { account, signing, present }: Omit<CheckedMember, 'acquaintance'>,
  self: string,
  contact: Contact | undefined,
): SpaceAcquaintance {
  if (account === self) return 'self';
  if (!contact) return 'introduced';
  // Of somebody who is gone, the service no longer shows all.
  const isKnown = present ? present.identity === contact.identity : signing === contact.signing;
  if (!isKnown) return 'new_keys';
  return contact.paired ? 'paired' : 'introduced';
}

/**
 * How far the rosters may be taken: none that is signed by new keys of a contact, before the digits were compared.
 * @param from the first version that was not taken before.
 * @returns the taken ones, and whose keys have stopped it.
 */
export function takenOf(
  chain: readonly Roster[],
  from: number,
  isUncompared: (account: string, signing: string) => boolean,
): { taken: Roster[]; stoppedBy?: string } {
  for (const [at, { content }] of chain.entries()) {
    if (at === 0 || content.version < from) continue;
    const signer = chain[at - 1].content.members.find(({ account }) => account === content.by);
    if (signer && isUncompared(signer.account, signer.signing))
      return { taken: chain.slice(0, at), stoppedBy: signer.account };
  }
  return { taken: [...chain] };
}

/** For {@link takenOf}: whose keys nobody has compared. */
export function uncomparedBy(
  chain: readonly Roster[],
  members: readonly CheckedMember[],
  contacts: Contacts,
): (account: string, signing: string) => boolean {
  return (account, signing) => {
    const contact = contacts[account];
    if (!contact || contact.signing === signing) return false;
    const member = members.find((each) => each.account === account);
    if (member) return member.acquaintance === 'new_keys';
    // It is gone from the circle: its last entry tells.
    const last = chain.findLast(({ content }) => content.members.some((each) => each.account === account));
    return last?.content.members.find((each) => each.account === account)?.signing !== contact.signing;
  };
}

function notLetIn(spaceId: string): RosterRefusedError {
  return new RosterRefusedError(0, 'The service names somebody whom nobody let in.', spaceId);
}
