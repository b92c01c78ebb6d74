import { isStandardSchema, type StandardSchema } from '../documents/standard-schema';
import { InvalidArgumentError } from '../errors';
import { requireId } from '../ids';
import { requireKnownMembers, type NamesOf } from '../inputs';
import type { JsonObject } from '../json';
import type { ObjectReader } from '../http/object-reader';
import { checkOptions } from './call-options';
import type { CollectionDefinition, NewRecord, RecordChanges } from './collection-definition';
import { collect } from './complete-list';
import { EncryptedCollection } from './encrypted-collection';
import {
  camelCase,
  readField,
  requireFields,
  schemaOf,
  type DetailsOf,
  type FieldTypes,
  type PlainOf,
} from './record-fields';
import type { CallOptions, DomainRecord, ListOptions, StoredRecord } from './record-types';
import type { ServiceConnection } from './service-connection';

const NAME = /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/;
const FIELD = /^[a-z][a-z0-9]*(_[a-z0-9]+)*$/;
const OWN = new Set(['profile', 'medication', 'appointment', 'health-stat', 'dose', 'head', 'trust-book']);
/** Members that every record has. */
const MEMBERS: NamesOf<
  NewRecord<object, object> & StoredRecord & Required<Pick<StoredRecord, 'doubt' | 'author'>>
> = {
  ...{ id: true, profileId: true, details: true, revision: true, epoch: true, createdAt: true },
  ...{
    updatedAt: true,
    altered: true,
    pending: true,
    doubt: true,
    edited: true,
    lineage: true,
    author: true,
  },
};

/** What a kind of records of a module of your own is. */
export interface RecordKindOptions<D extends FieldTypes | StandardSchema, F extends FieldTypes> {
  /** In the singular, lower case with hyphens. It is bound into every ciphertext, so it never changes. */
  kind: string;
  /** The last part of the routes: `allergies` for `/api/allergies`. */
  plural: string;
  /** `account` for records that belong to no profile. Default: `profile`. */
  owner?: 'profile' | 'account';
  /**
   * The members of the encrypted document by their types, or a schema of valibot, Zod or another library of Standard Schema.
   * It checks what is given, and changes nothing; it must answer at once, and let other members pass.
   */
  details: D;
  /** The fields that the service sees, with its names. Lists can be filtered by each of them. Default: none. */
  fields?: F;
}

/** A kind of records that belong to a profile. */
export type ProfileKind<Details extends object, Meta extends object> = CollectionDefinition<Details, Meta>;

/** A kind of records that belong to the account itself. */
export type AccountKind<Details extends object, Meta extends object> = CollectionDefinition<Details, Meta> & {
  ofAccount: true;
};

/**
 * Describes the records of a module of your own, for `kinds` of the client and for `client.collection`. The
 * service must have the module; it holds the ciphertext in `encrypted_data`.
 * @throws InvalidArgumentError for a name that has another form or is in use.
 */
export function defineRecordKind<
  const D extends FieldTypes | StandardSchema,
  const F extends FieldTypes = {},
>(options: RecordKindOptions<D, F> & { owner: 'account' }): AccountKind<DetailsOf<D>, PlainOf<F>>;
export function defineRecordKind<
  const D extends FieldTypes | StandardSchema,
  const F extends FieldTypes = {},
