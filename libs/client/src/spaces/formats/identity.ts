import type { AccountKey } from '../../crypto/account-key';
import { openWrap, wrapDataKey, type WrappedKey } from '../../crypto/key-wrapping';
import { LABELS, labelled } from '../../crypto/labels';
import { randomBytes, subtle, type Key } from '../../crypto/web-crypto';
import { concatBytes, fromBase64, toBase64, utf8, type Bytes } from '../../encoding';
import { IntegrityError } from '../../errors';
import { isId } from '../../ids';
import { isJsonObject } from '../../json';
import {
  generateSigningPair,
  isSigningPair,
  sign,
  SIGNATURE_BYTES,
  SIGNING_PUBLIC_BYTES,
  SIGNING_SEED_BYTES,
  verify,
} from './ed25519';
import { SHARING_PUBLIC_BYTES, SHARING_SEED_BYTES, sharingPublicOf } from './x-wing';

/** The public keys of an account. */
export interface IdentityKeys {
  /** The id of the account. */
  account: string;
  /** Base64 of 1216 bytes: others seal to it (X-Wing). */
  sharing: string;
  /** Base64 of 32 bytes: others check signatures with it (Ed25519). */
  signing: string;
}

/** An identity as it is sent to others. */
export interface PublicIdentity extends IdentityKeys {
  /** Base64 of 64 bytes, made by its own signing key. */
  signature: string;
}

/** An identity of somebody else whose signature is right. */
export interface KnownIdentity extends IdentityKeys {
  /** Base64 of 32 bytes: the SHA-256 of account and keys. */
  id: string;
}

/** The identity of this account. */
export interface OwnIdentity extends KnownIdentity {
  /** Both seeds under the account key: 64 bytes and the tag. */
  wrapped: WrappedKey;
}

/** An identity as the service stores it: a row of `account_keys`. */
export interface StoredIdentity {
  sharing_public: string;
  signing_public: string;
  wrapped: string;
  wrapped_iv: string;
}

/** The secret halves. They are cleared when the function that has asked for them ends. */
interface Seeds {
  sharing: Bytes;
  signing: Bytes;
}

const SEED_BYTES = SHARING_SEED_BYTES + SIGNING_SEED_BYTES;
/** WebCrypto wraps keys only, so both seeds are one key of this kind. It signs nothing. */
const SEED_KEY = { name: 'HMAC', hash: 'SHA-256', length: SEED_BYTES * 8 } as const;
const GROUPS = 6;
const GROUP_BYTES = 5;

/** Makes the identity of an account. */
export async function makeIdentity(account: AccountKey, accountId: string): Promise<OwnIdentity> {
  const sharingSeed = randomBytes(SHARING_SEED_BYTES);
  const pair = await generateSigningPair();
  const seeds = concatBytes(sharingSeed, pair.seed);
  try {
    const keys = {
      account: accountId,
      sharing: toBase64(await sharingPublicOf(sharingSeed)),
      signing: toBase64(pair.publicKey),
    };
    const id = await identityIdOf(keys);
    const seedKey = await subtle().importKey('raw', seeds, SEED_KEY, true, ['sign']);
    return { ...keys, id, wrapped: await wrapDataKey(seedKey, account.key, purposeOf(id)) };
  } finally {
    for (const bytes of [sharingSeed, pair.seed, seeds]) bytes.fill(0);
  }
}

/**
 * Opens the identity that the service stores for this account.
 * @throws IntegrityError `tampered` for seeds of another account or key, and where the seeds do not make the public halves.
 */
export async function openIdentity(
  stored: StoredIdentity,
  account: AccountKey,
  accountId: string,
): Promise<OwnIdentity> {
  const { sharing_public: sharing, signing_public: signing, wrapped, wrapped_iv: iv } = stored;
  const keys = { account: accountId, sharing, signing };
  const publicHalves = decodeKeys(keys);
  if (!publicHalves) throw tampered(accountId, 'The keys of this account have the wrong form.');
  const own = { ...keys, id: await identityIdOf(keys), wrapped: { wrapped, iv } };
  const isOne = await withSeeds(own, account, async (seeds) => {
    const made = toBase64(await sharingPublicOf(seeds.sharing));
    return made === sharing && (await isSigningPair(seeds.signing, publicHalves.signing));
  });
  if (!isOne) throw tampered(accountId, 'The secret keys of this account do not belong to its public ones.');
  return own;
}

/** What others get. */
export async function publicIdentityOf(own: OwnIdentity, account: AccountKey): Promise<PublicIdentity> {
  const { account: accountId, sharing, signing } = own;
  const signature = await withSeeds(own, account, (seeds) => sign(seeds.signing, signedText(own)));
  return { account: accountId, sharing, signing, signature: toBase64(signature) };
}

