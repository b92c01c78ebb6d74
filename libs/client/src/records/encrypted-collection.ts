import {
  ifAny,
  isAnswer,
  type IntegrityError,
  InvalidArgumentError,
  ProtocolError,
  RevisionConflictError,
  RolledBackError,
} from '../errors';
import { newId, requireId } from '../ids';
import { requireKnownMembers } from '../inputs';
import { isJsonObject, withoutUndefined, type JsonObject } from '../json';
import type { EditTimes } from '../crypto/edit-time';
import type { Lineage } from '../crypto/lineage';
import type { EncryptedFieldWire } from '../crypto/record-cipher';
import { ObjectReader } from '../http/object-reader';
import { checkOptions, signalOf } from './call-options';
import type { CollectionDefinition, NewRecord, RecordChanges } from './collection-definition';
import { checkChange, checkDetails } from '../documents/check-details';
import { completeList } from './complete-list';
import { anotherRecord, fingerprintOf, isUnreadable, openRecord, sealRecord, wireOf } from './sealed-record';
import { authorOf, sealedWriter, writerIn } from './record-author';
import type { CallOptions, DomainRecord, ListOptions } from './record-types';
import { tagOf, type WireRecord } from './record-gateway';
import { CollectionMerge } from './collection-merge';
import { collectionOutbox } from './collection-outbox';
import { type RecordQuestion, type ReplacedValue, withAnswer, withTakenBack } from './merge-records';
import { underNewestKey } from './places';
import type { ServiceConnection } from './service-connection';
import type { Sighting } from './session-ledger';

export { checkOptions, signalOf } from './call-options';
export { collect } from './complete-list';

/**
 * Records of one kind. They are encrypted before they are sent, and decrypted and checked when they are read.
 */
export class EncryptedCollection<Details extends object, Meta extends object> {
  readonly #merge: CollectionMerge<Details, Meta>;

