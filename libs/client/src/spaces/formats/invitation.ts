import { deriveFrom, type AccountKey } from '../../crypto/account-key';
import { invitationAad, invitationSecretInfo, LABELS } from '../../crypto/labels';
import { AES_GCM, IV_BYTES, randomBytes, subtle, type Key } from '../../crypto/web-crypto';
import {
  bytesOfUuid,
  concatBytes,
  fromBase64,
  fromBase64Url,
  fromUtf8,
  toBase64,
  toBase64Url,
  utf8,
  uuidOf,
  type Bytes,
} from '../../encoding';
import { IntegrityError, InvalidArgumentError } from '../../errors';
import { ObjectReader } from '../../http/object-reader';
import { newId } from '../../ids';
import { parseJson, type Json } from '../../json';
import type { SpaceRole } from '../space-types';
import { bytesOf, readIdentity, sha256, type KnownIdentity, type PublicIdentity } from './identity';

/** What is in a link. Who has it can accept the invitation. */
export interface Invitation {
  spaceId: string;
  /** The id of the invitation. */
  id: string;
  /** 32 bytes. They are in the link alone: neither the service nor a device stores them. */
  secret: Bytes;
}

/** Sealed under the secret of a link. Both are base64. */
export interface SealedForLink {
  ciphertext: string;
  iv: string;
}

/** For which invitation an offer is. A service that changes one of them makes an offer that does not open. */
export interface OfferPlace {
  spaceId: string;
  invitationId: string;
  role: SpaceRole;
  /** RFC 3339, letter by letter as it is sent. */
  expiresAt: string;
}

/** What an inviter tells. There is no key in it. */
export interface OfferContent<Identity = PublicIdentity> {
  profile: { id: string; name: string; kind: string };
  from: { identity: Identity; name: string };
  /** The newest roster: a new member checks the later ones down to it. */
  roster: { version: number; hash: string };
}

/** What somebody answers who accepts. */
export interface AcceptanceContent<Identity = PublicIdentity> {
  identity: Identity;
  name: string;
}

const VERSION = 1;
const SECRET_BYTES = 32;
const ID_BYTES = 16;
const FRAGMENT_BYTES = 1 + 2 * ID_BYTES + SECRET_BYTES;
const HASH_BYTES = 32;
const KEY_BITS = 256;
/** The lengths of the names do not show: with short ones an identity alone takes almost two of these units. */
const FILLED_BYTES = 1024;
const LEAST_BYTES = 3 * FILLED_BYTES;
/** The service takes 8 KiB of JSON. */
const MAX_BYTES = 5 * FILLED_BYTES;

/** A new invitation. @returns with what follows the `#` of its link: 87 letters. */
export function newInvitation(
  spaceId: string,
  { id = newId(), secret = randomBytes(SECRET_BYTES) }: Partial<Invitation> = {},
): Invitation & { fragment: string } {
  const made = { spaceId, id, secret };
  const ids = [bytesOfUuid(spaceId), bytesOfUuid(made.id)];
  return { ...made, fragment: toBase64Url(concatBytes(Uint8Array.of(VERSION), ...ids, made.secret)) };
}

/**
 * The secret of an invitation, as the devices of its maker find it again: they open with it what is answered. Without the
 * account key it tells nothing.
 */
export function invitationSecretOf(
  { input }: AccountKey,
  { spaceId, id }: Omit<Invitation, 'secret'>,
): Promise<Bytes> {
  return deriveFrom(input, invitationSecretInfo(spaceId, id), KEY_BITS);
}

/** @throws InvalidArgumentError for what is no link of an invitation. */
export function readFragment(fragment: string): Invitation {
  const bytes = fromBase64Url(fragment);
  if (bytes?.length !== FRAGMENT_BYTES || bytes[0] !== VERSION)
    throw new InvalidArgumentError('This is not the link of an invitation.');
  return {
    spaceId: uuidOf(bytes.subarray(1, 1 + ID_BYTES)),
    id: uuidOf(bytes.subarray(1 + ID_BYTES, 1 + 2 * ID_BYTES)),
    secret: bytes.slice(1 + 2 * ID_BYTES),
  };
}

/**
 * What follows from the secret of a link: the proof for the service that the link was seen (base64), the hash of it that the
 * service stores (base64), and the key of offer and acceptance.
 * Source: RFC 5869.
 */
export async function invitationKeys({
  id,
  secret,
}: Pick<Invitation, 'id' | 'secret'>): Promise<{ proof: string; proofHash: string; key: Key }> {
  const input = await subtle().importKey('raw', secret, 'HKDF', false, ['deriveBits', 'deriveKey']);
  const derivation = (info: Bytes) => ({ name: 'HKDF', hash: 'SHA-256', salt: bytesOfUuid(id), info });
  const proof = new Uint8Array(await subtle().deriveBits(derivation(LABELS.inviteProof()), input, KEY_BITS));
  const usages = ['encrypt', 'decrypt'] as const;
  const key = await subtle().deriveKey(derivation(LABELS.inviteKey()), input, AES_GCM, false, [...usages]);
  return { proof: toBase64(proof), proofHash: toBase64(await sha256(proof)), key };
}

