import { computed, signal } from '@preact/signals';
import { asFamilyMember, type FamilyMember, type FamilyMemberDetails } from '@app/client/documents';
import { preference } from '../../../platform/model/preferences';
import { loadedWithFamily, noteUnreadable } from '../../../platform/model/records';
import { client, whenLocked } from '../../../platform/model/session';
import { moveToTrash, withoutTrash } from '../../trash/model/trash';

/** Persons and pets, oldest entry first. */
export const members = signal<FamilyMember[]>([]);
/** The profile that the screens show, or `all`. */
export const chosen = preference<string>('chosen', 'all');

/** The chosen member; `undefined` for everyone. */
export const chosenMember = computed(() => members.value.find(({ id }) => id === chosen.value));
export const shownMembers = computed(() => (chosenMember.value ? [chosenMember.value] : members.value));

export function memberOf(profileId: string): FamilyMember | undefined {
  return members.value.find(({ id }) => id === profileId);
}

/** Shows a member where another one is chosen. Everyone stays everyone. */
export function showMember(profileId: string): void {
  if (!isShown(profileId) && memberOf(profileId)) chosen.value = profileId;
}

/** Whether the screens show the records of a profile. */
export function isShown(profileId: string): boolean {
  return shownMembers.value.some(({ id }) => id === profileId);
}

export interface MemberChange {
  kind: 'human' | 'pet';
  relationship: string;
  details: Partial<FamilyMemberDetails> & { name: string };
}

export async function addMember(change: MemberChange): Promise<FamilyMember> {
  const added = asFamilyMember(await client.profiles.create(change));
  members.value = [...members.value, added];
  return added;
}

/** Merges the changes. `undefined` removes a member of the details. */
export async function changeMember(
  member: FamilyMember,
  { details, ...change }: Partial<Omit<MemberChange, 'details'>> & { details?: Partial<FamilyMemberDetails> },
): Promise<FamilyMember> {
  const current = await client.profiles.get(member.id);
  const changed = asFamilyMember(
    await client.profiles.update(current, { ...change, ...(details && { details }) }),
  );
  members.value = members.value.map((each) => (each.id === changed.id ? changed : each));
  return changed;
}

/** Moves the member with all records to the trash. */
export async function removeMember(id: string): Promise<void> {
  await moveToTrash('profile', id);
  members.value = members.value.filter((each) => each.id !== id);
  if (chosen.value === id) chosen.value = 'all';
}

loadedWithFamily(async () => {
  const loaded = await client.profiles.list({ onUnreadable: noteUnreadable });
  const { kept, show } = withoutTrash('profile', loaded, ({ details }) => details.name);
  return () => {
    show();
    members.value = kept.map(asFamilyMember);
  };
}, 'profile');
whenLocked(() => (members.value = []));
