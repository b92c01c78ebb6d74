import {
  ifAny,
  isAnswer,
  IntegrityError,
  ProtocolError,
  RevisionConflictError,
  RolledBackError,
} from '../errors';
import { checkChange } from '../documents/check-details';
import { PROFILE } from '../documents/schemas/profile';
import { requireId } from '../ids';
import { requireKnownMembers } from '../inputs';
import { canonicalJson, type JsonObject } from '../json';
import { readTimes, stampAfter } from '../crypto/edit-time';
import type { WrappedKey } from '../crypto/key-wrapping';
import { FIRST_EPOCH, type OpenProfileKey, type ProfileKey } from '../crypto/profile-key';
import type { WireBody } from '../offline/offline-rows';
import type { KeyRing } from '../account/key-ring';
import { ObjectReader } from '../http/object-reader';
import { completeList } from './complete-list';
import { checkOptions, collect, signalOf } from './encrypted-collection';
import { HttpRecordGateway } from './http-record-gateway';
import {
  FORMER_KEYS,
  readProfileMeta,
  sealNewProfile,
  sealedBody,
  unsealedProfile,
  type NewProfile,
} from './sealed-profile';
import {
  mergeVersions,
  timesAfter,
  withAnswer,
  withOpenQuestions,
  type RecordQuestion,
} from './merge-records';
import { underNewestKey } from './places';
import { profileOutbox } from './profile-outbox';
import { authorOf, sealedWriter } from './record-author';
import { changesTo, unitOfProfile, versionOf } from './profile-versions';
import { anotherRecord, fingerprintOf, openRecord } from './sealed-record';
import type { CallOptions, ListOptions, Profile, ProfileDetails } from './record-types';
import { type RecordRoute, tagOf, type WireRecord } from './record-gateway';
import type { ServiceConnection } from './service-connection';

const KIND = 'profile';
const ROUTE: RecordRoute = {
  kind: KIND,
  path: '/api/profiles',
  idField: 'profile_id',
  isOldestFirst: true,
  updateMethod: 'PUT',
  deleteMethod: 'DELETE',
};

/** How often a head is sealed anew because another device was faster. */
const PUBLISH_ATTEMPTS = 3;

/** Persons and pets. */
export class Profiles {
  readonly #publishing = new Map<string, Promise<void>>();

