import type { KeyRing } from '../account/key-ring';
import { fromBase64 } from '../encoding';
import { IntegrityError } from '../errors';
import type { CallOptions } from '../records/record-types';
import type { CheckedMember } from './checked-members';
import type { Directory } from './directory';
import { identityIdOf, type OwnIdentity } from './formats/identity';
import { readRoster, signRoster, type Roster } from './formats/roster';
import { checkRosterStep } from './formats/roster-rules';
import { sharingHashOf } from './formats/x-wing';
import { roleTooLow } from './circle-changes';
import type { NewKeys } from './new-key';
import type { OwnIdentities } from './own-identity';
import type { OwnProfiles } from './own-profiles';
import type { Pins } from './pins';
import { pinOf, rolledBack } from './roster-chain';
import { SpaceError } from './space-error';
import type { SpaceService } from './space-service';
import type { NamedSpace } from './space-wire';

/** What the mending of a space works with. */
export interface SetRightParts {
  service: SpaceService;
  directory: Directory;
  identities: OwnIdentities;
  pins: Pins;
  keys: KeyRing;
  newKeys: NewKeys;
  copies: OwnProfiles;
}

/** After a restore of the service: gives it back the rosters that it has lost, with a new key for who is in the newest one. */
export class SetRight {
  constructor(private readonly parts: SetRightParts) {}

  /**
   * A member that is no owner gives back its own trust book, after an owner has given back the list of members.
   * @throws SpaceError `not_rolled_back`, `owner_protected`; ApiError `space_role_too_low`
   * @throws IntegrityError `roster_rolled_back` for what this device cannot mend.
   */
  async make(spaceId: string, options: CallOptions): Promise<void> {
    const { directory, service, identities, pins } = this.parts;
    await directory.open();
    const notes = directory.notesOf(spaceId);
    const rosters = await Promise.all((notes?.rosters ?? []).map(readRoster));
    const newest = rosters.at(-1);
    if (!notes?.key || !newest)
      throw new SpaceError('space_unknown', 'This device knows nothing of the space.');
    await pins.restore(spaceId, pinOf(newest));
    if (notes.role !== 'owner') return this.#reread(spaceId, options);
    const named = await service.read(spaceId, options);
    const lacking = rosters.filter(({ content }) => content.version > named.rosterVersion);
    if (lacking.length === 0) return this.#reread(spaceId, options);
    if (lacking[0].content.version !== named.rosterVersion + 1) throw rolledBack(spaceId);
    const own = await identities.require(options);
    const { newKeys, copies } = this.parts;
    const { members, remove, roles } = await membersAfter(named, newest, own, await this.#contacts(options));
    const place = { id: spaceId, profileId: named.profileId, version: named.version };
    const state = await copies.read(place, options);
    const epoch = newest.content.epoch + 1;
    const { dek, keyId, profile } = await newKeys.sealAnew(named.profileId, notes.key, state, epoch);
    const roster = await this.#next(newest, members, own, { epoch, key: keyId });
    const body = {
      rosters: [...lacking, roster].map(({ text }) => text),
      wraps: await newKeys.wrapsFor(dek, members, roster, { own, under: this.parts.keys.accountKey }),
      remove,
      roles,
      profile,
      sharing_public: own.sharing,
    };
    await service.write(place, 'rekey', body, options);
    await directory.reread(spaceId, options);
  }

  /** Only the trust book had gone back, or nothing at all. The list of members is for an owner to give back. */
  async #reread(spaceId: string, options: CallOptions): Promise<void> {
    const { directory } = this.parts;
    const isRolledBack = () => directory.notesOf(spaceId)?.blocked?.code === 'roster_rolled_back';
    const wasRolledBack = isRolledBack();
    await directory.reread(spaceId, options);
    if (directory.notesOf(spaceId)?.role !== 'owner' && isRolledBack()) throw roleTooLow();
    if (!wasRolledBack)
      throw new SpaceError('not_rolled_back', 'The service shows the newest list of members.', [spaceId]);
  }

  async #contacts(options: CallOptions) {
    return (await this.parts.pins.read(options)).contacts;
  }

  async #next(
    before: Roster,
    members: readonly CheckedMember[],
    own: OwnIdentity,
    key: { epoch: number; key: string },
  ): Promise<Roster> {
    const { content, hash } = before;
    const stays = new Set(members.map(({ account }) => account));
    const next = {
      ...content,
      ...key,
      version: content.version + 1,
      previous: hash,
      by: own.account,
      due: false,
      members: content.members.filter(({ account, role }) => stays.has(account) || role === 'owner'),
    };
    const roster = await signRoster(next, own, this.parts.keys.accountKey);
    await checkRosterStep(before, roster);
    return roster;
  }
}

/** What the service must change so that its members are those of the newest roster. Who came after the backup is gone. */
async function membersAfter(
  named: NamedSpace,
  { content }: Roster,
  own: OwnIdentity,
  contacts: Readonly<Record<string, { identity: string }>>,
) {
  const members: CheckedMember[] = [];
  const remove: string[] = [];
  const roles: { member_id: string; role: string }[] = [];
  for (const { account, role, sharing, joinedAt } of named.members) {
    const entry = content.members.find((each) => each.account === account);
    // No owner puts out or lowers another one, also not after a restore: that one leaves again.
    if (role === 'owner' && entry?.role !== 'owner')
      throw new SpaceError('owner_protected', 'Somebody is an owner again, and must leave again.', [
        named.id,
      ]);
    if (!entry) {
      remove.push(account);
      continue;
    }
    if (entry.role !== role) roles.push({ member_id: account, role: entry.role });
    const isSelf = account === own.account;
    const isSame = (await sharingHashOf(fromBase64(sharing) ?? new Uint8Array())) === entry.sharing;
    const key = isSelf ? own.sharing : sharing;
    const identity = await identityIdOf({ account, sharing: key, signing: entry.signing });
    const isKnown = isSelf || (isSame && contacts[account]?.identity === identity);
    members.push({
      account,
      role: entry.role,
      signing: entry.signing,
      acquaintance: isSelf ? 'self' : isKnown ? 'introduced' : 'new_keys',
      present: { sharing: key, identity, joinedAt },
    });
  }
  if (!members.some(({ account }) => account === own.account))
    throw new IntegrityError('roster_rolled_back', 'The service does not know this account in the space.', {
      kind: 'space',
      id: named.id,
    });
  return { members, remove, roles };
}
