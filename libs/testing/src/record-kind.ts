import type { Answer, Api, CallOptions } from './api';
import { type Account, anAccount } from './factories';
import type { SpaceRoleUnderTest, SpaceUnderTest } from './spaces';

/** Maps a path of the OpenAPI document up to a parameter to the id that replaces this parameter. */
export type Ids = Record<string, string>;

/** The parents under which records are created. */
export interface Parents {
  profileId: string;
  ids: Ids;
}

/** An account with the parents of its records. */
export interface Household extends Parents {
  account: Account;
  /** The account's access token. */
  token: string;
  /** A space of the account, with another profile. */
  space?: SpaceUnderTest;
}

/**
 * Everything that tests know about one kind of record. With one entry, every suite covers the kind.
 *
 * Paths are as in the OpenAPI document. All kinds directly under a profile follow one
 * convention: the body holds `profile_id`, the list accepts `profile_id`, and the update
 * accepts `profile_id` together with a new blob.
 */
export interface KindUnderTest {
  /** The name as in a sentence, for example `health statistic`. */
  name: string;
  /** For example `/api/health-stats`, or `/api/medications/{id}/log` under another record. */
  collection: string;
  /** For example `/api/health-stats/{id}`. A deletion by POST has this path with `/delete` at the end. */
  item: string;
  /**
   * Name of the parent kind: `profile` for most kinds, undefined for profiles. The entry
   * of the parent must come first.
   */
  under?: string;
  /** The column with the parent's id, and the field of the answer. Default `profile_id`. */
  parentField?: string;
  /** The field of bodies and answers that holds the id. Default `id`. */
  idField?: string;
  /** Returns a valid create body. If the kind has a blob, each call returns a different one. */
  body: (parents: Parents) => Record<string, unknown>;
  /** Absent if a record never changes. Such a kind has no item to read. `change` makes a valid update. */
  update?: {
    method: 'PUT' | 'POST';
    /** What an update changes. */
    change: () => Record<string, unknown>;
    /** Whether an update without changes is accepted. */
    mayBeEmpty?: true;
  };
  deleteWith: 'DELETE' | 'POST';
  table: string;
  /** The timestamp column that orders the lists. */
  orderColumn: string;
  /** The field of this timestamp in answers, if it has another name. */
  orderField?: string;
  /** Lists are newest first, unless this says otherwise. */
  oldestFirst?: true;
  /** The field whose value the service keeps byte for byte, if there is one. */
  blobField?: string;
  /** Whether `""` is a valid value of that field. */
  blobMayBeEmpty?: true;
  /** The least role that a member of a space needs for a write, where it is no editor. */
  inSpaces?: Partial<Record<'create' | 'update' | 'delete', SpaceRoleUnderTest>>;
  /** The columns whose bytes count against the quota. Each row counts as a record. */
  countedColumns: string[];
}

/** A record that is not a {@link KindUnderTest}, but whose id is a path parameter. */
export interface OtherRecord {
  /** The path up to the parameter, for example `/api/auth/sessions/{id}`. */
  item: string;
  /** Creates a record for the account and returns its id. */
  make: (api: Api, household: Household) => Promise<string>;
  /** A PUT makes it under an id that the client chooses. The id of another owner is as good as any. */
  isPut?: true;
}

/**
 * Every kind of record that a service has. Together with the {@link OtherRecord}s it provides a record for
 * every path parameter of the document.
 */
export interface Registry {
  /** A parent kind must come before its child kinds. */
  kinds: readonly KindUnderTest[];
  others?: readonly OtherRecord[];
  /** Error codes that your modules add, with their statuses. */
  codes?: Readonly<Record<string, number>>;
}

/** The path of one profile. */
export const PROFILE_ITEM = '/api/profiles/{id}';

/** The parameters of a path. Each is identified by the path up to and including it. */
export function parametersOf(path: string): string[] {
  return [...path.matchAll(/\{\w+\}/g)].map(({ 0: name, index }) => path.slice(0, index + name.length));
}

/**
 * Whether records of the kind belong to a profile, directly or through a parent. Records of
 * an account and profiles do not.
 */
export function isUnderProfile({ under }: KindUnderTest, registry: Registry): boolean {
  const parent = registry.kinds.find(({ name }) => name === under);
  return parent !== undefined && (parent.item === PROFILE_ITEM || isUnderProfile(parent, registry));
}

