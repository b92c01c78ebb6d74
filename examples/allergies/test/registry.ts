import { aBlob, registryOf } from 'health-records-service/testing';

/** The record kinds of the service and those of this project. The generator adds new kinds to the list. */
export const REGISTRY = registryOf({
  codes: { allergy_status_unknown: 400, allergy_outgrown: 409 },
  kinds: [
    {
      name: 'allergy',
      collection: '/api/allergies',
      item: '/api/allergies/{id}',
      under: 'profile',
      body: ({ profileId }) => ({ profile_id: profileId, status: 'active', encrypted_data: aBlob() }),
      update: { method: 'PUT', change: () => ({ encrypted_data: aBlob() }) },
      deleteWith: 'DELETE',
      table: 'allergies',
      orderColumn: 'created_at',
      blobField: 'encrypted_data',
      countedColumns: ['status', 'encrypted_data'],
    },
  ],
});
