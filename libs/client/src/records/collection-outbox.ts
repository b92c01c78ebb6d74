import type { EditTimes } from '../crypto/edit-time';
import type { Lineage } from '../crypto/lineage';
import type { RecordPlace } from '../crypto/labels';
import { FIRST_EPOCH, type ProfileKey } from '../crypto/profile-key';
import { decryptRecord, type EncryptedFieldWire } from '../crypto/record-cipher';
import { IntegrityError, RolledBackError } from '../errors';
import type { JsonObject } from '../json';
import { ObjectReader } from '../http/object-reader';
import type { SyncedKind } from '../offline/offline-host';
import type { WireBody } from '../offline/offline-rows';
import type { CollectionDefinition } from './collection-definition';
import type { CollectionMerge } from './collection-merge';
import { isWrittenHere } from './record-author';
import type { DomainRecord } from './record-types';
import { sealRecord, type SealedContent, wireOf } from './sealed-record';
import type { ServiceConnection } from './service-connection';

/** How a collection opens and seals. */
export interface CollectionSeals<Details, Meta> {
  /** Opens a version that proves nothing about the service. */
  open: (body: WireBody, id: string) => Promise<DomainRecord<Details, Meta>>;
  seal: (
    place: { id: string; profileId: string },
    details: Details,
    meta: Meta,
    current: readonly Lineage[],
    edited: EditTimes | undefined,
  ) => Promise<object>;
}

/** What the outbox asks of a collection. */
export function collectionOutbox<Details extends object, Meta extends object>(
  connection: ServiceConnection,
  { kind, route, isUnlisted, ofAccount }: CollectionDefinition<Details, Meta>,
  versions: CollectionMerge<Details, Meta>,
  { open, seal }: CollectionSeals<Details, Meta>,
): SyncedKind {
  const { heads } = connection;
  const openAny = async (body: WireBody | undefined) =>
    body && (await open(body, new ObjectReader(body, kind).id('id')));
  return {
    ...(ofAccount && { isOfAccount: true as const }),
    routeOf: () => route,

    async verify(body) {
      const { id, profileId, lineage } = (await openAny(body))!;
      if (heads.isOlder(profileId, id, lineage.generation, Infinity))
        throw new RolledBackError({ kind, id }, body);
      heads.note(profileId, id, lineage.generation, kind, isUnlisted);
      return { profileId, ...lineage };
    },

    lineageOf: async (body) => (await openAny(body))!.lineage,

    isOlder: ({ profileId, id, generation }) => heads.isOlder(profileId, id, generation, Infinity),

    // No head says which records of the account were deleted: the service is believed.
    ...(!ofAccount && {
      isDeleted: ({ profileId, id, generation }) => heads.isDeleted(profileId, id, generation),
    }),

    async merge({ base, mine, theirs }) {
      const [before, here, there] = await Promise.all([
        openBase(openAny, base),
        openAny(mine),
        openAny(theirs),
      ]);
      const merged = versions.merge(before, here!, there!);
      if (!merged) return undefined;
      const place = { id: there!.id, profileId: merged.profileId ?? there!.profileId };
      const body = seal(
        place,
        merged.details as Details,
        versions.metaOf(merged),
        [there!.lineage],
        merged.edited,
      );
      return (await body) as WireBody;
    },

    async reseal(body, replaced) {
      const [record, ...others] = await Promise.all([body, ...replaced].map(openAny));
      const { id, profileId, details, lineage, edited } = record!;
      await connection.learnHead(profileId);
      const from = [...others.map((other) => other!.lineage), lineage];
      return (await seal({ id, profileId }, details, record!, from, edited)) as WireBody;
    },

    async isOfNow(body) {
      const { profileId, lineage, author } = (await openAny(body))!;
      // The account key has no epochs: what is under one of before is found by its former row.
      if (ofAccount) return true;
      const { epoch } = await connection.ownerKeyOf(profileId);
      return (lineage.epoch ?? FIRST_EPOCH) >= epoch && isWrittenHere(connection, profileId, author);
    },

    async sealAnew(body) {
      const { id, profileId, lineage } = (await openAny(body))!;
      const key = await connection.ownerKeyOf(profileId);
      const place = { profileId, kind, recordId: id };
      const wire = wireOf(new ObjectReader(body, kind));
      // The keys of an account have no epochs.
      const isNewest = ofAccount
        ? await opensWith(key, wire, place)
        : (lineage.epoch ?? FIRST_EPOCH) >= key.epoch;
      if (isNewest) return undefined;
      // Decrypted a moment ago, to see its epoch.
      const { content } = await connection.withOwnerKey(
        profileId,
        (each) => connection.opened?.open(wire, each, place) ?? decryptRecord(wire, each, place),
      );
      const { ciphertext, iv } = await sealRecord(
        content as JsonObject & SealedContent,
        key,
        place,
        heads.next(profileId, id, lineage),
      );
      return { revision: Number(body.revision), encrypted_data: { ciphertext, iv } };
    },

    async note({ before, after, gone }) {
      const [old, now] = await Promise.all([before, after].map(openAny));
      if (ofAccount) {
        if (now) heads.note(now.profileId, now.id, now.lineage.generation, kind);
        else if (old) heads.noteDeletion(old.profileId, old.id, old.lineage);
        return [];
      }
      if (gone) heads.noteDeletion(gone.profileId, gone.id, undefined);
      if (gone) return [gone.profileId];
      if (now) heads.note(now.profileId, now.id, now.lineage.generation, kind, isUnlisted);
      if (old && old.profileId !== now?.profileId) heads.noteDeletion(old.profileId, old.id, old.lineage);
      return [old, now].flatMap((record) => (record ? [record.profileId] : []));
    },
  };
}

async function opensWith(key: ProfileKey, wire: EncryptedFieldWire, place: RecordPlace): Promise<boolean> {
  try {
    await decryptRecord(wire, key, place);
    return true;
  } catch (error) {
    if (error instanceof IntegrityError && error.code === 'tampered') return false;
    throw error;
  }
}

/**
 * The version from which a write was made. It may be sealed under a key that no profile has any more: then the times of
 * the changes decide alone.
 */
export async function openBase<T>(
  open: (body: WireBody | undefined) => Promise<T | undefined>,
  base: WireBody | undefined,
): Promise<T | undefined> {
  try {
    return await open(base);
  } catch (error) {
    if (error instanceof IntegrityError) return undefined;
    throw error;
  }
}