  constructor(
    private readonly connection: ServiceConnection,
    private readonly keys: KeyRing,
  ) {
    const open = async (body: WireBody, id: string) =>
      (await this.#read({ body, isPending: true }, id, true)).profile;
    const verify = async (body: WireBody, id: string) => {
      const read = await this.#read({ body, isPending: true }, id);
      await this.#take(read, Infinity);
      return read.profile;
    };
    connection.kinds.set(KIND, profileOutbox(connection, keys, ROUTE, open, verify));
  }

  /** Oldest first. Pages are fetched during the iteration. */
  iterate(options: ListOptions = {}): AsyncGenerator<Profile, void, undefined> {
    checkOptions(options);
    return completeList(this.connection, {
      kind: KIND,
      route: ROUTE,
      query: {},
      options,
      matches: () => true,
      canProbe: true,
      read: async (element, mark) => {
        const id = new ObjectReader(element.body, KIND).id('profile_id');
        try {
          return { id, record: await this.#open(element, id, mark) };
        } catch (error) {
          const unreadable = error instanceof ProtocolError || error instanceof IntegrityError;
          if (!options.onUnreadable || !unreadable || error.code === 'stale_revision') throw error;
          options.onUnreadable({ kind: KIND, id, error });
          return { id, record: undefined };
        }
      },
    });
  }

  /** All profiles in one array, oldest first. */
  async list(options: ListOptions = {}): Promise<Profile[]> {
    return collect(this.iterate(options));
  }

  /** One profile. Its key is in memory afterwards. @throws ApiError `not_found`, IntegrityError */
  async get(profileId: string, options: CallOptions = {}): Promise<Profile> {
    checkOptions(options);
    const mark = this.connection.ledger.mark();
    const id = requireId(profileId, 'The profile id');
    return this.#open(await this.connection.records.get(ROUTE, id, options), id, mark);
  }

  /** Creates a profile with its own key. @throws InvalidArgumentError, ApiError */
  async create(profile: NewProfile, options: CallOptions = {}): Promise<Profile> {
    checkOptions(options);
    const mark = this.connection.ledger.mark();
    const sealed = await sealNewProfile(profile, this.keys.accountKey, this.connection.heads.provenSince(''));
    const body = {
      profile_id: sealed.id,
      kind: sealed.kind,
      relationship: sealed.relationship,
      wrapped_profile_dek: sealed.wrappedKey.wrapped,
      wrapped_profile_dek_iv: sealed.wrappedKey.iv,
      name_data: sealed.nameData,
      name_iv: sealed.nameIv,
    };
    const answer = await this.connection.records.create(ROUTE, body, options);
    this.connection.heads.forget(sealed.id);
    return this.#open(answer, sealed.id, mark);
  }

  /** Replaces a profile by `current` with the changes. @throws RevisionConflictError with both versions */
  async update(
    current: Profile,
    changes: Partial<Pick<Profile, 'kind' | 'relationship'>> & { details?: Partial<ProfileDetails> },
    options: CallOptions = {},
  ): Promise<Profile> {
    checkChange(PROFILE, KIND, current.details, changes?.details);
    // The page writes what a person wants to ask into the list that also holds open questions.
    const details = changes?.details && withOpenQuestions(current, changes.details as JsonObject);
    return this.#replace(current, { ...changes, ...(details && { details }) }, options);
  }

  /** As {@link update}, with values that another client may have stored. */
  #replace(
    current: Profile,
    changes: Partial<Pick<Profile, 'kind' | 'relationship'>> & { details?: Partial<ProfileDetails> },
    options: CallOptions,
  ): Promise<Profile> {
    return underNewestKey(() => this.#update(current, changes, options));
  }

  async #update(
    current: Profile,
    changes: Partial<Pick<Profile, 'kind' | 'relationship'>> & { details?: Partial<ProfileDetails> },
    options: CallOptions,
  ): Promise<Profile> {
    checkOptions(options);
    const mark = this.connection.ledger.mark();
    const id = requireId(current.id, 'The profile id');
    requireKnownMembers(changes, { kind: true, relationship: true, details: true }, 'A change of a profile');
    const mine: Profile = {
      ...current,
      kind: changes.kind ?? current.kind,
      relationship: changes.relationship ?? current.relationship,
      details: { ...current.details, ...changes.details },
    };
    mine.edited = timesAfter(versionOf(current), versionOf(mine), unitOfProfile, stampAfter);
    const body = await sealedBody(this.connection, id, mine, [current], options);
    try {
      const condition = { ifMatch: tagOf(current), ...signalOf(options) };
      return await this.#open(await this.connection.records.update(ROUTE, id, body, condition), id, mark);
    } catch (error) {
      if (!isAnswer(error, 412)) throw error;
    }
    const stored = await this.#getWithIv(id, options);
    // A 412 after a repeated attempt is a success if the service holds the data that this client sent.
    if (stored?.nameIv === body.name_iv) return stored.profile;
    // Only its head has moved: another record of the profile was changed in the meantime.
    if (stored && isSameProfile(stored.profile, current))
      return this.#replace(stored.profile, changes, options);
    if (!stored || !this.connection.records.mergesConflicts) {
      throw new RevisionConflictError(mine, stored?.profile);
    }
    const merged = mergeVersions(
      versionOf(current),
      versionOf(mine),
      versionOf(stored.profile),
      unitOfProfile,
    );
    const { kind, relationship, details } = changesTo(merged);
    return this.#replace(stored.profile, { kind, relationship, details }, options);
  }

  /** Answers a question of `questionsOf`: as for every record. @throws InvalidArgumentError */
  async answer(
    current: Profile,
    question: RecordQuestion,
    choice: 'standing' | 'other',
    options: CallOptions = {},
  ): Promise<Profile> {
    const version = withAnswer({ ...versionOf(current), at: current.updatedAt }, question, choice);
    const removed = Object.keys(current.details).map((name) => [name, undefined] as const);
    const details = { ...Object.fromEntries(removed), ...version.details };
    return this.#replace(current, { details }, options);
  }

  /** Deletes a profile and all its records. */
  async delete(profileId: string, options: CallOptions = {}): Promise<void> {
    const id = requireId(profileId, 'The profile id');
    const forgotten = this.connection.ledger.forget({ kind: KIND, id });
    try {
      await this.connection.records.delete(ROUTE, id, options);
    } catch (error) {
      forgotten.undo();
      throw error;
    }
    this.connection.ledger.forgetChildren(id);
    const key = this.keys.isUnlocked ? this.keys.profileKey(id) : undefined;
    if (key && !this.connection.records.isDeferred) {
      this.connection.heads.noteDeletion(id, id, undefined);
      await this.connection.heads.remember(id, key);
    }
    this.keys.forgetProfile(id);
  }

  /**
   * Seals what this client knows about the newest states into a profile, unless the profile says it already. A
   * head that cannot be sealed now is sealed with the next change.
   */
  async publishHead(profileId: string, options: CallOptions): Promise<void> {
    const before = this.#publishing.get(profileId) ?? Promise.resolve();
    const publishing = before.then(() => this.#publishHead(profileId, options)).catch(() => undefined);
    this.#publishing.set(profileId, publishing);
    await publishing;
  }

  async #publishHead(id: string, options: CallOptions): Promise<void> {
    const { heads, ledger, baseUrl } = this.connection;
    const key = await this.connection.keyOf(id, options.signal);
    await heads.remember(id, key);
    const { places } = this.connection;
    // What others write counts as after the head, until one who may has written it.
    if (!places.mayPublish(id)) return;
    const service = new HttpRecordGateway(baseUrl, (request) => places.sendTo(id, request));
    for (let attempt = 0; attempt < PUBLISH_ATTEMPTS && heads.isAhead(id); attempt += 1) {
      const profile = await this.#open(await service.get(ROUTE, id, options), id, ledger.mark());
      // A head must not confirm an unsealed profile: its values are only what the service claims.
      if (!heads.isAhead(id) || profile.lineage === null) return;
      const body = await sealedBody(this.connection, id, profile, [profile]);
      try {
        const condition = { ifMatch: tagOf(profile), ...signalOf(options) };
        await this.#open(await service.update(ROUTE, id, body, condition), id, ledger.mark());
      } catch (error) {
        if (!isAnswer(error, 412)) throw error;
      }
    }
  }

  async #getWithIv(
    id: string,
    options: CallOptions,
  ): Promise<{ profile: Profile; nameIv: string } | undefined> {
    checkOptions(options);
    const mark = this.connection.ledger.mark();
    const answer = await ifAny(this.connection.records.get(ROUTE, id, options));
    if (!answer) return undefined;
    const nameIv = new ObjectReader(answer.body, KIND).text('name_iv');
    return { profile: await this.#open(answer, id, mark), nameIv };
  }

  /**
   * Opens a state in its own place, and takes in the bounds of its head. Whether it is the newest is not checked.
   * @param isOurs whether this device itself has stored it, perhaps before all keys were replaced.
   */
  async #read(
    { body, isPending, epoch, doubt }: WireRecord,
    expectedId: string,
    isOurs = false,
  ): Promise<ReadProfile> {
    const reader = new ObjectReader(body, KIND);
    const id = reader.id('profile_id');
    if (id !== expectedId) throw anotherRecord(KIND, id);
    const plain = readProfileMeta(reader);
    const wire = { ciphertext: reader.text('name_data'), iv: reader.text('name_iv') };
    const wrapped = {
      wrapped: reader.text('wrapped_profile_dek'),
      iv: reader.text('wrapped_profile_dek_iv'),
    };
    const key = await this.#keyOf(id, wrapped, isOurs);
    const revision = reader.integer('revision', 1);
    const sealed =
      wire.ciphertext === '' && wire.iv === ''
        ? { ...unsealedProfile(id, revision, wrapped), meta: plain }
        : await openRecord(
            wire,
            { ...plain },
            key,
            { profileId: id, kind: KIND, recordId: id },
            readProfileMeta,
          );
    const [createdAt, updatedAt] = [reader.timestamp('created_at'), reader.timestamp('updated_at')];
    const { details, meta, altered, lineage, content } = sealed;
    const edited = readTimes(content.edited);
    await this.connection.heads.learn(id, key, content);
    const record = { id, ...meta, details: details as ProfileDetails, revision, createdAt, updatedAt };
    const named = { ...(epoch === undefined ? {} : { epoch }), ...(isPending && { pending: true as const }) };
    const profile = {
      ...record,
      altered,
      lineage,
      ...this.#spaceOf(id),
      ...authorOf(this.connection, id, body, sealedWriter(content), isPending),
      ...(edited && { edited }),
      ...named,
      ...(doubt && { doubt }),
    };
    return { profile, key, content, fingerprint: fingerprintOf(wire, { ...plain }) };
  }

