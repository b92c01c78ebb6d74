import { ObjectReader } from '../http/object-reader';
import { stampAfter, type EditTimes } from '../crypto/edit-time';
import type { JsonObject } from '../json';
import type { CollectionDefinition, NewRecord, RecordChanges } from './collection-definition';
import { isSameContent, mergeVersions, timesAfter, type Version } from './merge-records';
import type { DomainRecord } from './record-types';

/** Translates between the records of a collection and the versions that can be merged. */
export class CollectionMerge<Details extends object, Meta extends object> {
  constructor(private readonly definition: CollectionDefinition<Details, Meta>) {}

  versionOf(record: DomainRecord<Details, Meta>): Version & { at: string } {
    const { profileId, details, updatedAt, edited } = record;
    return {
      ...(!this.definition.ofAccount && { profileId }),
      details: details as JsonObject,
      meta: this.definition.writeMeta(record),
      at: updatedAt,
      edited,
      ...(record.author?.accountId && { by: record.author.accountId }),
    };
  }

  /** The changes that make a version of a record; members that it does not have are removed. */
  changesTo(version: Version, from?: DomainRecord<Details, Meta>): RecordChanges<Details, Meta> {
    const { profileId, details } = version;
    const removed = Object.keys(from?.details ?? {}).map((name) => [name, undefined] as const);
    const members = { ...Object.fromEntries(removed), ...details } as Partial<Details>;
    return { ...this.metaOf(version), ...(profileId === undefined ? {} : { profileId }), details: members };
  }

  metaOf({ meta }: Version): Meta {
    return this.definition.readMeta(new ObjectReader(meta, this.definition.kind));
  }

  /** The version with the changes of both sides; `undefined` if `theirs` has all of mine. */
  merge(
    base: DomainRecord<Details, Meta> | undefined,
    mine: DomainRecord<Details, Meta>,
    theirs: DomainRecord<Details, Meta>,
  ): Version | undefined {
    const [before, here, there] = [
      base && this.versionOf(base),
      this.versionOf(mine),
      this.versionOf(theirs),
    ];
    const merged = mergeVersions(before, here, there, this.definition.unitOf);
    return isSameContent(merged, there) ? undefined : merged;
  }

  /** The sealed times of a version that replaces another one, or of a new record. */
  timesAfter(before: DomainRecord<Details, Meta> | undefined, after: NewRecord<Details, Meta>): EditTimes {
    const version = {
      ...(!this.definition.ofAccount && { profileId: after.profileId }),
      details: after.details as JsonObject,
      meta: this.definition.writeMeta(after),
    };
    const unitOf = this.definition.unitOf ?? (() => '');
    return timesAfter(before && this.versionOf(before), version, unitOf, stampAfter);
  }
}
