import { randomUUID } from 'node:crypto';
import type { Answer, Api } from './api';
import { aNewPasskey } from './authenticator';
import { type Operation } from './document';
import { anEmail } from './factories';
import { accountKeys } from './spaces';
import {
  addRecord,
  aHousehold,
  type Household,
  type Ids,
  listRecords,
  PROFILE_ITEM,
  type Registry,
  urlOf,
} from './record-kind';

/** An account with a record of every kind and a record for every path parameter. */
export interface World extends Household {
  accountId: string;
  /** A body that adds a passkey. */
  passkey: Record<string, unknown>;
}

/** Makes two households with one record of each kind. */
export async function aWorld(api: Api, registry: Registry): Promise<World> {
  // The account has no recovery proof, so that a test can set up recovery.
  const household = await aHousehold(api, registry, { recovery_proof: undefined });
  const { token } = household;
  for (const kind of registry.kinds)
    if (household.ids[kind.item] === undefined) await addRecord(api, kind, household);
  for (const { item, make } of registry.others ?? []) household.ids[item] = await make(api, household);
  await api.put('/api/users/me/keys', accountKeys(), { token });
  const { id: accountId } = (await api.get('/api/users/me', { token })).body;
  return { ...household, accountId, passkey: await aNewPasskey(api, household.account) };
}

/**
 * Returns a valid body of the operation, made from the examples of the document. It has the required fields,
 * or all fields if none is required. Values that examples cannot contain, such as ids, are filled in.
 */
export function bodyOf(
  { path, body }: Operation,
  { account, accountId, ids, passkey, space }: World,
): Record<string, unknown> | undefined {
  if (!body) return undefined;
  if (path === '/api/passkeys') return passkey;
  const known: Record<string, () => unknown> = {
    profile_id: () => ids[PROFILE_ITEM],
    current_password: () => account.password,
    email: anEmail,
    member_id: () => accountId,
    space_id: () => (path.startsWith('/api/spaces') ? randomUUID() : space!.id),
    expires_at: () => new Date(Date.now() + 60 * 60 * 1000).toISOString(),
    subscription_id: () => ids['/api/push/subscriptions/{id}'],
  };
  const names = body.required ?? Object.keys(body.properties ?? {});
  return Object.fromEntries(
    names.map((name) => {
      const value = known[name] ? known[name]() : body.properties![name].example;
      if (value === undefined) throw new Error(`${path}: ${name} has no example in the OpenAPI document.`);
      return [name, value];
    }),
  );
}

/** One call of a route that a check tries. */
export interface CallAttempt {
  token?: string;
  ids?: Ids;
  body?: object;
  query?: string;
  headers?: Record<string, string>;
}

/** Sends the operation with the data of a world. Values in `attempt` replace those data. */
export function attempt(
  api: Api,
  operation: Operation,
  world: World,
  attempt: CallAttempt = {},
): Promise<Answer> {
  const url = urlOf(operation.path, { ...world.ids, ...attempt.ids }) + (attempt.query ?? '');
  const body = attempt.body ?? bodyOf(operation, world);
  return api.call(operation.method, url, body, {
    token: attempt.token ?? world.token,
    headers: { ...(isOnlyInSpaces(operation) ? world.space!.as(world).headers : {}), ...attempt.headers },
  });
}

function isOnlyInSpaces({ parameters }: Operation): boolean {
  return parameters.some(({ name, required }) => name === 'Health-Space' && required);
}

/** Everything that the owner can read. Tests compare it to detect changes. */
export async function contentsOf(api: Api, world: World, { kinds }: Registry): Promise<unknown[]> {
  const lists = await Promise.all(kinds.map((kind) => listRecords(api, kind, world)));
  return [...lists, (await api.get('/api/users/me', { token: world.token })).body];
}
