import type { HealthRecordsClientOptions } from '@app/client';
import {
  type Space,
  type SpaceMember,
  type SpaceRole,
  type Spaces,
  sharedProfiles,
} from '@app/client/spaces';
import { aPerson, openClient, type Person } from './people';

/** Somebody who may share profiles. */
export interface Sharer extends Person {
  spaces: Spaces;
  id: string;
}

/** A person whose client has the option `spaces`. */
export async function aSharer(
  url: string,
  options: Partial<HealthRecordsClientOptions> = {},
): Promise<Sharer> {
  const person = await aPerson(url, {}, { spaces: sharedProfiles(), ...options });
  person.client.sync.stop();
  return withSpaces(person);
}

/** Another device of the same person. */
export async function anotherDevice(
  url: string,
  { email, password, profileId }: Person,
  options: Partial<HealthRecordsClientOptions> = {},
): Promise<Sharer> {
  const client = openClient(url, { spaces: sharedProfiles(), ...options });
  await client.login(email, password);
  client.sync.stop();
  return withSpaces({ client, email, password, profileId });
}

async function withSpaces(person: Person): Promise<Sharer> {
  const { client } = person;
  const { body } = await client.request({ method: 'GET', path: '/api/users/me' });
  return { ...person, spaces: client.spaces!, id: (body as { id: string }).id };
}

/** The profile of a person, shared with others who were invited by a link and let in. */
export async function aCircle(
  owner: Sharer,
  others: readonly (readonly [Sharer, SpaceRole])[] = [],
): Promise<Space> {
  let space = await owner.spaces.share(owner.profileId, 'Ada');
  for (const [guest, role] of others) space = await letIn(owner, guest, space.id, role);
  return space;
}

/** Invites, accepts and lets in. */
export async function letIn(owner: Sharer, guest: Sharer, spaceId: string, role: SpaceRole): Promise<Space> {
  const { id, fragment } = await owner.spaces.invite(spaceId, role);
  await guest.spaces.accept(await guest.spaces.openInvitation(fragment), 'Ben');
  return owner.spaces.confirm(spaceId, id, true);
}

export function memberOf({ members }: Space, { id }: { id: string }): SpaceMember | undefined {
  return members.find(({ accountId }) => accountId === id);
}

/** The id and the role of each, in the order of their ids. */
export function rolesIn({ members }: Space): Record<string, SpaceRole> {
  return Object.fromEntries(members.map(({ accountId, role }) => [accountId, role]));
}
