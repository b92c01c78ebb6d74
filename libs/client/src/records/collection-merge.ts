import { ObjectReader } from '../http/object-reader';
import { canonicalJson, type JsonObject } from '../json';
import type { CollectionDefinition, RecordChanges } from './collection-definition';
import { mergeVersions, type Version } from './merge-records';
import type { DomainRecord } from './record-types';

/** Translates between the records of a collection and the versions that can be merged. */
export class CollectionMerge<Details extends object, Meta extends object> {
  constructor(private readonly definition: CollectionDefinition<Details, Meta>) {}

  versionOf(record: DomainRecord<Details, Meta>): Version & { at: string } {
    const { profileId, details, updatedAt } = record;
    return {
      profileId,
      details: details as JsonObject,
      meta: this.definition.writeMeta(record),
      at: updatedAt,
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
    editedAt: string,
  ): Version | undefined {
    const { at, ...version } = this.versionOf(theirs);
    const before = base && this.versionOf(base);
    const merged = mergeVersions(before, { ...this.versionOf(mine), at: editedAt }, { ...version, at });
    return canonicalJson(merged) === canonicalJson(version) ? undefined : merged;
  }
}
