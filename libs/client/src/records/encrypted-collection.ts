import {
  ApiError,
  IntegrityError,
  InvalidArgumentError,
  ProtocolError,
  RevisionConflictError,
} from '../errors';
import { newId, requireId } from '../ids';
import { requireKnownMembers, type NamesOf } from '../inputs';
import type { JsonObject } from '../json';
import type { RecordKind } from '../crypto/labels';
import type { Ancestry } from '../crypto/lineage';
import type { EncryptedFieldWire } from '../crypto/record-cipher';
import { ObjectReader } from '../http/object-reader';
import { checkOptions, signalOf } from './call-options';
import { completeList } from './complete-list';
import { fingerprintOf, openRecord, sealRecord, successorOf } from './sealed-record';
import type { CallOptions, DomainRecord, ListOptions } from './record-types';
import { type RecordRoute, tagOf, type WireRecord } from './record-gateway';
import type { ServiceConnection } from './service-connection';
import type { Sighting } from './session-ledger';

export { checkOptions, signalOf } from './call-options';

/** The differences between medications, appointments and health statistics. */
export interface CollectionDefinition<Details extends object, Meta extends object> {
  kind: Exclude<RecordKind, 'profile'>;
  route: RecordRoute;
  /** Reads the plaintext fields of an answer, and their sealed copy. @throws ProtocolError */
  readMeta: (reader: ObjectReader) => Meta;
  /** All plaintext fields in wire form. They are also encrypted together with the details. */
  writeMeta: (meta: Meta) => JsonObject;
  /** The plaintext fields by their names in `Meta`. */
  inputs: NamesOf<Meta>;
  /** @throws InvalidArgumentError for invalid details. */
  checkDetails: (details: Details) => void;
  /**
   * Checks only what a caller gives anew: stored values of older or other clients are kept.
   * @throws InvalidArgumentError
   */
  checkInput?: (details: Partial<Details>, meta: Partial<Meta>) => void;
  /** The time by which the list is filtered. */
  timeOf?: (meta: Meta) => string;
}

/** The input of a create. */
export type NewRecord<Details, Meta> = { id?: string; profileId: string; details: Details } & Meta;
/** The input of an update. Members of `details` are merged; `undefined` removes a member. */
export type RecordChanges<Details, Meta> = Partial<Meta> & { profileId?: string; details?: Partial<Details> };

/**
 * Records of one kind. They are encrypted before they are sent, and decrypted and checked when they are read.
 */
export class EncryptedCollection<Details extends object, Meta extends object> {
  constructor(
    protected readonly connection: ServiceConnection,
    protected readonly definition: CollectionDefinition<Details, Meta>,
  ) {}

  /** One record. @throws ApiError `not_found`, IntegrityError */
  async get(id: string, options: CallOptions = {}): Promise<DomainRecord<Details, Meta>> {
    checkOptions(options);
    const mark = this.connection.ledger.mark();
    const known = requireId(id, 'The id');
    const answer = await this.connection.records.get(this.definition.route, known, options);
    return this.#open(answer, mark, { id: known }, options);
  }

  /**
   * Stores a new record. A retry after a lost answer does not store it twice. A second call with the same
   * `id` is refused.
   * @throws InvalidArgumentError, ApiError `id_taken`, `quota_exceeded`, `not_found` (the profile)
   */
  async create(
    record: NewRecord<Details, Meta>,
    options: CallOptions = {},
  ): Promise<DomainRecord<Details, Meta>> {
    const { inputs, checkInput, kind } = this.definition;
    requireKnownMembers(record, { id: true, profileId: true, details: true, ...inputs }, `A new ${kind}`);
    checkInput?.(record.details ?? {}, record);
    return this.restore(record, options);
  }

