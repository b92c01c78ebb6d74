import type { KeyRing } from '../account/key-ring';
import { ObjectReader } from '../http/object-reader';
import type { SyncedKind } from '../offline/offline-host';
import type { WireBody } from '../offline/offline-rows';
import { FIRST_EPOCH } from '../crypto/profile-key';
import { openBase } from './collection-outbox';
import { isSameContent, mergeVersions } from './merge-records';
import { changesTo, unitOfProfile, versionOf } from './profile-versions';
import { isWrittenHere } from './record-author';
import type { RecordRoute } from './record-gateway';
import type { Profile } from './record-types';
import { sealedBody } from './sealed-profile';
import type { ServiceConnection } from './service-connection';

/**
 * What the outbox asks of the profiles.
 * @param open opens a version that proves nothing about the service.
 * @param verify opens one and takes it as the newest, if it is not older than what is known.
 */
export function profileOutbox(
  connection: ServiceConnection,
  keys: KeyRing,
  route: RecordRoute,
  open: (body: WireBody, id: string) => Promise<Profile>,
  verify: (body: WireBody, id: string) => Promise<Profile>,
): SyncedKind {
  const { heads } = connection;
  const openAny = async (body: WireBody | undefined) =>
    body && (await open(body, new ObjectReader(body, route.kind).id('profile_id')));
  const seal = (current: readonly Profile[], content: Parameters<typeof sealedBody>[2]) =>
    sealedBody(connection, current[0].id, content, current);
  return {
    routeOf: () => route,

    async verify(body) {
      const { id, lineage } = await verify(body, new ObjectReader(body, route.kind).id('profile_id'));
      return { profileId: id, generation: 0, previous: null, state: '', ...lineage };
    },

    lineageOf: async (body) => (await openAny(body))!.lineage,

    isOlder: ({ id, generation }) => heads.isOlder(id, id, generation, Infinity),

    isDeleted: ({ id }) => heads.isProfileDeleted(id),

    async merge({ base, mine, theirs }) {
      const [before, here, there] = await Promise.all([
        openBase(openAny, base),
        openAny(mine),
        openAny(theirs),
      ]);
      const theirVersion = versionOf(there!);
      const merged = mergeVersions(
        before && versionOf(before),
        versionOf(here!),
        theirVersion,
        unitOfProfile,
      );
      if (isSameContent(merged, theirVersion)) return undefined;
      return seal([there!], changesTo(merged));
    },

    async reseal(body, replaced) {
      const profile = (await openAny(body))!;
      if (profile.lineage === null) return {};
      const others = await Promise.all(replaced.map(async (each) => (await openAny(each))!));
      return seal([...others, profile], profile);
    },

    async isOfNow(body) {
      const { id, lineage, author } = (await openAny(body))!;
      const { epoch } = await connection.keyOf(id);
      return (lineage?.epoch ?? FIRST_EPOCH) >= epoch && isWrittenHere(connection, id, author);
    },

    async note({ before, after, gone: named }) {
      const gone = after ? undefined : (named ?? (await openAny(before)));
      if (!gone) return [];
      if (!named) {
        heads.noteDeletion(gone.id, gone.id, undefined);
        await heads.remember(gone.id, await connection.keyOf(gone.id));
      }
      return heads.noteProfileDeletion(gone.id);
    },

    isOpen: (id) => connection.openKeyOf(id) !== undefined,

    async withHead(body) {
      const profile = (await openAny(body))!;
      await heads.remember(profile.id, await connection.keyOf(profile.id));
      // What nobody has sealed is only what the service says.
      if (!heads.isAhead(profile.id) || profile.lineage === null) return undefined;
      return seal([profile], profile);
    },

    async epochAfterFormer(id) {
      const { older, epoch } = await connection.keyOf(id);
      return older && epoch;
    },

    withDroppedKeys: (id, run) => keys.withDropped(id, run),
    forgetDroppedKeys: (id) => keys.forgetDropped(id),

    async withoutFormerKeys(body) {
      const profile = (await openAny(body))!;
      return sealedBody(connection, profile.id, profile, [profile], { keepsFormerKeys: false });
    },

    async rewrap(body) {
      const reader = new ObjectReader(body, route.kind);
      const stored = {
        wrapped: reader.text('wrapped_profile_dek'),
        iv: reader.text('wrapped_profile_dek_iv'),
      };
      const { wrapped, iv } = await keys.rewrapStored(reader.id('profile_id'), stored);
      return { wrapped_profile_dek: wrapped, wrapped_profile_dek_iv: iv };
    },
  };
}
