import type { JsonObject } from '../json';
import type { Version } from './merge-records';
import type { Profile, ProfileDetails } from './record-types';

/** The content of a profile that can be merged. */
export function versionOf({ kind, relationship, details }: Profile): Version {
  return { details: details as JsonObject, meta: { kind, relationship } };
}

/** The members of a profile that a version has. */
export function changesTo({ details, meta }: Version): Pick<Profile, 'kind' | 'relationship' | 'details'> {
  return {
    kind: meta.kind as Profile['kind'],
    relationship: meta.relationship as string,
    details: details as ProfileDetails,
  };
}