  /** Stores a record of an export: as {@link create}, with the values that another client once stored. */
  async restore(
    record: NewRecord<Details, Meta>,
    options: CallOptions = {},
  ): Promise<DomainRecord<Details, Meta>> {
    checkOptions(options);
    const mark = this.connection.ledger.mark();
    const id = record.id === undefined ? newId() : requireId(record.id, 'The id');
    const profileId = requireId(record.profileId, 'The profile id');
    const place = { id, profileId };
    const body = { id, ...(await this.#seal(place, record.details, record, undefined, options)) };
    const answer = await this.connection.records.create(this.definition.route, body, options);
    return this.#open(answer, mark, { id, profileId }, options);
  }

  /**
   * Replaces a record by `current` with the changes, if nobody has changed it in the meantime.
   * @throws RevisionConflictError with both versions; InvalidArgumentError, ApiError
   */
  async update(
    current: DomainRecord<Details, Meta>,
    changes: RecordChanges<Details, Meta>,
    options: CallOptions = {},
  ): Promise<DomainRecord<Details, Meta>> {
    checkOptions(options);
    const mark = this.connection.ledger.mark();
    const id = requireId(current.id, 'The id');
    const profileId = requireId(changes.profileId ?? current.profileId, 'The profile id');
    const { details: changed, ...meta } = changes;
    const { inputs, checkInput, kind } = this.definition;
    requireKnownMembers(changes, { profileId: true, details: true, ...inputs }, `A change of a ${kind}`);
    checkInput?.(changed ?? {}, changes);
    const details = withoutUndefined({ ...current.details, ...changed });
    const mine = { ...current, ...withoutUndefined(meta), profileId, details };
    const body = await this.#seal({ id, profileId }, details, mine, successorOf(current.lineage), options);
    try {
      const answer = await this.connection.records.update(this.definition.route, id, body, {
        ifMatch: tagOf(current),
        ...signalOf(options),
      });
      return await this.#open(answer, mark, { id, profileId }, options);
    } catch (error) {
      if (!(error instanceof ApiError && error.status === 412)) throw error;
      return this.#settleConflict(id, mine, body.encrypted_data, options);
    }
  }

  /**
   * Deletes a record if nobody has changed it since `current` was read. With only an id, deletes any version.
   * @throws RevisionConflictError; ApiError `not_found`
   */
  async delete(current: DomainRecord<Details, Meta> | string, options: CallOptions = {}): Promise<void> {
    const id = requireId(typeof current === 'string' ? current : current.id, 'The id');
    const { kind, route } = this.definition;
    const forgotten = this.connection.ledger.forget({ kind, id });
    try {
      await this.connection.records.delete(route, id, {
        ...(typeof current === 'string' ? {} : { ifMatch: tagOf(current) }),
        ...signalOf(options),
      });
      this.connection.ledger.forgetChildren(id);
    } catch (error) {
      forgotten.undo();
      if (!(error instanceof ApiError && error.status === 412) || typeof current === 'string') throw error;
      throw new RevisionConflictError(current, await this.#getIfAny(id, options));
    }
  }

  /** The common implementation of `list` and `iterate` of each kind. */
  protected listWith(
    query: Record<string, string | undefined>,
    matches: ((sighting: Readonly<Sighting>) => boolean) | undefined,
    options: ListOptions,
  ): AsyncGenerator<DomainRecord<Details, Meta>, void, undefined> {
    checkOptions(options);
    return completeList(this.connection, {
      kind: this.definition.kind,
      route: this.definition.route,
      query,
      options,
      matches,
      canProbe: true,
      read: async (element, mark) => {
        const id = new ObjectReader(element.body, this.definition.kind).id('id');
        try {
          return { id, record: await this.#open(element, mark, { id }, options) };
        } catch (error) {
          const unreadable = error instanceof ProtocolError || isUnreadable(error);
          if (!options.onUnreadable || !unreadable) throw error;
          options.onUnreadable({ kind: this.definition.kind, id, error: error as IntegrityError });
          return { id, record: undefined };
        }
      },
    });
  }

  async #seal(
    { id, profileId }: { id: string; profileId: string },
    details: Details,
    meta: Meta,
    ancestry: Ancestry | undefined,
    options: CallOptions,
  ) {
    this.definition.checkDetails(details);
    const plain = this.definition.writeMeta(meta);
    const place = { profileId, kind: this.definition.kind, recordId: id };
    const key = await this.connection.keyOf(profileId, options.signal);
    const content = { details: details as JsonObject, meta: plain };
    return {
      profile_id: profileId,
      ...plain,
      encrypted_data: await sealRecord(content, key, place, ancestry),
    };
  }

  async #open(
    { body, isPending, epoch }: WireRecord,
    mark: number,
    expected: { id: string; profileId?: string },
    options: CallOptions,
  ): Promise<DomainRecord<Details, Meta>> {
    const { kind, readMeta, writeMeta, timeOf } = this.definition;
    const reader = new ObjectReader(body, kind);
    const [id, profileId, revision] = [
      reader.id('id'),
      reader.id('profile_id'),
      reader.integer('revision', 1),
    ];
    if (id !== expected.id || (expected.profileId ?? profileId) !== profileId) {
      throw new IntegrityError('tampered', 'The service returned another record than the one asked for.', {
        kind,
        id,
      });
    }
    const plain = writeMeta(readMeta(reader));
    const wire = wireOf(reader);
    const key = await this.connection.keyOf(profileId, options.signal);
    const place = { profileId, kind, recordId: id };
    const { details, meta, altered, lineage } = await openRecord(wire, plain, key, place, readMeta);
    const at = timeOf?.(meta);
    const sighting = { revision, parent: profileId, ...(at ? { atMs: Date.parse(at) } : {}) };
    // A write that the service has not confirmed proves nothing about the service.
    if (!isPending) {
      const fingerprint = fingerprintOf(wire, plain);
      this.connection.ledger.observe({ kind, id }, { ...sighting, fingerprint }, mark);
    }
    const [createdAt, updatedAt] = [reader.timestamp('created_at'), reader.timestamp('updated_at')];
    const record = { id, profileId, revision, createdAt, updatedAt, ...meta, details: details as Details };
    const named = { ...(epoch === undefined ? {} : { epoch }), ...(isPending && { pending: true as const }) };
    return { ...record, altered, lineage, ...named };
  }

  /** A 412 after a repeated attempt is a success if the service holds the data that this client sent. */
  async #settleConflict(
    id: string,
    mine: DomainRecord<Details, Meta>,
    sent: EncryptedFieldWire,
    options: CallOptions,
  ): Promise<DomainRecord<Details, Meta>> {
    const mark = this.connection.ledger.mark();
    let stored: WireRecord;
    try {
      stored = await this.connection.records.get(this.definition.route, id, options);
    } catch (error) {
      if (error instanceof ApiError && error.status === 404) throw new RevisionConflictError(mine, undefined);
      throw error;
    }
    const current = await this.#open(stored, mark, { id }, options);
    const wire = wireOf(new ObjectReader(stored.body, this.definition.kind));
    if (wire.iv === sent.iv && wire.ciphertext === sent.ciphertext) return current;
    throw new RevisionConflictError(mine, current);
  }

  async #getIfAny(id: string, options: CallOptions): Promise<DomainRecord<Details, Meta> | undefined> {
    try {
      return await this.get(id, options);
    } catch (error) {
      if (error instanceof ApiError && error.status === 404) return undefined;
      throw error;
    }
  }
}

function wireOf(reader: ObjectReader): EncryptedFieldWire {
  const blob = reader.object('encrypted_data');
  return { ciphertext: blob.text('ciphertext'), iv: blob.text('iv') };
}

function isUnreadable(error: unknown): boolean {
  return (
    error instanceof IntegrityError && (error.code === 'tampered' || error.code === 'format_unsupported')
  );
}

function withoutUndefined<T extends object>(value: T): T {
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined)) as T;
}

/** @throws InvalidArgumentError unless the value is a text of 1 to `most` characters. */
export function requireText(value: unknown, what: string, most = 10_000): void {
  if (typeof value !== 'string' || value === '' || value.length > most) {
    throw new InvalidArgumentError(`${what} must be a text of 1 to ${most} characters.`);
  }
}

/** All elements of a list. */
export async function collect<T>(list: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const each of list) all.push(each);
  return all;
}
