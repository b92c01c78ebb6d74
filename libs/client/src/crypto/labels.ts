import { utf8, type Bytes } from '../encoding';

/**
 * The prefix of every label and of all additional data. A format that version 1 cannot read gets another
 * prefix.
 */
const FORMAT = 'health-records/v1';

/** Salts of the second derivation. They make several independent outputs from one secret. */
export const LABELS = {
  passwordAuth: utf8(`${FORMAT}/password/auth`),
  passwordWrap: utf8(`${FORMAT}/password/wrap`),
  recovery: utf8(`${FORMAT}/recovery`),
  recoveryProof: utf8(`${FORMAT}/recovery/proof`),
  recoveryWrap: utf8(`${FORMAT}/recovery/wrap`),
  export: utf8(`${FORMAT}/export`),
  share: utf8(`${FORMAT}/share`),
} as const;

/** Kinds of encrypted records, as the additional data names them. */
export type RecordKind = 'profile' | 'medication' | 'appointment' | 'health-stat';

/** The place of a ciphertext. A ciphertext opens only in the place for which it was encrypted. */
export interface RecordPlace {
  profileId: string;
  kind: RecordKind;
  /** For a profile, the profile's own id. */
  recordId: string;
}

/** The purpose of a wrapped key. */
export type KeyPurpose =
  | { purpose: 'password' }
  | { purpose: 'recovery' }
  | { purpose: 'profile'; profileId: string }
  | { purpose: 'share'; profileId: string }
  | { purpose: 'sharing-private-key' };

/** Additional data of a record. The parts contain no line feed, so the joined text is unambiguous. */
export function recordAad(place: RecordPlace): Bytes {
  return utf8([FORMAT, 'record', place.profileId, place.kind, place.recordId].join('\n'));
}

/** Additional data of a wrapped key. */
export function keyAad(key: KeyPurpose): Bytes {
  return utf8([FORMAT, 'key', key.purpose, ...('profileId' in key ? [key.profileId] : [])].join('\n'));
}
