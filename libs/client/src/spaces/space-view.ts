import { HealthRecordsError, IntegrityError, ProtocolError } from '../errors';
import type { CallOptions } from '../records/record-types';
import type { CheckedMember } from './checked-members';
import type { CheckedSpace } from './checked-space';
import type { Directory } from './directory';
import { circleCodeOf, readRoster, type Roster } from './formats/roster';
import { placeOf } from './invitations';
import type { Contacts, Pins } from './pins';
import { SpaceError } from './space-error';
import type { SpaceProfiles } from './space-profile';
import type { Space, SpaceAcquaintance, SpaceMember } from './space-types';

/** Of somebody whom this device has never seen there. */
const NEVER = new Date(0).toISOString();

/** What a view needs. */
export interface SpaceViewParts {
  directory: Directory;
  pins: Pins;
  profiles: SpaceProfiles;
  accountId: () => string;
  resealing: (profileId: string) => number | undefined;
}

/** What is known of a member, whether or not the newest answer was believed. */
type Shown = Pick<CheckedMember, 'account' | 'role' | 'acquaintance' | 'present'>;

/** Spaces as a page shows them. */
export class SpaceView {
  constructor(private readonly parts: SpaceViewParts) {}

  /** Where the newest state is not believed, it is the last one that was. @throws SpaceError `space_unknown` */
  async show(spaceId: string, options: CallOptions): Promise<Space> {
    const { directory, pins, resealing } = this.parts;
    const checked = await this.#checked(spaceId, options);
    const notes = directory.notesOf(spaceId);
    if (notes?.state !== 'member')
      throw new SpaceError('space_unknown', 'This account has no part in the space.', [spaceId]);
    const { profileId, role, isKeeper, blocked, rosters } = notes;
    const contacts = await pins.read(options).then(
      (others) => others.contacts,
      (error: unknown) => orNothing(error, {}),
    );
    const roster = checked?.tip ?? (rosters.length > 0 ? await readRoster(rosters.at(-1)!) : undefined);
    const members = checked?.members ?? this.#entriesOf(roster, contacts);
    const names = await this.#namesOf(checked, members, contacts, options);
    const left = resealing(profileId);
    return {
      id: spaceId,
      profileId,
      role,
      isKeeper,
      members: members.map((member) => shownMember(member, names, notes.joined, checked !== undefined)),
      circleCode: roster ? circleCodeOf(roster) : '',
      isKeyDue: (roster?.content.due ?? false) || members.some(isOwed(checked)),
      ...(left !== undefined && { resealing: left }),
      blocked,
    };
  }

  async #checked(spaceId: string, options: CallOptions): Promise<CheckedSpace | undefined> {
    return this.parts.directory
      .check(spaceId, options)
      .catch((error: unknown) => orNothing<CheckedSpace | undefined>(error, undefined));
  }

  #entriesOf(roster: Roster | undefined, contacts: Contacts): Shown[] {
    const self = this.parts.accountId();
    return (roster?.content.members ?? []).map(({ account, role, signing }) => {
      const contact = contacts[account];
      const known: SpaceAcquaintance = contact?.paired ? 'paired' : 'introduced';
      const isNew = contact?.signing !== undefined && contact.signing !== signing;
      return { account, role, acquaintance: account === self ? 'self' : isNew ? 'new_keys' : known };
    });
  }

  /** The name that this person uses wins. An owner adds the names that the profile lacks. */
  async #namesOf(
    space: CheckedSpace | undefined,
    members: readonly Shown[],
    contacts: Contacts,
    options: CallOptions,
  ): Promise<Record<string, string>> {
    const known = Object.entries(contacts).flatMap(([id, { name }]) => (name ? [[id, name] as const] : []));
    const own = Object.fromEntries(known);
    if (!space || space.blocked) return own;
    const { profiles } = this.parts;
    const people = await profiles
      .people(placeOf(space), options)
      .catch((error: unknown) => orNothing<Record<string, string>>(error, {}));
    const isOwner = space.named.role === 'owner';
    const unnamed = members.filter(({ account }) => !people[account] && own[account]);
    for (const { account } of isOwner ? unnamed : [])
      await profiles.name(placeOf(space), account, own[account], options).catch(() => undefined);
    return { ...people, ...own };
  }
}

/** Who has gone without a word still has the key. */
function isOwed(checked: CheckedSpace | undefined): (member: Shown) => boolean {
  return ({ role, present }) => checked !== undefined && present === undefined && role !== 'owner';
}

function shownMember(
  { account, role, acquaintance, present }: Shown,
  names: Record<string, string>,
  joined: Readonly<Record<string, string>>,
  isChecked: boolean,
): SpaceMember {
  return {
    accountId: account,
    role,
    name: names[account] ?? null,
    acquaintance,
    joinedAt: present?.joinedAt ?? joined[account] ?? NEVER,
    ...(isChecked && !present && { isGone: true }),
  };
}

/** For what a page can do without. */
function orNothing<T>(error: unknown, nothing: T): T {
  if (error instanceof IntegrityError || error instanceof ProtocolError) return nothing;
  if (error instanceof HealthRecordsError && error.code === 'not_found') return nothing;
  throw error;
}
