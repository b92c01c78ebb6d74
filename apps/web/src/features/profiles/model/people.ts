import type { FamilyMember } from '@app/client/documents';
import type { RecordAuthor, SpaceBlock, SpaceRole, SpaceState } from '@app/client/spaces';
import { signal } from '@preact/signals';
import type { ComponentType } from 'preact';
import { t } from '../../../i18n/i18n';
import { memberOf } from './family';
import { preference } from '../../../platform/model/preferences';
import { whenLocked } from '../../../platform/model/session';

/** Where and how a profile is shared, as its record says. */
export interface SharedPlace {
  id: string;
  role: SpaceRole;
  blocked: SpaceBlock | null;
  /** `removed`, `deleted`: what this device has can only be read. */
  state: 'member' | 'removed' | 'deleted';
  /** What the person is to this account; empty where nothing was said. */
  relationship: string;
}

/** Who the accounts are that write in shared profiles. */
export interface KnownPeople {
  /** The own account. */
  me?: string;
  /** By account, also of those who have left. */
  names: Readonly<Record<string, string>>;
  /** What was read last of each shared profile, by its space. It still tells whom to ask when the access has ended. */
  circles?: Readonly<Record<string, KnownCircle>>;
}

export interface KnownCircle {
  /** Of the person whose record it is. */
  name: string;
  /** The other members, by account. */
  roles: Readonly<Record<string, SpaceRole>>;
}

export const knownPeople = signal<KnownPeople>({ names: {} });
/** What the service says of the shared profiles; empty until it was asked. */
export const spaceStates = signal<readonly SpaceState[]>([]);
/** Lines above the screens about shared profiles; loaded when there is one. */
export const sharedNotice = signal<{ Show: ComponentType } | undefined>(undefined);
/** Whether this device has ever shared or joined: an account that shares nothing asks for nothing. */
export const sharesHere = preference<boolean>('shares', false);

export const placeOf = (member: FamilyMember | undefined): SharedPlace | undefined => member?.space;

/** What a person is to this account. That of a shared record is what its maker had said, of themselves perhaps. */
export const relationOf = (member: FamilyMember): string =>
  placeOf(member)?.relationship ?? member.relationship;

/** How a profile is shared; `undefined` for one that is not. */
export const sharedPlace = (profileId: string): SharedPlace | undefined => placeOf(memberOf(profileId));

/** Whether the access to a shared profile has ended: what this device keeps can only be read. */
export const hasEnded = ({ id, state }: SharedPlace): boolean =>
  state !== 'member' ||
  spaceStates.value.some((each) => each.id === id && (each.state === 'removed' || each.state === 'deleted'));

/** Why a person may not write: the role, or that nobody can at present. */
export type Hindrance = 'viewer' | 'carer' | 'blocked' | 'ended';

/** What hinders this account in the records of a person; `undefined` where nothing does. */
export function hindranceOf(profileId: string): Hindrance | undefined {
  const place = sharedPlace(profileId);
  if (!place) return undefined;
  if (hasEnded(place)) return 'ended';
  if (place.blocked) return 'blocked';
  return place.role === 'viewer' || place.role === 'carer' ? place.role : undefined;
}

/** Whether this account may change everything of a person. */
export const mayChange = (profileId: string): boolean => hindranceOf(profileId) === undefined;

/** Whether this account may note doses and readings. */
export const mayNote = (profileId: string): boolean => [undefined, 'carer'].includes(hindranceOf(profileId));

/** A record that may say who wrote it. One that waits to be sent is one's own. */
export interface Authored {
  author?: RecordAuthor;
  pending?: true;
}

/** Whether this account may change or take back a dose or a reading: a carer only what is their own. */
export function mayChangeEntry(profileId: string, { author, pending }: Authored): boolean {
  if (mayChange(profileId)) return true;
  const isOwn = pending || (author && author.accountId === knownPeople.value.me);
  return mayNote(profileId) && Boolean(isOwn);
}

/** The author of a record, where it is in a shared profile. */
export const authorOf = ({ author }: Authored): RecordAuthor | undefined => author;

/** What a screen says of the author of a record; `undefined` for what was written before it was shared. */
export function authorWords(author: RecordAuthor | undefined): string | undefined {
  if (!author) return undefined;
  const { accountId } = author;
  if (accountId === null) return t('common.share.unclear');
  if (accountId === knownPeople.value.me) return t('common.share.you');
  return knownPeople.value.names[accountId] ?? t('common.share.someone');
}

/** As {@link authorWords}, in a sentence: `Given by Ada`. */
export function byWords(
  author: RecordAuthor | undefined,
  key: 'common.share.givenBy' | 'common.share.notedBy' | 'common.share.writtenBy',
): string | undefined {
  const name = authorWords(author);
  return author?.accountId === null ? name : name && t(key, { name });
}

/** What a line in a list of changes says of its writer: in a shared profile the own account. */
export function writtenHere(profileId: string): { by?: string } {
  const { me } = knownPeople.value;
  return sharedPlace(profileId) && me ? { by: me } : {};
}

/** The words beside a dose. By the word of the service: a dose is plaintext. */
export const doseAuthorWords = ({ taken, author }: Authored & { taken: boolean }): string | undefined =>
  byWords(author, taken ? 'common.share.givenBy' : 'common.share.notedBy');

/** The person to whom a new record can belong, and who are shown. */
export const changeable = (shown: readonly FamilyMember[]) => shown.filter(({ id }) => mayChange(id));
export const notable = (shown: readonly FamilyMember[]) => shown.filter(({ id }) => mayNote(id));

whenLocked(() => {
  knownPeople.value = { names: {} };
  spaceStates.value = [];
  sharedNotice.value = undefined;
});
