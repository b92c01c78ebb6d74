import { defineRecordKind } from '@health-records/client';

/** Allergies, for `kinds` of the client and for `client.collection(ALLERGY)`. */
export const ALLERGY = defineRecordKind({
  kind: 'allergy',
  plural: 'allergies',
  // What the service cannot read.
  details: { substance: 'text', reaction: 'text?' },
  // What it can.
  fields: { status: 'text' },
});