/** Replaces the parameters of the path by ids. @throws Error if a parameter has no id. */
export function urlOf(path: string, ids: Ids): string {
  return parametersOf(path).reduceRight((url, prefix) => {
    const id = ids[prefix];
    if (id === undefined) throw new Error(`There is no record for ${prefix}. ${HOW_TO_ADD}`);
    return url.replace(/\{\w+\}(?!.*\{)/, encodeURIComponent(id));
  }, path);
}

/** Help text of the error about a missing record. */
export const HOW_TO_ADD =
  'Add an entry to `kinds` of the registry (the service itself: SERVICE_KINDS in libs/testing/src/service-kinds.ts), ' +
  'or to `others` where it is no kind of record.';

/** The member that holds the id of a record. */
export function idFieldOf({ idField = 'id' }: KindUnderTest): string {
  return idField;
}

/** An account with a profile and one record of each kind that has child kinds. */
export async function aHousehold(
  api: Api,
  { kinds }: Registry,
  overrides: Record<string, unknown> = {},
): Promise<Household> {
  const account = await anAccount(api, overrides);
  const household: Household = { account, token: account.token, profileId: '', ids: {} };
  const parents = new Set(['profile', ...kinds.map(({ under }) => under)]);
  for (const kind of kinds.filter(({ name }) => parents.has(name))) await addRecord(api, kind, household);
  return household;
}

/** Creates a record of the kind and stores its id in the household. */
export async function addRecord(api: Api, kind: KindUnderTest, household: Household): Promise<void> {
  const { [idFieldOf(kind)]: id } = await aRecord(api, kind, household);
  household.ids[kind.item] = id;
  if (kind.item === PROFILE_ITEM) household.profileId = id;
}

/** Creates a record of the kind and returns it. @throws Error if the service refuses. */
export async function aRecord(
  api: Api,
  kind: KindUnderTest,
  household: Household,
  overrides: object = {},
): Promise<Record<string, any>> {
  const answer = await createRecord(api, kind, household, { ...kind.body(household), ...overrides });
  if (answer.status !== 201) throw new Error(`A ${kind.name} was answered ${answer.status}: ${answer.text}`);
  return answer.body;
}

/** The URL path of the kind's list under these parents. */
export function collectionPath(kind: KindUnderTest, { ids }: Parents): string {
  return urlOf(kind.collection, ids);
}

/** The URL path of a record. The id is not encoded, because tests also send malformed ids. */
export function itemPath(kind: KindUnderTest, household: Household, id: string): string {
  const tail = kind.item.slice(kind.collection.length).replace(/\{\w+\}/, () => id);
  return collectionPath(kind, household) + tail;
}

/** Creates a record, and answers whatever the service says. */
export function createRecord(
  api: Api,
  kind: KindUnderTest,
  household: Household,
  body: unknown = kind.body(household),
  options?: CallOptions,
): Promise<Answer> {
  return api.post(collectionPath(kind, household), body, { token: household.token, ...options });
}

/** Lists the records of a household. @throws Error for another status than 200. */
export async function listRecords(
  api: Api,
  kind: KindUnderTest,
  household: Household,
  query = '',
): Promise<Record<string, any>[]> {
  return (await api.get(collectionPath(kind, household) + query, { token: household.token })).body;
}

/** Reads one record, and answers whatever the service says. */
export function readRecord(api: Api, kind: KindUnderTest, household: Household, id: string): Promise<Answer> {
  return api.get(itemPath(kind, household, id), { token: household.token });
}

/** Changes one record, and answers whatever the service says. */
export function updateRecord(
  api: Api,
  kind: KindUnderTest,
  household: Household,
  id: string,
  body: unknown,
  options?: CallOptions,
): Promise<Answer> {
  const path = itemPath(kind, household, id);
  return api.call(kind.update!.method, path, body, { token: household.token, ...options });
}

/** Deletes one record, and answers whatever the service says. */
export function deleteRecord(
  api: Api,
  kind: KindUnderTest,
  household: Household,
  id: string,
  body?: unknown,
  options?: CallOptions,
): Promise<Answer> {
  const path = itemPath(kind, household, id) + (kind.deleteWith === 'POST' ? '/delete' : '');
  return api.call(kind.deleteWith, path, body, { token: household.token, ...options });
}
