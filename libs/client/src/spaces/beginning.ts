import type { KeyRing } from '../account/key-ring';
import { openProfileKey } from '../crypto/profile-key';
import { fromBase64 } from '../encoding';
import { ProtocolError } from '../errors';
import { ObjectReader } from '../http/object-reader';
import { newId } from '../ids';
import type { Profiles } from '../records/profiles';
import type { CallOptions } from '../records/record-types';
import type { Directory } from './directory';
import { signRoster } from './formats/roster';
import { profileKeyIdOf, wrapSpaceKey } from './formats/space-key';
import { sharingHashOf } from './formats/x-wing';
import type { OwnIdentities } from './own-identity';
import type { Pins } from './pins';
import { pinOf } from './roster-chain';
import type { SpaceService } from './space-service';

/** What the beginning of a space works with. */
export interface BeginningParts {
  service: SpaceService;
  directory: Directory;
  identities: OwnIdentities;
  pins: Pins;
  keys: KeyRing;
  profiles: Profiles;
  sync: (options: CallOptions) => Promise<void>;
  accountId: () => string;
}

/**
 * Begins to share a profile of this account. It moves with its records, under the key that it has.
 * @returns the id of the space.
 * @throws ApiError `spaces_exceeded`, `profile_too_large`, `not_found`
 */
export async function beginSpace(
  parts: BeginningParts,
  profileId: string,
  options: CallOptions,
): Promise<string> {
  const { service, directory, identities, pins, keys, accountId } = parts;
  const { accountKey } = keys;
  await parts.sync(options);
  const wrapped = await sealedProfile(parts, profileId, options);
  const others = await pins.read(options);
  const own = await identities.ensure(Object.keys(others.spaces).length > 0, options);
  const self = accountId();
  const spaceId = newId();
  // Extractable, and only in here: it is sealed to this account itself.
  const { key: dek, epoch } = await openProfileKey(wrapped, accountKey, profileId, true);
  const entry = {
    account: self,
    role: 'owner' as const,
    sharing: await sharingHashOf(fromBase64(own.sharing)!),
    signing: own.signing,
  };
  const key = await profileKeyIdOf(dek, profileId);
  const first = {
    v: 1,
    version: 1,
    previous: '',
    epoch,
    key,
    due: false,
    members: [entry],
    by: self,
  } as const;
  const roster = await signRoster({ ...first, space: spaceId, profile: profileId }, own, accountKey);
  const place = { spaceId, profileId, rosterVersion: 1, senderId: self, recipientId: self };
  const wrap = await wrapSpaceKey(dek, place, own, accountKey, own.sharing);
  // Else no device of this account would believe the first list of members.
  // What the profile is to the others is theirs to say.
  const { relationship } = await parts.profiles.get(profileId, options);
  await pins.note({}, spaceId, pinOf(roster), relationship);
  const body = {
    space_id: spaceId,
    profile_id: profileId,
    roster: roster.text,
    sharing_public: own.sharing,
    wrap,
  };
  await service.send({ method: 'POST', path: '/api/spaces', body, replayable: true }, options);
  await directory.reread(spaceId, options);
  return spaceId;
}

/** The wrapped key of a profile. One that nobody has sealed is sealed first: a service could change what is not. */
async function sealedProfile(
  { service, profiles, sync }: BeginningParts,
  profileId: string,
  options: CallOptions,
) {
  const read = async () => {
    const request = { method: 'GET', path: `/api/profiles/${profileId}` } as const;
    const reader = new ObjectReader((await service.send(request, options)).body, 'profile');
    return {
      isSealed: reader.text('name_data') !== '',
      wrapped: reader.text('wrapped_profile_dek'),
      iv: reader.text('wrapped_profile_dek_iv'),
    };
  };
  let { isSealed, ...wrapped } = await read();
  if (!isSealed) {
    await profiles.update(await profiles.get(profileId, options), {}, options);
    await sync(options);
    ({ isSealed, ...wrapped } = await read());
    if (!isSealed) throw new ProtocolError('The profile is not stored with a sealed name.');
  }
  return wrapped;
}