/**
 * Reads the identity of somebody else. It proves that one person holds both keys, and not who that is.
 * @throws IntegrityError `tampered`
 */
export async function readIdentity(json: unknown): Promise<KnownIdentity> {
  const { account, sharing, signing, signature } = isJsonObject(json) ? json : {};
  const signatureBytes = bytesOf(signature, SIGNATURE_BYTES);
  const keys = { account, sharing, signing } as IdentityKeys;
  const publicHalves = isId(account) && decodeKeys(keys);
  if (!publicHalves || !signatureBytes) throw tampered('unknown', 'An identity has the wrong form.');
  if (!(await verify(publicHalves.signing, signedText(keys), signatureBytes)))
    throw tampered(keys.account, 'An identity is not signed by its own key.');
  return { ...keys, id: await identityIdOf(keys) };
}

/** Six groups of five digits, the same on both devices. Two people can compare them by voice. @param idA, idB base64. */
export async function pairDigits(idA: string, idB: string): Promise<string> {
  const [smaller, greater] = [idA, idB].map((id) => fromBase64(id) ?? new Uint8Array()).sort(compareBytes);
  return digitsOf(await sha256(labelled(LABELS.pair(), concatBytes(smaller, greater))));
}

/** Wraps the seeds for another account key. The identity stays. @throws IntegrityError `tampered` when `from` does not open it. */
export async function rewrapIdentity(
  own: OwnIdentity,
  from: AccountKey,
  to: AccountKey,
): Promise<OwnIdentity> {
  return { ...own, wrapped: await wrapDataKey(await openSeedKey(own, from), to.key, purposeOf(own.id)) };
}

/**
 * Opens the seeds for `run`, and clears them after it.
 * @throws IntegrityError `tampered`
 */
export async function withSeeds<T>(
  own: OwnIdentity,
  account: AccountKey,
  run: (seeds: Seeds) => Promise<T>,
): Promise<T> {
  const bytes = new Uint8Array(await subtle().exportKey('raw', await openSeedKey(own, account)));
  try {
    return await run({
      sharing: bytes.subarray(0, SHARING_SEED_BYTES),
      signing: bytes.subarray(SHARING_SEED_BYTES),
    });
  } finally {
    bytes.fill(0);
  }
}

/** Six groups of five digits (about 99 bits) of a hash. */
export function digitsOf(hash: Bytes): string {
  const view = new DataView(hash.buffer, hash.byteOffset);
  const groups = Array.from({ length: GROUPS }, (_, at) => {
    const fortyBits = view.getUint8(at * GROUP_BYTES) * 2 ** 32 + view.getUint32(at * GROUP_BYTES + 1);
    return String(fortyBits % 100_000).padStart(5, '0');
  });
  return groups.join(' ');
}

/** The bytes of canonical base64, if they are so many. */
export function bytesOf(text: unknown, count: number): Bytes | undefined {
  const bytes = typeof text === 'string' ? fromBase64(text) : undefined;
  return bytes?.length === count ? bytes : undefined;
}

export async function sha256(bytes: Bytes): Promise<Bytes> {
  return new Uint8Array(await subtle().digest('SHA-256', bytes));
}

const purposeOf = (identityId: string) => ({ purpose: 'identity', identityId }) as const;

function openSeedKey({ id, wrapped }: OwnIdentity, account: AccountKey): Promise<Key> {
  const into = {
    algorithm: SEED_KEY,
    usages: ['sign'],
    extractable: true,
    bytes: SEED_BYTES,
  } as const;
  return openWrap(wrapped, account.key, purposeOf(id), into);
}

function decodeKeys({ sharing, signing }: IdentityKeys): { signing: Bytes } | undefined {
  const signingBytes = bytesOf(signing, SIGNING_PUBLIC_BYTES);
  return bytesOf(sharing, SHARING_PUBLIC_BYTES) && signingBytes && { signing: signingBytes };
}

/** The label, then account and keys in one text. No part can hold a line feed. It is hashed and signed. */
function signedText({ account, sharing, signing }: IdentityKeys): Bytes {
  return labelled(LABELS.identity(), utf8([account, sharing, signing].join('\n')));
}

/** Base64 of the SHA-256 of account and keys: so a contact is remembered. */
export async function identityIdOf(keys: IdentityKeys): Promise<string> {
  return toBase64(await sha256(signedText(keys)));
}

function compareBytes(one: Uint8Array, other: Uint8Array): number {
  const at = one.findIndex((byte, index) => byte !== other[index]);
  return at < 0 ? 0 : one[at] - other[at];
}

function tampered(accountId: string, message: string): IntegrityError {
  return new IntegrityError('tampered', message, { kind: 'key:identity', id: accountId });
}