  /** @throws IntegrityError `key_mismatch` for a shared profile whose key this device does not have. */
  async #keyOf(id: string, wrapped: WrappedKey, isOurs: boolean): Promise<OpenProfileKey> {
    // No wrap in a shared profile says anything: each member has the key from the space.
    const isShared = this.connection.places.ofProfile(id) !== undefined;
    if (!isShared && wrapped.wrapped !== '')
      return isOurs ? this.keys.openStoredKey(id, wrapped) : this.keys.openProfileKey(id, wrapped);
    const key = this.keys.profileKey(id);
    if (key) return key;
    const message = 'This device does not have the key of a shared profile.';
    throw new IntegrityError('key_mismatch', message, { kind: KIND, id });
  }

  #spaceOf(profileId: string): Pick<Profile, 'space'> {
    const place = this.connection.places.ofProfile(profileId);
    if (!place) return {};
    const { spaceId: id, role, blocked, state, relationship } = place;
    return { space: { id, role, blocked, state, relationship } };
  }

  async #open(wire: WireRecord, expectedId: string, mark: number): Promise<Profile> {
    const { ledger, records, places } = this.connection;
    const open = () => this.#read(wire, expectedId);
    const read = await (records.isDeferred ? open() : places.opened(expectedId, open));
    const { profile, fingerprint } = read;
    if (wire.isPending) return profile;
    // What the copy of this device shows was compared before it was stored.
    if (!records.isDeferred) {
      const sighting = { revision: profile.revision, parent: '', fingerprint };
      ledger.observe({ kind: KIND, id: profile.id }, sighting, mark);
    } else ledger.check(mark);
    if (!wire.doubt) await this.#take(read, mark);
    return profile;
  }

  /** Compares a state with what is known, and takes it as the newest one. @throws RolledBackError */
  async #take({ profile, key, content }: ReadProfile, mark: number): Promise<void> {
    const { heads } = this.connection;
    const generation = profile.lineage?.generation ?? 0;
    if (heads.isOlder(profile.id, profile.id, generation, mark)) {
      throw new RolledBackError({ kind: KIND, id: profile.id }, profile);
    }
    await this.keys.takeChain(profile.id, content[FORMER_KEYS], profile.lineage?.epoch ?? FIRST_EPOCH);
    heads.publish(profile.id, content);
    heads.note(profile.id, profile.id, generation);
    await heads.remember(profile.id, this.keys.profileKey(profile.id) ?? key);
  }
}

/** A profile as it was opened. */
interface ReadProfile {
  profile: Profile;
  key: ProfileKey;
  content: JsonObject;
  fingerprint: string;
}

function isSameProfile(a: Profile, b: Profile): boolean {
  const [one, two] = [a, b].map(({ kind, relationship, details }) =>
    canonicalJson({ kind, relationship, details }),
  );
  return one === two;
}