  constructor(
    protected readonly connection: ServiceConnection,
    protected readonly definition: CollectionDefinition<Details, Meta>,
  ) {
    this.#merge = new CollectionMerge(definition);
    const outbox = collectionOutbox(connection, definition, this.#merge, {
      open: (body, id) => this.#read({ body, isPending: true }, { id }, {}),
      seal: (place, details, meta, current, edited) => this.#seal(place, details, meta, current, edited, {}),
    });
    connection.kinds.set(definition.route.kind, outbox);
  }

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
    const { inputs, checkMeta, kind } = this.definition;
    requireKnownMembers(record, { id: true, ...this.#place, details: true, ...inputs }, `A new ${kind}`);
    checkDetails(this.definition.details, kind, record.details);
    checkMeta?.(record);
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
    const profileId = this.#ownerOf(record.profileId);
    const place = { id, profileId };
    const edited = this.#merge.timesAfter(undefined, record);
    return underNewestKey(async () => {
      const body = { id, ...(await this.#seal(place, record.details, record, [], edited, options)) };
      const answer = await this.connection.records.create(this.definition.route, body, options);
      requireSent(answer, body.encrypted_data);
      return this.#open(answer, mark, { id, profileId }, options);
    });
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
    const { details, checkMeta, kind } = this.definition;
    checkChange(details, kind, current.details, changes?.details);
    checkMeta?.(changes);
    return this.#replace(current, changes, options);
  }

  /** As {@link update}, with values that another client may have stored. */
  #replace(
    current: DomainRecord<Details, Meta>,
    changes: RecordChanges<Details, Meta>,
    options: CallOptions,
  ): Promise<DomainRecord<Details, Meta>> {
    return underNewestKey(() => this.#update(current, changes, options));
  }

  async #update(
    current: DomainRecord<Details, Meta>,
    changes: RecordChanges<Details, Meta>,
    options: CallOptions,
  ): Promise<DomainRecord<Details, Meta>> {
    checkOptions(options);
    const mark = this.connection.ledger.mark();
    const id = requireId(current.id, 'The id');
    const profileId = this.#ownerOf(changes.profileId ?? current.profileId);
    const { details: changed, ...meta } = changes;
    const { inputs, kind } = this.definition;
    requireKnownMembers(changes, { ...this.#place, details: true, ...inputs }, `A change of a ${kind}`);
    const details = withoutUndefined({ ...current.details, ...changed });
    const mine = { ...current, ...withoutUndefined(meta), profileId, details, ...this.#authored(profileId) };
    const edited = this.#merge.timesAfter(current, mine);
    const body = await this.#seal({ id, profileId }, details, mine, [current.lineage], edited, options);
    try {
      const answer = await this.connection.records.update(this.definition.route, id, body, {
        ifMatch: tagOf(current),
        ...signalOf(options),
      });
      requireSent(answer, body.encrypted_data);
      const updated = await this.#open(answer, mark, { id, profileId }, options);
      if (!updated.pending) {
        if (profileId !== current.profileId) await this.#noteDeletion(current.profileId, current, options);
        await this.connection.publishHead(profileId, options);
      }
      return updated;
    } catch (error) {
      if (!isAnswer(error, 412)) throw error;
      return this.#settleConflict(current, mine, body.encrypted_data, options);
    }
  }

  /**
   * Deletes a record if nobody has changed it since `current` was read. With only an id, deletes any version.
   * @throws RevisionConflictError; ApiError `not_found`
   */
  async delete(current: DomainRecord<Details, Meta> | string, options: CallOptions = {}): Promise<void> {
    const id = requireId(typeof current === 'string' ? current : current.id, 'The id');
    const { kind, route } = this.definition;
    const { isDeferred = false } = this.connection.records;
    // The head of the profile needs the last generation of the record.
    const last = typeof current === 'string' && !isDeferred ? await this.#lastOf(id, options) : current;
    const forgotten = this.connection.ledger.forget({ kind, id });
    try {
      await this.connection.records.delete(route, id, {
        ...(typeof current === 'string' ? {} : { ifMatch: tagOf(current) }),
        ...signalOf(options),
      });
      this.connection.ledger.forgetChildren(id);
      if (last && typeof last !== 'string' && !isDeferred)
        await this.#noteDeletion(last.profileId, last, options);
    } catch (error) {
      forgotten.undo();
      if (!isAnswer(error, 412) || typeof current === 'string') throw error;
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
          // The service shows another state that nobody can open, and ours was sealed under a key that is gone: the sync says it.
          const isTold = element.doubt !== undefined;
          if (!unreadable || !(options.onUnreadable || isTold)) throw error;
          options.onUnreadable?.({ kind: this.definition.kind, id, error: error as IntegrityError });
          return { id, record: undefined };
        }
      },
    });
  }

  /** The member of an input that names the profile; none where the record belongs to the account. */
  get #place(): { profileId?: true } {
    return this.definition.ofAccount ? {} : { profileId: true };
  }

  /** What stands in for the profile of a record of the account is the account. */
  #ownerOf(profileId: string): string {
    return this.definition.ofAccount ? this.connection.accountId() : requireId(profileId, 'The profile id');
  }

  /** What this device writes now. */
  #authored(profileId: string) {
    const { by } = writerIn(this.connection, profileId);
    return authorOf(this.connection, profileId, {}, by, true);
  }

  async #seal(
    { id, profileId }: { id: string; profileId: string },
    details: Details,
    meta: Meta,
    current: readonly Lineage[],
    edited: EditTimes | undefined,
    options: CallOptions,
  ) {
    const { stored, details: all } = this.definition;
    checkDetails(
      stored ?? all,
      this.definition.kind,
      details,
      stored ? undefined : (name) => !(name in details),
    );
    const plain = this.definition.writeMeta(meta);
    const place = { profileId, kind: this.definition.kind, recordId: id };
    const key = await this.connection.ownerKeyOf(profileId, options.signal);
    const writer = writerIn(this.connection, profileId);
    const content = {
      details: details as JsonObject,
      meta: { ...plain, ...writer },
      ...(edited && { edited }),
    };
    return {
      ...(!this.definition.ofAccount && { profile_id: profileId }),
      ...plain,
      encrypted_data: await sealRecord(
        content,
        key,
        place,
        this.connection.heads.next(profileId, id, ...current),
      ),
    };
  }

  /** Opens a state in its own place. It is authentic then; whether it is the newest one is not checked. */
  async #read(
    { body, isPending, epoch, doubt }: WireRecord,
    expected: { id: string; profileId?: string },
    options: CallOptions,
  ): Promise<DomainRecord<Details, Meta>> {
    const { kind, readMeta, writeMeta, ofAccount } = this.definition;
    const reader = new ObjectReader(body, kind);
    const [id, profileId, revision] = [
      reader.id('id'),
      ofAccount ? this.connection.accountId() : reader.id('profile_id'),
      reader.integer('revision', 1),
    ];
    if (id !== expected.id || (expected.profileId ?? profileId) !== profileId) throw anotherRecord(kind, id);
    const plain = writeMeta(readMeta(reader));
    const wire = wireOf(reader);
    const place = { profileId, kind, recordId: id };
    const { opened: known } = this.connection;
    const { details, meta, altered, lineage, edited, content } = await this.connection.withOwnerKey(
      profileId,
      (key) => openRecord(wire, plain, key, place, readMeta, known),
      options.signal,
    );
    const [createdAt, updatedAt] = [reader.timestamp('created_at'), reader.timestamp('updated_at')];
    const record = { id, profileId, revision, createdAt, updatedAt, ...meta, details: details as Details };
    const named = { ...(epoch === undefined ? {} : { epoch }), ...(isPending && { pending: true as const }) };
    const author = authorOf(this.connection, profileId, body, sealedWriter(content), isPending);
    return {
      ...record,
      altered,
      lineage,
      ...author,
      ...(edited && { edited }),
      ...named,
      ...(doubt && { doubt }),
    };
  }

  async #open(
    wire: WireRecord,
    mark: number,
    expected: { id: string; profileId?: string },
    options: CallOptions,
    isSecondLook = false,
  ): Promise<DomainRecord<Details, Meta>> {
    const { ledger, heads, records, places } = this.connection;
    const read = () => this.#read(wire, expected, options);
    const opened = await (records.isDeferred ? read() : places.opened(profileOf(wire), read));
    // What the copy of this device shows was compared before it was stored.
    if (records.isDeferred) {
      ledger.check(mark);
      return opened;
    }
    const { kind, timeOf, writeMeta, isUnlisted } = this.definition;
    const { id, profileId, revision, lineage } = opened;
    const reader = new ObjectReader(wire.body, kind);
    const fingerprint = fingerprintOf(wireOf(reader), writeMeta(this.definition.readMeta(reader)));
    const at = timeOf?.(opened);
    const sighting = { revision, parent: profileId, ...(at ? { atMs: Date.parse(at) } : {}) };
    ledger.observe({ kind, id }, { ...sighting, fingerprint }, mark);
    if (heads.isOlder(profileId, id, lineage.generation, mark)) {
      if (isSecondLook) throw new RolledBackError({ kind, id }, opened);
      // The head may be newer than the answer that it is compared with.
      const now = ledger.mark();
      const again = await ifAny(this.connection.records.get(this.definition.route, id, options));
      if (!again) throw new RolledBackError({ kind, id }, opened);
      return this.#open(again, now, { id }, options, true);
    }
    heads.note(profileId, id, lineage.generation, kind, isUnlisted);
    return opened;
  }

  /** A 412 after a repeated attempt is a success if the service holds the data that this client sent. */
  async #settleConflict(
    base: DomainRecord<Details, Meta>,
    mine: DomainRecord<Details, Meta>,
    sent: EncryptedFieldWire,
    options: CallOptions,
  ): Promise<DomainRecord<Details, Meta>> {
    const { id } = mine;
    const mark = this.connection.ledger.mark();
    const stored = await ifAny(this.connection.records.get(this.definition.route, id, options));
    if (!stored) throw new RevisionConflictError(mine, undefined);
    const current = await this.#open(stored, mark, { id }, options);
    const wire = wireOf(new ObjectReader(stored.body, this.definition.kind));
    if (wire.iv === sent.iv && wire.ciphertext === sent.ciphertext) return current;
    if (!this.connection.records.mergesConflicts) throw new RevisionConflictError(mine, current);
    const merged = this.#merge.merge(base, mine, current);
    return merged ? this.#replace(current, this.#merge.changesTo(merged, current), options) : current;
  }

  /** The stored state, if it can be read. What cannot be read can still be deleted. */
  async #lastOf(id: string, options: CallOptions): Promise<DomainRecord<Details, Meta> | undefined> {
    try {
      return await this.#getIfAny(id, options);
    } catch (error) {
      return error instanceof RolledBackError ? (error.found as DomainRecord<Details, Meta>) : undefined;
    }
  }

  async #noteDeletion(profileId: string, last: DomainRecord<Details, Meta>, options: CallOptions) {
    this.connection.heads.noteDeletion(profileId, last.id, last.lineage);
    await this.connection.publishHead(profileId, options);
  }

  async #getIfAny(id: string, options: CallOptions): Promise<DomainRecord<Details, Meta> | undefined> {
    const mark = this.connection.ledger.mark();
    const stored = await ifAny(this.connection.records.get(this.definition.route, id, options));
    return stored && this.#open(stored, mark, { id }, options);
  }

  /**
   * Takes a value back that lost a conflict: see `historyOf`. The value in its place goes into the history.
   * @throws InvalidArgumentError for an entry that is not in the history of the record.
   */
  async takeBack(
    current: DomainRecord<Details, Meta>,
    entry: ReplacedValue,
    options: CallOptions = {},
  ): Promise<DomainRecord<Details, Meta>> {
    const version = withTakenBack(this.#merge.versionOf(current), entry);
    return this.#replace(current, this.#merge.changesTo(version, current), options);
  }

  /**
   * Answers a question of `questionsOf`: two devices have changed one unit. The values that were not chosen go into the
   * history.
   * @throws InvalidArgumentError for a question that the record does not have.
   */
  async answer(
    current: DomainRecord<Details, Meta>,
    question: RecordQuestion,
    choice: 'standing' | 'other',
    options: CallOptions = {},
  ): Promise<DomainRecord<Details, Meta>> {
    const version = withAnswer(this.#merge.versionOf(current), question, choice);
    return this.#replace(current, this.#merge.changesTo(version, current), options);
  }
}

/** As the service says it. */
function profileOf({ body }: WireRecord): string | undefined {
  const id = isJsonObject(body) ? body.profile_id : undefined;
  return typeof id === 'string' ? id : undefined;
}

/**
 * A write is confirmed only by its own ciphertext.
 * @throws ProtocolError for an answer that shows something else: the write may have arrived, or not.
 */
function requireSent({ body, isPending }: WireRecord, sent: EncryptedFieldWire): void {
  if (isPending) return;
  const { ciphertext, iv } = wireOf(new ObjectReader(body, 'answer'));
  if (ciphertext === sent.ciphertext && iv === sent.iv) return;
  throw new ProtocolError('The answer to a write does not show what was written.');
}

/** @throws InvalidArgumentError unless the value is a text of 1 to `most` characters. */
export function requireText(value: unknown, what: string, most = 10_000): void {
  if (typeof value !== 'string' || value === '' || value.length > most) {
    throw new InvalidArgumentError(`${what} must be a text of 1 to ${most} characters.`);
  }
}