/** @throws InvalidArgumentError for names that are too long. */
export function sealOffer(offer: OfferContent, key: Key, place: OfferPlace): Promise<SealedForLink> {
  const { profile, from, roster } = offer;
  const content = {
    profile: { id: profile.id, name: profile.name, kind: profile.kind },
    from: { identity: from.identity, name: from.name },
    roster: { version: roster.version, hash: roster.hash },
  };
  return seal(content, key, offerAad(place));
}

/**
 * Opens an offer, and checks that its maker holds the keys in it. Who that is, only the person knows.
 * @throws IntegrityError `tampered` for an offer of another invitation, role or time, or an identity that is not signed;
 * `format_unsupported`
 */
export async function openOffer(
  sealed: unknown,
  key: Key,
  place: OfferPlace,
): Promise<OfferContent<KnownIdentity>> {
  const content = await open(sealed, key, offerAad(place), place.invitationId);
  const read = readOr(place.invitationId, () => {
    const reader = new ObjectReader(content, 'offer');
    const [profile, from, roster] = ['profile', 'from', 'roster'].map((name) => reader.object(name));
    const hash = roster.text('hash');
    if (!bytesOf(hash, HASH_BYTES)) roster.fail('hash', 'a hash');
    return {
      profile: { id: profile.id('id'), name: profile.text('name'), kind: profile.text('kind') },
      from: { identity: from.raw('identity'), name: from.text('name') },
      roster: { version: roster.integer('version', 1), hash },
    };
  });
  return { ...read, from: { ...read.from, identity: await readIdentity(read.from.identity) } };
}

/** @throws InvalidArgumentError for a name that is too long. */
export function sealAcceptance(
  { identity, name }: AcceptanceContent,
  key: Key,
  place: Pick<OfferPlace, 'spaceId' | 'invitationId'>,
): Promise<SealedForLink> {
  return seal({ identity, name }, key, acceptanceAad(place));
}

/**
 * Opens an acceptance. The caller compares its account with the one that the service names.
 * @throws IntegrityError `tampered`, `format_unsupported`
 */
export async function openAcceptance(
  sealed: unknown,
  key: Key,
  place: Pick<OfferPlace, 'spaceId' | 'invitationId'>,
): Promise<AcceptanceContent<KnownIdentity>> {
  const content = await open(sealed, key, acceptanceAad(place), place.invitationId);
  const read = readOr(place.invitationId, () => {
    const reader = new ObjectReader(content, 'acceptance');
    return { identity: reader.raw('identity'), name: reader.text('name') };
  });
  return { ...read, identity: await readIdentity(read.identity) };
}

function offerAad({ spaceId, invitationId, role, expiresAt }: OfferPlace): Bytes {
  return invitationAad('invite-offer', [spaceId, invitationId, role, expiresAt]);
}

function acceptanceAad({ spaceId, invitationId }: Pick<OfferPlace, 'spaceId' | 'invitationId'>): Bytes {
  return invitationAad('invite-acceptance', [spaceId, invitationId]);
}

async function seal(content: object, key: Key, additionalData: Bytes): Promise<SealedForLink> {
  const json = utf8(JSON.stringify(content));
  const length = Math.max(Math.ceil(json.length / FILLED_BYTES) * FILLED_BYTES, LEAST_BYTES);
  if (length > MAX_BYTES) throw new InvalidArgumentError('A name is too long for an invitation.');
  const filled = new Uint8Array(length).fill(0x20);
  filled.set(json);
  const iv = randomBytes(IV_BYTES);
  const ciphertext = await subtle().encrypt({ name: 'AES-GCM', iv, additionalData }, key, filled);
  return { ciphertext: toBase64(new Uint8Array(ciphertext)), iv: toBase64(iv) };
}

async function open(sealed: unknown, key: Key, additionalData: Bytes, id: string): Promise<Json> {
  const { ciphertext, iv } = (sealed ?? {}) as { ciphertext?: unknown; iv?: unknown };
  const bytes = typeof ciphertext === 'string' ? fromBase64(ciphertext) : undefined;
  const ivBytes = bytesOf(iv, IV_BYTES);
  if (!bytes || !ivBytes) throw failure('tampered', 'What belongs to an invitation has the wrong form.', id);
  const opened = await subtle()
    .decrypt({ name: 'AES-GCM', iv: ivBytes, additionalData }, key, bytes)
    .catch((cause: unknown) => {
      throw failure('tampered', 'What belongs to an invitation does not open.', id, cause);
    });
  return readOr(id, () => parseJson(fromUtf8(new Uint8Array(opened))));
}

/** What is authentic and cannot be read. */
function readOr<T>(id: string, read: () => T): T {
  try {
    return read();
  } catch (cause) {
    throw failure('format_unsupported', 'What belongs to an invitation has another format.', id, cause);
  }
}

function failure(
  code: 'tampered' | 'format_unsupported',
  message: string,
  id: string,
  cause?: unknown,
): IntegrityError {
  return new IntegrityError(code, message, { kind: 'invitation', id }, { cause });
}