>(options: RecordKindOptions<D, F> & { owner?: 'profile' }): ProfileKind<DetailsOf<D>, PlainOf<F>>;
export function defineRecordKind({
  kind,
  plural,
  owner,
  details,
  fields = {},
}: RecordKindOptions<FieldTypes | StandardSchema, FieldTypes>): AnyKind {
  const isName = (name: string) => NAME.test(name) && name.length <= 64;
  if (!isName(kind) || !isName(plural) || OWN.has(kind))
    throw new InvalidArgumentError(`"${kind}" cannot be the name of a kind of records.`);
  const plain = Object.entries(fields);
  for (const [name] of plain)
    if (!FIELD.test(name) || camelCase(name) in MEMBERS)
      throw new InvalidArgumentError(`"${name}" cannot be the name of a field.`);
  // The members in which a record keeps what lost a conflict.
  const schema = isStandardSchema(details) ? details : schemaOf(details);
  for (const name of ['history', 'questions'])
    if ('entries' in schema && Object.hasOwn(schema.entries, name))
      throw new InvalidArgumentError(`"${name}" cannot be the name of a member.`);
  const path = `/api/${plural}`;
  return Object.freeze({
    kind,
    route: { kind: kind.replaceAll('-', '_'), path, updateMethod: 'PUT', deleteMethod: 'DELETE' } as const,
    ...(owner === 'account' && { ofAccount: true as const }),
    readMeta: (reader: ObjectReader) =>
      Object.fromEntries(plain.map(([name, type]) => [camelCase(name), readField(reader, name, type)])),
    writeMeta: (meta: JsonObject) =>
      Object.fromEntries(plain.map(([name]) => [name, meta[camelCase(name)] ?? null])),
    inputs: Object.fromEntries(plain.map(([name]) => [camelCase(name), true as const])),
    details: schema,
    checkMeta: (meta: Partial<JsonObject>) => requireFields(meta, fields),
    fields: Object.fromEntries(plain.map(([name]) => [camelCase(name), name])),
  });
}

/** Records of a kind that an application defines: all that the other collections do. */
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

  /** Whether the records belong to the account itself, not to a profile. */
  get isOfAccount(): boolean {
    return this.definition.ofAccount === true;
  }

  /**
   * In the order of the service. Pages are fetched during the iteration. A list by a field is not checked for
   * completeness.
   */
  iterate(
    filter: { profileId?: string } & Partial<Meta> = {},
    options: ListOptions = {},
  ): AsyncGenerator<DomainRecord<Details, Meta>, void, undefined> {
    const { fields = {}, ofAccount } = this.definition;
    requireKnownMembers(filter, { ...(!ofAccount && { profileId: true }), ...fields }, 'The filter');
    checkOptions(options);
    const { profileId: of, ...wanted } = filter;
    const profileId = of && requireId(of, 'The profile id');
    const query: Record<string, string | undefined> = { profile_id: profileId };
    for (const [name, value] of Object.entries(wanted))
      if (value !== undefined)
        query[fields[name]] = typeof value === 'string' ? value : JSON.stringify(value);
    // Another device may have changed a field of a record, so its absence proves nothing.
    const isByField = Object.values(wanted).some((value) => value !== undefined);
    const matches = (seen: { parent: string }) => !profileId || seen.parent === profileId;
    return this.listWith(query, isByField ? undefined : matches, options);
  }

  /** All records in one array; empty when there are none. */
  async list(
    filter: { profileId?: string } & Partial<Meta> = {},
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

/** Records of a kind of the account. Their `profileId` is the id of the account. */
export interface AccountCollection<Details extends object, Meta extends object> extends Omit<
  RecordCollection<Details, Meta>,
  'create' | 'update' | 'iterate' | 'list'
> {
  /** As for every record. */
  create(
    record: Omit<NewRecord<Details, Meta>, 'profileId'>,
    options?: CallOptions,
  ): Promise<DomainRecord<Details, Meta>>;
  /** As for every record. */
  update(
    current: DomainRecord<Details, Meta>,
    changes: Omit<RecordChanges<Details, Meta>, 'profileId'>,
    options?: CallOptions,
  ): Promise<DomainRecord<Details, Meta>>;
  /** As of records of a profile. */
  iterate(
    filter?: Partial<Meta>,
    options?: ListOptions,
  ): AsyncGenerator<DomainRecord<Details, Meta>, void, undefined>;
  /** As of records of a profile. */
  list(filter?: Partial<Meta>, options?: ListOptions): Promise<DomainRecord<Details, Meta>[]>;
}

/* The types of different kinds have nothing in common. */
/* eslint-disable @typescript-eslint/no-explicit-any */
/** A kind, of whatever types. */
export type AnyKind = CollectionDefinition<any, any>;
/** A collection, of whatever types. */
export type AnyCollection = RecordCollection<any, any>;
