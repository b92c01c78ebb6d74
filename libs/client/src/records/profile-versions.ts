import type { JsonObject } from '../json';
import type { Version } from './merge-records';
import type { Profile, ProfileDetails } from './record-types';

/** The content of a profile that can be merged. */
export function versionOf({
  kind,
  relationship,
  details,
  edited,
  author,
}: Pick<Profile, 'kind' | 'relationship' | 'details' | 'edited' | 'author'>): Version {
  const by = author?.accountId;
  return { details: details as JsonObject, meta: { kind, relationship }, edited, ...(by && { by }) };
}

/** What a check of medicines reads is never mixed of two changes. */
const UNITS = new Set(['allergies', 'conditions', 'weight', 'egfr', 'pregnant', 'birthDate', 'species']);

/** Each of them is a unit of its own. */
export function unitOfProfile(field: string): string {
  const name = field.slice('details.'.length);
  return field.startsWith('details.') && UNITS.has(name) ? name : '';
}

/** The members of a profile that a version has. */
export function changesTo({
  details,
  meta,
  edited,
}: Version): Pick<Profile, 'kind' | 'relationship' | 'details' | 'edited'> {
  return {
    kind: meta.kind as Profile['kind'],
    relationship: meta.relationship as string,
    details: details as ProfileDetails,
    ...(edited && { edited }),
  };
}
