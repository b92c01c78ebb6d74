import { deriveFrom, type AccountKey } from '../../crypto/account-key';
import { LABELS, labelled, profileKeyIdInfo, spaceKeyInfo, type SpaceKeyPlace } from '../../crypto/labels';
import { openedAs, type OpenProfileKey } from '../../crypto/profile-key';
import { subtle, TAG_BYTES, type Key } from '../../crypto/web-crypto';
import { concatBytes, fromBase64, toBase64, type Bytes } from '../../encoding';
import { IntegrityError } from '../../errors';
import { sign, SIGNATURE_BYTES, SIGNING_PUBLIC_BYTES, verify } from './ed25519';
import { bytesOf, withSeeds, type OwnIdentity } from './identity';
import type { RosterContent } from './roster';
import { ENCAPSULATED_BYTES, openSealed, sealTo, SHARING_PUBLIC_BYTES, sharingHashOf } from './x-wing';

const KEY_BYTES = 32;
const SEALED_BYTES = ENCAPSULATED_BYTES + KEY_BYTES + TAG_BYTES;
const WRAP_BYTES = SEALED_BYTES + SIGNATURE_BYTES;

/** What the roster of a wrap says: who has sealed it, and which key it must hold. */
export interface ExpectedKey extends Pick<RosterContent, 'epoch' | 'key'> {
  /** The key (base64) that has signed the roster. */
  signing: string;
}

/**
 * Names the key of a profile, so that a roster commits to one key.
 * @param key extractable: only inside one function that makes or shares the key.
 * @returns base64 of 16 bytes. They tell nothing else about the key.
 */
export async function profileKeyIdOf(key: Key, profileId: string): Promise<string> {
  const raw = new Uint8Array(await subtle().exportKey('raw', key));
  try {
    return await idOfBytes(raw, profileId);
  } finally {
    raw.fill(0);
  }
}

/**
 * Seals the key of a profile to one member.
 * @param key extractable.
 * @param sharing the member's public key, base64. The caller has compared it with the roster.
 * @returns base64 of 1232 bytes.
 * @throws IntegrityError `tampered` for a public key that nobody can seal to.
 * Source: RFC 9180, base mode, and a signature: secrecy must hold for decades, the signature on the day it is checked.
 */
export async function wrapSpaceKey(
  key: Key,
  place: SpaceKeyPlace,
  sender: OwnIdentity,
  account: AccountKey,
  sharing: string,
): Promise<string> {
  const recipient = bytesOf(sharing, SHARING_PUBLIC_BYTES);
  if (!recipient) throw tampered(place, 'The public key of a member has the wrong form.');
  const info = spaceKeyInfo(place, await sharingHashOf(recipient));
  const raw = new Uint8Array(await subtle().exportKey('raw', key));
  const sealed = await sealTo(recipient, info, raw)
    .catch((cause: unknown) => {
      throw tampered(place, 'The public key of a member is not usable.', cause);
    })
    .finally(() => raw.fill(0));
  const body = concatBytes(sealed.enc, sealed.ciphertext);
  const signature = await withSeeds(sender, account, (seeds) => sign(seeds.signing, signedText(info, body)));
  return toBase64(concatBytes(body, signature));
}

/**
 * Opens the key of a profile that another member, or this account, has sealed to this account.
 * @param extractable `true` only inside one function that seals the key to others.
 * @throws IntegrityError `tampered` for one that is from another sender or for another place, and for one that holds another
 * key than the roster names.
 */
export async function openSpaceKey(
  wrap: string,
  place: SpaceKeyPlace,
  expected: ExpectedKey,
  own: OwnIdentity,
  account: AccountKey,
  extractable = false,
): Promise<OpenProfileKey> {
  const bytes = bytesOf(wrap, WRAP_BYTES);
  const signing = bytesOf(expected.signing, SIGNING_PUBLIC_BYTES);
  if (!bytes || !signing) throw tampered(place, 'The key of a shared profile has the wrong form.');
  const info = spaceKeyInfo(place, await sharingHashOf(fromBase64(own.sharing)!));
  const [body, signature] = [bytes.slice(0, SEALED_BYTES), bytes.slice(SEALED_BYTES)];
  if (!(await verify(signing, signedText(info, body), signature)))
    throw tampered(place, 'The key of a shared profile is not from who has signed the roster.');
  const raw = await withSeeds(own, account, (seeds) =>
    openSealed(seeds.sharing, info, body.slice(0, ENCAPSULATED_BYTES), body.slice(ENCAPSULATED_BYTES)),
  ).catch((cause: unknown) => {
    throw tampered(place, 'The key of a shared profile does not open.', cause);
  });
  try {
    if ((await idOfBytes(raw, place.profileId)) !== expected.key)
      throw tampered(place, 'The key of a shared profile is not the one that the roster names.');
    return await openedAs(
      ({ algorithm, extractable: isReadable = false, usages }) =>
        subtle().importKey('raw', raw, algorithm, isReadable, [...usages]),
      expected.epoch,
      extractable,
    );
  } finally {
    raw.fill(0);
  }
}

async function idOfBytes(raw: Bytes, profileId: string): Promise<string> {
  const input = await subtle().importKey('raw', raw, 'HKDF', false, ['deriveBits']);
  return toBase64(await deriveFrom(input, profileKeyIdInfo(profileId)));
}

function signedText(info: Bytes, body: Bytes): Bytes {
  return labelled(LABELS.spaceKey(), concatBytes(info, body));
}

function tampered({ profileId }: SpaceKeyPlace, message: string, cause?: unknown): IntegrityError {
  return new IntegrityError('tampered', message, { kind: 'key:space', id: profileId }, { cause });
}
