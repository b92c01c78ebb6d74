import { InvalidArgumentError } from '../errors';
import { requireId } from '../ids';
import { requireKnownMembers } from '../inputs';
import type { JsonObject } from '../json';
import type { ObjectReader } from '../http/object-reader';
import { checkOptions } from './call-options';
import type { CollectionDefinition } from './collection-definition';
import { collect } from './complete-list';
import { EncryptedCollection } from './encrypted-collection';
import type { DomainRecord, ListOptions } from './record-types';
import type { ServiceConnection } from './service-connection';

const NAME = /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/;
const OWN = new Set(['profile', 'medication', 'appointment', 'health-stat', 'dose', 'head']);

/**
 * Describes the records of a module of your own, for `kinds` of the client and for `client.collection`. The
 * service must have the module; every record belongs to a profile and holds its ciphertext in `encrypted_data`.
 * @throws InvalidArgumentError for a name that is not in kebab-case or is in use.
 */
export function defineRecordKind<Details extends object, Meta extends object>(
  definition: CollectionDefinition<Details, Meta>,
): CollectionDefinition<Details, Meta> {
  if (!NAME.test(definition.kind) || definition.kind.length > 64 || OWN.has(definition.kind)) {
    throw new InvalidArgumentError(`"${definition.kind}" cannot be the name of a kind of records.`);
  }
  return Object.freeze({ ...definition });
}

/** Records of a kind that an application defines: all that the other collections do, and lists by profile. */
export class RecordCollection<Details extends object, Meta extends object> extends EncryptedCollection<
  Details,
  Meta
> {
  constructor(connection: ServiceConnection, definition: CollectionDefinition<Details, Meta>) {
    super(connection, definition);
  }

  /** The name of the kind. */
  get kind(): string {
    return this.definition.kind;
  }

  /** In the order of the service. Pages are fetched during the iteration. */
  iterate(
    filter: { profileId?: string } = {},
    options: ListOptions = {},
  ): AsyncGenerator<DomainRecord<Details, Meta>, void, undefined> {
    requireKnownMembers(filter, { profileId: true }, 'The filter');
    checkOptions(options);
    const profileId = filter.profileId && requireId(filter.profileId, 'The profile id');
    const matches = (seen: { parent: string }) => !profileId || seen.parent === profileId;
    return this.listWith({ profile_id: profileId }, matches, options);
  }

  /** All records in one array; empty when there are none. */
  async list(
    filter: { profileId?: string } = {},
    options: ListOptions = {},
  ): Promise<DomainRecord<Details, Meta>[]> {
    return collect(this.iterate(filter, options));
  }

  /** The plaintext fields of a record in wire form, for an export. */
  fieldsOf(record: DomainRecord<Details, Meta>): JsonObject {
    return this.definition.writeMeta(record);
  }

  /** The plaintext fields of an exported record. @throws ProtocolError */
  readFields(reader: ObjectReader): Meta {
    return this.definition.readMeta(reader);
  }
}

/* The types of different kinds have nothing in common. */
/* eslint-disable @typescript-eslint/no-explicit-any */
/** A kind, of whatever types. */
export type AnyKind = CollectionDefinition<any, any>;
/** A collection, of whatever types. */
export type AnyCollection = RecordCollection<any, any>;
