import type { Acceptance, InvitationOffer, Space, SpaceMember, SpaceRole, Spaces } from '@app/client/spaces';
import { dropDraft, keepDraft, readDraft } from '../../../platform/model/drafts';
import { memberOf, members } from '../../profiles/model/family';
import {
  knownPeople,
  type KnownPeople,
  relationOf,
  sharedPlace,
  sharesHere,
  spaceStates,
} from '../../profiles/model/people';
import { loadRecords } from '../../../platform/model/records';
import { client } from '../../../platform/model/session';
import { syncNow } from '../../../platform/model/sync';

/** Shared profiles, as the client has them. */
export const spaces = (): Spaces => client.spaces!;

const KNOWN = 'known-people';

/** Security: names of people. So they are stored encrypted. A record names its author also without a network. */
export async function readKnownPeople(): Promise<void> {
  const kept = await readDraft<KnownPeople>(KNOWN);
  if (!kept) return;
  const { names, circles } = knownPeople.value;
  knownPeople.value = {
    ...kept,
    names: { ...kept.names, ...names },
    circles: { ...kept.circles, ...circles },
  };
}

/** Keeps who the members of a space are. */
export async function learnPeople({ id, profileId, members: all }: Space): Promise<void> {
  const { me, names, circles } = knownPeople.value;
  const named = all.flatMap(({ accountId, name }) => (name === null ? [] : [[accountId, name] as const]));
  const self = all.find(({ acquaintance }) => acquaintance === 'self')?.accountId ?? me;
  const name = memberOf(profileId)?.details.name ?? circles?.[id]?.name ?? '';
  const others = all.filter(({ acquaintance, isGone }) => acquaintance !== 'self' && !isGone);
  const roles = Object.fromEntries(others.map(({ accountId, role }) => [accountId, role]));
  await know({
    ...(self && { me: self }),
    names: { ...names, ...Object.fromEntries(named) },
    circles: { ...circles, [id]: { name, roles } },
  });
}

async function know(people: KnownPeople): Promise<void> {
  knownPeople.value = people;
  await keepDraft(KNOWN, people).catch(() => undefined);
}

/** What the others probably call this person: the name under earlier records, else that of the own profile. */
export function ownName(): string {
  const { me, names } = knownPeople.value;
  const own = members.value.find((member) => relationOf(member) === 'self');
  return (me !== undefined && names[me]) || own?.details.name || '';
}

/** A shared profile, as the service has it now. What a person may do in it is shown anew where it is another thing. */
export async function readSpace(profileId: string): Promise<Space> {
  const space = await spaces().get(profileId);
  await learnPeople(space);
  const shown = sharedPlace(profileId);
  if (shown && (shown.role !== space.role || shown.blocked?.code !== space.blocked?.code))
    await loadRecords();
  return space;
}

/** Shares a profile, and shows it as a shared one. */
export async function shareProfile(profileId: string, name: string): Promise<Space> {
  const space = await spaces().share(profileId, name);
  sharesHere.value = true;
  await learnPeople(space);
  await loadRecords();
  return space;
}

/** Says what the person of a shared profile is to this account. */
export async function relate(spaceId: string, relationship: string): Promise<void> {
  await spaces().relate(spaceId, relationship);
  await loadRecords();
}

/** What the page shows of a shared profile is no longer so. */
export async function showAnew(): Promise<void> {
  await syncNow().catch(() => undefined);
  await loadRecords();
}

/** An invitation that this account has accepted, until it is let in. */
export interface Joining {
  offer: InvitationOffer;
  acceptance: Acceptance;
}

const JOINING = 'joining';

export async function acceptInvitation(offer: InvitationOffer, name: string): Promise<Joining> {
  const joining = { offer, acceptance: await spaces().accept(offer, name) };
  sharesHere.value = true;
  await keepDraft(JOINING, joining).catch(() => undefined);
  return joining;
}

export const readJoining = () => readDraft<Joining>(JOINING);
export const forgetJoining = () => dropDraft(JOINING);

/** What this account may do after it has handed a record over. */
export type HandOverEnd = 'leave' | Exclude<SpaceRole, 'owner'>;

/**
 * Makes another one share the care, then this account less, or nothing. A failure after the first step leaves two who share it.
 * @param onSpace shows each step that is done
 * @returns whether this account has left.
 */
export async function handOver(
  { id, members: all }: Space,
  { accountId, role }: Pick<SpaceMember, 'accountId' | 'role'>,
  end: HandOverEnd,
  onSpace: (space: Space) => void,
): Promise<boolean> {
  if (role !== 'owner') onSpace(await spaces().setRole(id, accountId, 'owner'));
  if (end === 'leave') {
    await leaveSpace(id);
    return true;
  }
  const self = all.find(({ acquaintance }) => acquaintance === 'self');
  if (self) onSpace(await spaces().setRole(id, self.accountId, end));
  await showAnew();
  return false;
}

/** The record is no longer shown afterwards. */
export async function leaveSpace(id: string): Promise<void> {
  await spaces().leave(id);
  await showWithout(id);
}

export async function deleteSpace(id: string, currentPassword: string): Promise<void> {
  await spaces().delete(id, currentPassword);
  await showWithout(id);
}

/** Removes what this device keeps of a space that this account has no part in any more. */
export async function forgetSpace(id: string): Promise<void> {
  await spaces().forget(id);
  await showWithout(id);
}

async function showWithout(id: string): Promise<void> {
  const circles = { ...knownPeople.value.circles };
  delete circles[id];
  await know({ ...knownPeople.value, circles });
  spaceStates.value = spaceStates.value.filter((each) => each.id !== id);
  await showAnew();
}

/** Shared profiles that only this account looks after, and others see. */
export async function soleSpaces(): Promise<Space[]> {
  const owned = (await spaces().list()).filter(({ state, role }) => state === 'member' && role === 'owner');
  const read = await Promise.all(owned.flatMap(({ profileId }) => (profileId ? [readSpace(profileId)] : [])));
  return read.filter(({ members: all }) => {
    const present = all.filter(({ isGone }) => !isGone);
    return present.length > 1 && present.filter(({ role }) => role === 'owner').length === 1;
  });
}
