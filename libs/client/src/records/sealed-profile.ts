import { IntegrityError, InvalidArgumentError } from '../errors';
import { newId, requireId } from '../ids';
import { requireKnownMembers, type NamesOf } from '../inputs';
import type { JsonObject } from '../json';
import type { AccountKey } from '../crypto/account-key';
import { stampAfter } from '../crypto/edit-time';
import { generateDataKey, type WrappedKey } from '../crypto/key-wrapping';
import type { Ancestry } from '../crypto/lineage';
import type { EncryptedFieldWire } from '../crypto/record-cipher';
import { FIRST_EPOCH, isWrapOfVersion1, wrapProfileKey, type ProfileKey } from '../crypto/profile-key';
import type { ObjectReader } from '../http/object-reader';
import { checkDetails } from '../documents/check-details';
import { STORED_PROFILE } from '../documents/schemas/profile';
import { requireText } from './encrypted-collection';
import type { SealedHead } from './heads';
import type { CallOptions, Profile, ProfileDetails } from './record-types';
import { writerIn } from './record-author';
import { sealRecord } from './sealed-record';
import type { ServiceConnection } from './service-connection';

/** The member of a profile's sealed content that holds its former keys. */
export const FORMER_KEYS = 'keyChain';

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

/**
 * Makes the key of a new profile and encrypts its details.
 * @param proven since when each dose of the account has a proof.
 */
export async function sealNewProfile(
  profile: NewProfile,
  accountKey: AccountKey,
  proven: number | undefined,
): Promise<SealedProfile> {
  requireKnownMembers(profile, NEW_PROFILE, 'A new profile');
  const id = profile.id === undefined ? newId() : requireId(profile.id, 'The profile id');
  const { kind = 'human', relationship = 'self' } = profile;
  const key = { key: await generateDataKey('profile'), epoch: FIRST_EPOCH };
  const [wrappedKey, name] = await Promise.all([
    wrapProfileKey(key, accountKey, id),
    sealProfile(
      id,
      { kind, relationship, details: profile.details, edited: { '': stampAfter(undefined) } },
      key,
      { head: '', ...(proven === undefined ? {} : { proven }) },
    ),
  ]);
  return { id, kind, relationship, wrappedKey, nameData: name.ciphertext, nameIv: name.iv };
}

/**
 * @param profile.by who writes it, in a space.
 * @param head from `Heads.encode`; absent for a new profile.
 */
function sealProfile(
  id: string,
  profile: Pick<Profile, 'kind' | 'relationship' | 'details' | 'edited'> & { by?: string },
  key: ProfileKey,
  head?: Omit<SealedHead, 'present'> & Partial<SealedHead>,
  ancestry?: Ancestry,
): Promise<EncryptedFieldWire> {
  const { kind, relationship, details, edited, by } = profile;
  if (kind !== 'human' && kind !== 'pet') throw new InvalidArgumentError('A profile is human or pet.');
  requireText(relationship, 'The relationship', 64);
  checkDetails(STORED_PROFILE, 'profile', details);
  const place = { profileId: id, kind: 'profile', recordId: id } as const;
  const content = {
    details: details as JsonObject,
    meta: { kind, relationship, ...(by !== undefined && { by }) },
    ...(edited && { edited }),
    ...(head ?? { head: '' }),
  };
  return sealRecord(content, key, place, ancestry);
}

/** The body of a write of a profile that follows on these states, with the head and the former keys of now. */
export async function sealedBody(
  connection: ServiceConnection,
  id: string,
  content: Pick<Profile, 'kind' | 'relationship' | 'details' | 'edited'>,
  current: readonly Pick<Profile, 'lineage'>[],
  { signal, keepsFormerKeys = true }: CallOptions & { keepsFormerKeys?: boolean } = {},
) {
  const { heads } = connection;
  const key = await connection.keyOf(id, signal);
  const ancestry = heads.next(id, id, ...current.flatMap(({ lineage }) => lineage ?? []));
  const head = heads.encode(id);
  if (!keepsFormerKeys) delete head[FORMER_KEYS];
  const name = await sealProfile(id, { ...content, ...writerIn(connection, id) }, key, head, ancestry);
  const { kind, relationship } = content;
  return { kind, relationship, name_data: name.ciphertext, name_iv: name.iv };
}

/** The plaintext fields of a profile, or their sealed copy. @throws ProtocolError */
export function readProfileMeta(reader: ObjectReader): Pick<Profile, 'kind' | 'relationship'> {
  const kind = reader.text('kind');
  return {
    kind: kind === 'human' || kind === 'pet' ? kind : reader.fail('kind', 'human or pet'),
    relationship: reader.text('relationship'),
  };
}

/**
 * The content of a profile that a registration without this client made: no name, nothing sealed. Only its first
 * revision can be such a profile, and only with a key of version 1, because this client seals what it writes.
 * Security: otherwise a service could take the name away, and with it the head.
 * @throws IntegrityError `tampered`
 */
export function unsealedProfile(id: string, revision: number, key: WrappedKey) {
  if (revision > 1 || !isWrapOfVersion1(key)) {
    throw new IntegrityError('tampered', 'A profile has lost its sealed name.', { kind: 'profile', id });
  }
  return { details: { name: '' } as JsonObject, altered: [], lineage: null, content: {} as JsonObject };
}
