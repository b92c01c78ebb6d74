import type { KeyRing } from '../account/key-ring';
import { makeChain, openChain } from '../crypto/key-chain';
import { generateDataKey } from '../crypto/key-wrapping';
import { openProfileKey, wrapProfileKey, type OpenProfileKey, type ProfileKey } from '../crypto/profile-key';
import type { Key } from '../crypto/web-crypto';
import type { JsonObject } from '../json';
import type { CallOptions } from '../records/record-types';
import { FORMER_KEYS } from '../records/sealed-profile';
import type { CheckedMember } from './checked-members';
import type { CheckedSpace } from './checked-space';
import { requireOwner, type CircleChange, type CircleChanges } from './circle-changes';
import type { Roster, RosterMember } from './formats/roster';
import { profileKeyIdOf, wrapSpaceKey } from './formats/space-key';
import type { Signer } from './own-identity';
import { SpaceError } from './space-error';
import type { OwnProfiles } from './own-profiles';
import type { ProfileState, SpaceProfiles } from './space-profile';
import type { SpaceRole } from './space-types';

/** Who goes with a new key, and who may do less. */
export interface KeyPlan {
  remove: readonly string[];
  roles: readonly { account: string; role: SpaceRole }[];
  /** After a replacement of all keys: how the others know this account from now on. */
  ownKeys?: { keys: Pick<RosterMember, 'sharing' | 'signing'>; sharing: string };
}

/** Makes new keys of shared profiles. What is written after one cannot be read with the one before. */
export class NewKeys {
  constructor(
    private readonly changes: CircleChanges,
    private readonly profiles: SpaceProfiles,
    private readonly copies: OwnProfiles,
    private readonly keys: KeyRing,
    private readonly sync: (options: CallOptions) => Promise<void>,
    private readonly syncSoon: () => void,
  ) {}

  /**
   * @param planOf what else changes; it throws where that makes no sense any more, and returns `undefined` for nothing to do.
   * @throws SpaceError, ApiError, IntegrityError
   */
  async make(
    spaceId: string,
    planOf: (space: CheckedSpace) => KeyPlan | undefined,
    options: CallOptions,
  ): Promise<void> {
    // What this device knows of the newest states is what it seals.
    await this.sync(options);
    const make = async (space: CheckedSpace) => {
      requireOwner(space);
      const plan = planOf(space);
      return plan && this.#change(space, plan, options);
    };
    // An owner to whom another one has sealed garbage makes a key that opens.
    await this.changes.change(spaceId, make, options, ['tampered']);
    // Until all records are sealed anew, the key of before opens them.
    this.syncSoon();
  }

  /**
   * Everything of a new key but the roster.
   * @param epoch of the new key.
   */
  async sealAnew(
    profileId: string,
    former: SpaceKeyOf,
    state: ProfileState,
    epoch: number,
  ): Promise<{ dek: Key; keyId: string; profile: JsonObject }> {
    const { accountKey } = this.keys;
    // Extractable, and only in here and in what seals it to the members.
    const dek = await generateDataKey('profile');
    const wrapped = await wrapProfileKey({ key: dek, epoch }, accountKey, profileId);
    const newest = await openProfileKey(wrapped, accountKey, profileId);
    const chain = await this.#chainOf(profileId, former, state, newest);
    const content = { ...state.content, [FORMER_KEYS]: chain };
    const sealed = await this.profiles.seal(profileId, content, newest, ...state.lineage);
    return {
      dek,
      keyId: await profileKeyIdOf(dek, profileId),
      profile: { revision: state.revision, ...sealed },
    };
  }

  /** The key, sealed to each member that stays and whose keys this account knows. */
  async wrapsFor(
    dek: Key,
    members: readonly CheckedMember[],
    { content: { space: spaceId, profile: profileId, version: rosterVersion, members: entries } }: Roster,
    { own, under }: Signer,
  ): Promise<JsonObject[]> {
    const stays = new Set(entries.map(({ account }) => account));
    const wraps: JsonObject[] = [];
    for (const { account, acquaintance, present } of members) {
      if (!present || acquaintance === 'new_keys' || !stays.has(account)) continue;
      const place = { spaceId, profileId, rosterVersion, senderId: own.account, recipientId: account };
      const wrap = await wrapSpaceKey(dek, place, own, under, present.sharing);
      wraps.push({ member_id: account, wrap });
    }
    return wraps;
  }

  async #change(
    space: CheckedSpace,
    { remove, roles, ownKeys }: KeyPlan,
    options: CallOptions,
  ): Promise<CircleChange> {
    const { named, members, tip, key } = space;
    const { profileId } = named;
    if (!key) throw new SpaceError('space_waits', 'This device has no key of the profile.', [named.id]);
    const place = { id: named.id, profileId, version: named.version };
    const state = space.blocked
      ? await this.copies.read(place, options)
      : await this.profiles
          .read(place, options)
          .then(({ lineage, ...read }) => ({ ...read, lineage: [lineage] }));
    const epoch = tip.content.epoch + 1;
    const { dek, keyId, profile } = await this.sealAnew(profileId, key, state, epoch);
    const isStaying = ({ account, role, present }: CheckedMember) =>
      // Whom the service has no more is dropped; an owner is not, since no owner puts another one out.
      !remove.includes(account) && (present !== undefined || role === 'owner');
    const staying = new Set(members.filter(isStaying).map(({ account }) => account));
    const entries = tip.content.members
      .filter(({ account }) => staying.has(account))
      .map((entry) => ({
        ...entry,
        role: roles.find(({ account }) => account === entry.account)?.role ?? entry.role,
        ...(entry.account === space.signer.own.account && ownKeys?.keys),
      }));
    const roster = await this.changes.sign(space, { epoch, key: keyId, due: false, members: entries });
    const isPresent = (id: string) => members.some(({ account, present }) => account === id && present);
    const body = {
      rosters: [roster.text],
      wraps: await this.wrapsFor(dek, members.map(withOwnKeys(ownKeys)), roster, space.signer),
      remove: remove.filter(isPresent),
      roles: roles.map(({ account, role }) => ({ member_id: account, role })),
      profile,
      ...(ownKeys && { sharing_public: ownKeys.sharing }),
    };
    return { path: 'rekey', body, roster };
  }

  async #chainOf(profileId: string, former: SpaceKeyOf, { content }: ProfileState, newest: ProfileKey) {
    // Extractable, and only in here: each key of before is wrapped under the new one.
    const before: OpenProfileKey = await openProfileKey(former, this.keys.accountKey, profileId, true);
    const older = await openChain(content[FORMER_KEYS], before, profileId, true);
    return makeChain([before, ...older], newest, profileId);
  }
}

/** The new key is sealed to the new identity of this account. */
function withOwnKeys(ownKeys: KeyPlan['ownKeys']): (member: CheckedMember) => CheckedMember {
  return (member) => {
    const { acquaintance, present } = member;
    if (!ownKeys || acquaintance !== 'self' || !present) return member;
    return { ...member, present: { ...present, sharing: ownKeys.sharing } };
  };
}

/** A key of a profile under the account key. */
type SpaceKeyOf = NonNullable<CheckedSpace['key']>;
