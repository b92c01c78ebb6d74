import { concatBytes, utf8, type Bytes } from '../encoding';

/** The prefix of every label and of all additional data of format version 1. */
const FORMAT = 'health-records/v1';
/** The prefix of format version 2. Labels of version 1 stay in use. */
const FORMAT_2 = 'health-records/v2';

/**
 * Salts of the second derivation. They make several independent outputs from one secret. Made at their use: an import must
 * need nothing that jsdom lacks.
 */
export const LABELS = {
  passwordAuth: () => utf8(`${FORMAT}/password/auth`),
  passwordWrap: () => utf8(`${FORMAT}/password/wrap`),
  recovery: () => utf8(`${FORMAT}/recovery`),
  recoveryProof: () => utf8(`${FORMAT}/recovery/proof`),
  recoveryWrap: () => utf8(`${FORMAT}/recovery/wrap`),
  export: () => utf8(`${FORMAT}/export`),
  identity: () => utf8(`${FORMAT_2}/identity`),
  pair: () => utf8(`${FORMAT_2}/pair`),
  roster: () => utf8(`${FORMAT_2}/roster`),
  spaceKey: () => utf8(`${FORMAT_2}/space-key`),
  inviteProof: () => utf8(`${FORMAT_2}/invite/proof`),
  inviteKey: () => utf8(`${FORMAT_2}/invite/key`),
  accountKeyId: () => utf8(`${FORMAT_2}/account-key-id`),
  accountId: () => utf8(`${FORMAT_2}/account-id`),
  accountData: () => utf8(`${FORMAT_2}/account-data`),
  doseProof: () => utf8(`${FORMAT_2}/dose-proof`),
} as const;

/**
 * Kinds of encrypted records, as the additional data names them. A `head` stays on the device.
 */
export type RecordKind = 'profile' | 'medication' | 'appointment' | 'health-stat' | 'trust-book' | 'head';

/** The place of a ciphertext. A ciphertext opens only in the place for which it was encrypted. */
export interface RecordPlace {
  profileId: string;
  /** A {@link RecordKind}, or the name of a registered kind. */
  kind: string;
  /** For a profile, the profile's own id. */
  recordId: string;
}

/** The purpose of a wrapped key. */
export type KeyPurpose =
  /** Without an account, it is a wrap of version 1. */
  | { purpose: 'password'; accountId?: string }
  /** Bound: the account has the id that follows from the key, or the named one. Else it is a wrap of version 1. */
  | { purpose: 'recovery'; isBound?: boolean; accountId?: string }
  /** The account key of before, under the newest one. */
  | { purpose: 'former'; accountKeyId: string }
  /** A former key of a profile, under its newest one. */
  | { purpose: 'chain'; profileId: string; epoch: number }
  /** `credentialId` is base64url, as WebAuthn names it. */
  | { purpose: 'passkey'; accountId: string; credentialId: string; accountKeyId: string }
  /** The seeds of an identity, by its id (base64). */
  | { purpose: 'identity'; identityId: string }
  | { purpose: 'profile'; profileId: string };

/** Versions of the record format. Version 1 is only read. */
export type FormatVersion = 1 | 2;

/** Additional data of a record. The parts contain no line feed, so the joined text is unambiguous. */
export function recordAad(place: RecordPlace, version: FormatVersion): Bytes {
  const format = version === 1 ? FORMAT : FORMAT_2;
  return utf8([format, 'record', place.profileId, place.kind, place.recordId].join('\n'));
}

/** Additional data of a profile key of version 2: its place, its epoch, and the account key that wraps it. */
export function profileKeyAad(profileId: string, epoch: number, accountKeyId: string): Bytes {
  return utf8([FORMAT_2, 'key', 'profile', profileId, epoch, accountKeyId].join('\n'));
}

/** The text that a proof of a dose authenticates. No part can hold a line feed. */
export function doseProofText(parts: readonly (string | number)[]): string {
  return [FORMAT_2, 'dose', ...parts].join('\n');
}

/** What a pseudonym is derived for. The text is the last part, so it may hold anything. */
export function pseudonymInfo(text: string): Bytes {
  return utf8([`${FORMAT_2}/pseudonym`, text].join('\n'));
}

/** A label, and what is signed or hashed under it. */
export function labelled(label: Bytes, message: Uint8Array): Bytes {
  return concatBytes(label, utf8('\n'), message);
}

/** What the id of a profile's key is derived for. */
export function profileKeyIdInfo(profileId: string): Bytes {
  return utf8([`${FORMAT_2}/profile-key-id`, profileId].join('\n'));
}

/** For whom the key of a shared profile is sealed, and by whom. */
export interface SpaceKeyPlace {
  spaceId: string;
  profileId: string;
  /** Of the roster that is signed together with the wrap. */
  rosterVersion: number;
  /** Account ids. */
  senderId: string;
  recipientId: string;
}

/** @param recipientKey base64 of the SHA-256 of the recipient's public key. */
export function spaceKeyInfo(place: SpaceKeyPlace, recipientKey: string): Bytes {
  const { spaceId, profileId, rosterVersion, senderId, recipientId } = place;
  const parts = [spaceId, profileId, rosterVersion, senderId, recipientId, recipientKey];
  return labelled(LABELS.spaceKey(), utf8(parts.join('\n')));
}

/** What the secret of an invitation is derived for. */
export function invitationSecretInfo(spaceId: string, invitationId: string): Bytes {
  return utf8([`${FORMAT_2}/invite/secret`, spaceId, invitationId].join('\n'));
}

/** Additional data of an offer or an acceptance. No part can hold a line feed. */
export function invitationAad(what: 'invite-offer' | 'invite-acceptance', parts: readonly string[]): Bytes {
  return utf8([FORMAT_2, what, ...parts].join('\n'));
}

/** What a passkey is asked for. The same for sign-in and unlock. */
export function passkeyInput(): Bytes {
  return utf8(`${FORMAT_2}/passkey/unlock`);
}

/** What the key under a passkey is derived for. No part can hold a line feed. */
export function passkeyWrapInfo(accountId: string, credentialId: string): Bytes {
  return utf8([`${FORMAT_2}/passkey/wrap`, accountId, credentialId].join('\n'));
}

/** Additional data of a wrapped key of version 1, and of a wrap of an account key of version 2. */
export function keyAad(key: KeyPurpose): Bytes {
  if (key.purpose === 'passkey')
    return utf8([FORMAT_2, 'key', 'passkey', key.accountId, key.credentialId, key.accountKeyId].join('\n'));
  if (key.purpose === 'password' && key.accountId !== undefined)
    return utf8([FORMAT_2, 'key', 'password', key.accountId].join('\n'));
  if (key.purpose === 'former') return utf8([FORMAT_2, 'key', 'former', key.accountKeyId].join('\n'));
  if (key.purpose === 'identity') return utf8([FORMAT_2, 'key', 'identity', key.identityId].join('\n'));
  if (key.purpose === 'chain') return utf8([FORMAT_2, 'key', 'chain', key.profileId, key.epoch].join('\n'));
  if (key.purpose === 'recovery' && key.accountId !== undefined)
    return utf8([FORMAT_2, 'key', 'recovery', key.accountId].join('\n'));
  if (key.purpose === 'recovery' && key.isBound) return utf8([FORMAT_2, 'key', 'recovery'].join('\n'));
  return utf8([FORMAT, 'key', key.purpose, ...('profileId' in key ? [key.profileId] : [])].join('\n'));
}
