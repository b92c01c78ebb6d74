import { defineRecordKind, type Json, requireText } from '@health-records/client';

/** The encrypted part of an allergy. Other members are kept. */
export interface AllergyDetails {
  substance: string;
  reaction?: string;
  [member: string]: Json | undefined;
}

/** The plaintext fields of an allergy. */
export interface AllergyMeta {
  status: string;
}

/** Allergies, for `kinds` of the client and for `client.collection(ALLERGY)`. */
export const ALLERGY = defineRecordKind<AllergyDetails, AllergyMeta>({
  kind: 'allergy',
  route: { kind: 'allergy', path: '/api/allergies', updateMethod: 'PUT', deleteMethod: 'DELETE' },
  readMeta: (reader) => ({ status: reader.text('status') }),
  writeMeta: ({ status }) => ({ status }),
  inputs: { status: true },
  checkDetails: ({ substance }) => requireText(substance, 'The substance'),
});
