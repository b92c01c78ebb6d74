import type { Lineage } from '../crypto/lineage';
import { ObjectReader } from '../http/object-reader';
import type { SyncedKind } from '../offline/offline-host';
import type { WireBody } from '../offline/offline-rows';
import type { CollectionDefinition } from './collection-definition';
import type { CollectionMerge } from './collection-merge';
import type { DomainRecord } from './record-types';
import type { ServiceConnection } from './service-connection';

/** How a collection opens and seals. */
export interface CollectionSeals<Details, Meta> {
  /** Opens a version that proves nothing about the service. */
  open: (body: WireBody, id: string) => Promise<DomainRecord<Details, Meta>>;
  seal: (
    place: { id: string; profileId: string },
    details: Details,
    meta: Meta,
    current: Lineage | undefined,
  ) => Promise<object>;
}

/** What the outbox asks of a collection. */
export function collectionOutbox<Details extends object, Meta extends object>(
  connection: ServiceConnection,
  { kind, route }: CollectionDefinition<Details, Meta>,
  versions: CollectionMerge<Details, Meta>,
  { open, seal }: CollectionSeals<Details, Meta>,
): SyncedKind {
  const { heads } = connection;
  const openAny = async (body: WireBody | undefined) =>
    body && (await open(body, new ObjectReader(body, kind).id('id')));
  return {
    routeOf: () => route,

    async merge({ base, mine, theirs, editedAt }) {
      const [before, here, there] = await Promise.all([base, mine, theirs].map(openAny));
      const merged = versions.merge(before, here!, there!, editedAt);
      if (!merged) return undefined;
      const place = { id: there!.id, profileId: merged.profileId! };
      const body = seal(place, merged.details as Details, versions.metaOf(merged), there!.lineage);
      return (await body) as WireBody;
    },

    async reseal(body) {
      const record = (await openAny(body))!;
      const { id, profileId, details, lineage } = record;
      await connection.learnHead(profileId);
      return (await seal({ id, profileId }, details, record, lineage)) as WireBody;
    },

    async note({ before, after }) {
      const [old, now] = await Promise.all([before, after].map(openAny));
      if (now) heads.note(now.profileId, now.id, now.lineage.generation);
      if (old && old.profileId !== now?.profileId) heads.noteDeletion(old.profileId, old.id, old.lineage);
      return [old, now].flatMap((record) => (record ? [record.profileId] : []));
    },
  };
}
