import { utf8, type Bytes } from '../encoding';

/** Begins every label and all additional data. A format that is not read like version 1 gets another prefix. */
const FORMAT = 'health-records/v1';

/** Salts of the second derivation: one secret, several independent outputs. */
export const LABELS = {
  passwordAuth: utf8(`${FORMAT}/password/auth`),
  passwordWrap: utf8(`${FORMAT}/password/wrap`),
  recovery: utf8(`${FORMAT}/recovery`),
  recoveryProof: utf8(`${FORMAT}/recovery/proof`),
  recoveryWrap: utf8(`${FORMAT}/recovery/wrap`),
  export: utf8(`${FORMAT}/export`),
  share: utf8(`${FORMAT}/share`),
} as const;

/** Kinds of encrypted record, as they are authenticated. */
export type RecordKind = 'profile' | 'medication' | 'appointment' | 'health-stat';

/** The place of a ciphertext; what is encrypted for one place opens in no other. */
export interface RecordPlace {
  profileId: string;
  kind: RecordKind;
  /** For a profile, the profile's own id. */
  recordId: string;
}

/** What a wrapped key is for. */
export type KeyPurpose =
  | { purpose: 'password' }
  | { purpose: 'recovery' }
  | { purpose: 'profile'; profileId: string }
  | { purpose: 'share'; profileId: string }
  | { purpose: 'sharing-private-key' };

/** Additional data of a record. The parts hold no line feed, so that the joined text is unambiguous. */
export function recordAad(place: RecordPlace): Bytes {
  return utf8([FORMAT, 'record', place.profileId, place.kind, place.recordId].join('\n'));
}

/** Additional data of a wrapped key. */
export function keyAad(key: KeyPurpose): Bytes {
  return utf8([FORMAT, 'key', key.purpose, ...('profileId' in key ? [key.profileId] : [])].join('\n'));
}
