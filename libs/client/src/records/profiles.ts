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
import type { KeyRing } from '../account/key-ring';
import type { AccountKey } from '../crypto/account-key';
import { generateDataKey, type WrappedKey } from '../crypto/key-wrapping';
import type { Ancestry } from '../crypto/lineage';
import { FIRST_EPOCH, wrapProfileKey, type ProfileKey } from '../crypto/profile-key';
import { ObjectReader } from '../http/object-reader';
import { completeList } from './complete-list';
import { checkOptions, collect, requireText, signalOf } from './encrypted-collection';
import { fingerprintOf, openRecord, sealRecord, successorOf } from './sealed-record';
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

/** The input of a create. */
export interface NewProfile {
  id?: string;
  /** Default `human`. */
  kind?: 'human' | 'pet';
  /** Default `self`. */
  relationship?: string;
  details: ProfileDetails;
}

const NEW_PROFILE: NamesOf<NewProfile> = { id: true, kind: true, relationship: true, details: true };

/** A profile with its new key, ready to send. */
export interface SealedProfile {
  id: string;
  kind: 'human' | 'pet';
  relationship: string;
  wrappedKey: WrappedKey;
  nameData: string;
  nameIv: string;
}

/** Makes the key of a new profile and encrypts its details. */
export async function sealNewProfile(profile: NewProfile, accountKey: AccountKey): Promise<SealedProfile> {
  requireKnownMembers(profile, NEW_PROFILE, 'A new profile');
  const id = profile.id === undefined ? newId() : requireId(profile.id, 'The profile id');
  const { kind = 'human', relationship = 'self' } = profile;
  const key = { key: await generateDataKey('profile'), epoch: FIRST_EPOCH };
  const [wrappedKey, name] = await Promise.all([
    wrapProfileKey(key, accountKey, id),
    sealProfile(id, { kind, relationship, details: profile.details }, key),
  ]);
  return { id, kind, relationship, wrappedKey, nameData: name.ciphertext, nameIv: name.iv };
}

function sealProfile(
  id: string,
  profile: Pick<Profile, 'kind' | 'relationship' | 'details'>,
  key: ProfileKey,
  ancestry?: Ancestry,
) {
  const { kind, relationship, details } = profile;
  if (kind !== 'human' && kind !== 'pet') throw new InvalidArgumentError('A profile is human or pet.');
  requireText(relationship, 'The relationship', 64);
  if (typeof details?.name !== 'string')
    throw new InvalidArgumentError('A profile needs a name, which may be empty.');
  const place = { profileId: id, kind: KIND, recordId: id } as const;
  const content = { details: details as JsonObject, meta: { kind, relationship } };
  return sealRecord(content, key, place, ancestry);
}

function readMeta(reader: ObjectReader): Pick<Profile, 'kind' | 'relationship'> {
  const kind = reader.text('kind');
  return {
    kind: kind === 'human' || kind === 'pet' ? kind : reader.fail('kind', 'human or pet'),
    relationship: reader.text('relationship'),
  };
}

/** Persons and pets. */
export class Profiles {
  constructor(
    private readonly connection: ServiceConnection,
    private readonly keys: KeyRing,
  ) {}

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
    const sealed = await sealNewProfile(profile, this.keys.accountKey);
    const body = {
      profile_id: sealed.id,
      kind: sealed.kind,
      relationship: sealed.relationship,
      wrapped_profile_dek: sealed.wrappedKey.wrapped,
      wrapped_profile_dek_iv: sealed.wrappedKey.iv,
      name_data: sealed.nameData,
      name_iv: sealed.nameIv,
    };
    return this.#open(await this.connection.records.create(ROUTE, body, options), sealed.id, mark);
  }

  /** Replaces a profile by `current` with the changes. @throws RevisionConflictError with both versions */
  async update(
    current: Profile,
    changes: Partial<Pick<Profile, 'kind' | 'relationship'>> & { details?: Partial<ProfileDetails> },
    options: CallOptions = {},
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
    const key = await this.connection.keyOf(id, options.signal);
    const name = await sealProfile(id, mine, key, successorOf(current.lineage ?? undefined));
    const { kind, relationship } = mine;
    try {
      const body = { kind, relationship, name_data: name.ciphertext, name_iv: name.iv };
      const condition = { ifMatch: tagOf(current), ...signalOf(options) };
      return await this.#open(await this.connection.records.update(ROUTE, id, body, condition), id, mark);
    } catch (error) {
      if (!(error instanceof ApiError && error.status === 412)) throw error;
    }
    const stored = await this.#getWithIv(id, options);
    // A 412 after a repeated attempt is a success if the service holds the data that this client sent.
    if (stored?.nameIv === name.iv) return stored.profile;
    throw new RevisionConflictError(mine, stored?.profile);
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
    this.keys.forgetProfile(id);
  }

  async #getWithIv(
    id: string,
    options: CallOptions,
  ): Promise<{ profile: Profile; nameIv: string } | undefined> {
    checkOptions(options);
    const mark = this.connection.ledger.mark();
    try {
      const answer = await this.connection.records.get(ROUTE, id, options);
      const nameIv = new ObjectReader(answer.body, KIND).text('name_iv');
      return { profile: await this.#open(answer, id, mark), nameIv };
    } catch (error) {
      if (error instanceof ApiError && error.status === 404) return undefined;
      throw error;
    }
  }

  async #open({ body, isPending, epoch }: WireRecord, expectedId: string, mark: number): Promise<Profile> {
    const reader = new ObjectReader(body, KIND);
    const id = reader.id('profile_id');
    if (id !== expectedId) {
      throw new IntegrityError('tampered', 'The service returned another profile than the one asked for.', {
        kind: KIND,
        id,
      });
    }
    const plain = readMeta(reader);
    const wire = { ciphertext: reader.text('name_data'), iv: reader.text('name_iv') };
    const wrapped = {
      wrapped: reader.text('wrapped_profile_dek'),
      iv: reader.text('wrapped_profile_dek_iv'),
    };
    const key = await this.keys.openProfileKey(id, wrapped);
    const revision = reader.integer('revision', 1);
    const sealed =
      wire.ciphertext === '' && wire.iv === ''
        ? { ...unsealed(id, revision), meta: plain }
        : await openRecord(wire, { ...plain }, key, { profileId: id, kind: KIND, recordId: id }, readMeta);
    const fingerprint = fingerprintOf(wire, { ...plain });
    if (!isPending)
      this.connection.ledger.observe({ kind: KIND, id }, { revision, parent: '', fingerprint }, mark);
    const [createdAt, updatedAt] = [reader.timestamp('created_at'), reader.timestamp('updated_at')];
    const { details, meta, altered, lineage } = sealed;
    const record = { id, ...meta, details: details as ProfileDetails, revision, createdAt, updatedAt };
    const named = { ...(epoch === undefined ? {} : { epoch }), ...(isPending && { pending: true as const }) };
    return { ...record, altered, lineage, ...named };
  }
}

/**
 * The content of a profile that a registration without a client made: no name, nothing sealed. Only its first
 * revision can be such a profile, because every client seals what it writes.
 * @throws IntegrityError `tampered`
 */
function unsealed(id: string, revision: number) {
  if (revision > 1) {
    throw new IntegrityError('tampered', 'A profile has lost its sealed name.', { kind: KIND, id });
  }
  return { details: { name: '' }, altered: [], lineage: null };
}
