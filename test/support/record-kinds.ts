import type { Answer, Api, CallOptions } from './api';
import { aBlob, aCiphertext, aMedication, anAccount, aProfile } from './factories';

/** An account with a profile and a medication: what every kind of record can be created under. */
export interface Household {
  token: string;
  profileId: string;
  medicationId: string;
}

export async function aHousehold(api: Api): Promise<Household> {
  const { token } = await anAccount(api);
  const profileId = await aProfile(api, token);
  return { token, profileId, medicationId: (await aMedication(api, token, profileId)).id };
}

/** What the conventions need to know of one kind of record. */
export interface RecordKind {
  name: string;
  idField: 'id' | 'profile_id';
  collection: (household: Household) => string;
  /** A valid create body. */
  body: (household: Household) => Record<string, unknown>;
  /** The timestamp that orders its lists, as a column and its table. */
  table: string;
  orderColumn: string;
  oldestFirst?: true;
  /** Absent for doses, which never change. */
  update?: { method: 'PUT' | 'POST'; change: () => Record<string, unknown> };
  deleteWith: 'DELETE' | 'POST';
}

const blobChange = () => ({ encrypted_data: aBlob() });

export const RECORD_KINDS: RecordKind[] = [
  {
    name: 'profile',
    idField: 'profile_id',
    collection: () => '/api/profiles',
    body: () => ({ wrapped_profile_dek: aCiphertext() }),
    table: 'profiles',
    orderColumn: 'created_at',
    oldestFirst: true,
    update: { method: 'PUT', change: () => ({ relationship: aCiphertext(6) }) },
    deleteWith: 'DELETE',
  },
  {
    name: 'medication',
    idField: 'id',
    collection: () => '/api/medications',
    body: ({ profileId }) => ({ profile_id: profileId, route: 'oral', encrypted_data: aBlob() }),
    table: 'medications',
    orderColumn: 'created_at',
    update: { method: 'POST', change: blobChange },
    deleteWith: 'POST',
  },
  {
    name: 'appointment',
    idField: 'id',
    collection: () => '/api/appointments',
    body: ({ profileId }) => ({ profile_id: profileId, status: 'scheduled', encrypted_data: aBlob() }),
    table: 'appointments',
    orderColumn: 'created_at',
    update: { method: 'POST', change: blobChange },
    deleteWith: 'POST',
  },
  {
    name: 'health statistic',
    idField: 'id',
    collection: () => '/api/health-stats',
    body: ({ profileId }) => ({
      profile_id: profileId,
      encrypted_data: aBlob(),
      recorded_at: '2024-05-01T08:00:00Z',
    }),
    table: 'health_stats',
    orderColumn: 'recorded_at',
    update: { method: 'PUT', change: blobChange },
    deleteWith: 'DELETE',
  },
  {
    name: 'dose',
    idField: 'id',
    collection: ({ medicationId }) => `/api/medications/${medicationId}/log`,
    body: () => ({ taken: true, loggedAt: '2024-05-01T08:00:00Z' }),
    table: 'doses',
    orderColumn: 'logged_at',
    deleteWith: 'POST',
  },
];

/** The kinds that have an item route: all but doses. */
export const REVISED_KINDS = RECORD_KINDS.filter((kind) => kind.update !== undefined);

/** Creates a record of the kind and returns it; fails loudly where the service refuses. */
export async function aRecord(
  api: Api,
  kind: RecordKind,
  household: Household,
  overrides: object = {},
): Promise<Record<string, any>> {
  const body = { ...kind.body(household), ...overrides };
  const answer = await api.post(kind.collection(household), body, { token: household.token });
  if (answer.status !== 201) throw new Error(`A ${kind.name} was answered ${answer.status}: ${answer.text}`);
  return answer.body;
}

export function itemPath(kind: RecordKind, household: Household, id: string): string {
  return `${kind.collection(household)}/${id}`;
}

export function updateRecord(
  api: Api,
  kind: RecordKind,
  household: Household,
  id: string,
  body: unknown,
  options?: CallOptions,
): Promise<Answer> {
  const path = itemPath(kind, household, id);
  return api.call(kind.update!.method, path, body, { token: household.token, ...options });
}

export function deleteRecord(
  api: Api,
  kind: RecordKind,
  household: Household,
  id: string,
  body?: unknown,
  options?: CallOptions,
): Promise<Answer> {
  const path = itemPath(kind, household, id) + (kind.deleteWith === 'POST' ? '/delete' : '');
  return api.call(kind.deleteWith, path, body, { token: household.token, ...options });
}
