import {
  type Account,
  aDose,
  aHealthStat,
  aMedication,
  anAccount,
  anAppointment,
  anEmail,
  aProfile,
} from '../support/factories';
import type { Answer, Api } from '../support/api';
import { nameOf, type Operation } from './route-table';

/** The path up to a parameter → the id that stands there. */
export type Ids = Record<string, string>;

/** An account with a record behind every parameter of every path. */
export interface World {
  account: Account;
  accountId: string;
  ids: Ids;
}

/** A new kind of record needs a line here; the tests name the path for which there is none. */
export async function aWorld(api: Api): Promise<World> {
  const account = await anAccount(api, { recovery_proof: undefined });
  const { token, email, password } = account;
  const accountId = (await api.get('/api/users/me', { token })).body.id;
  const profile = await aProfile(api, token);
  const medication = (await aMedication(api, token, profile)).id;
  await api.post('/api/auth/login', { email, password });
  const [session] = (await api.get('/api/auth/sessions', { token })).body.filter((row: any) => !row.current);
  const ids: Ids = {
    '/api/profiles/{id}': profile,
    '/api/medications/{id}': medication,
    '/api/medications/{id}/log/{dose_id}': (await aDose(api, token, medication)).id,
    '/api/appointments/{id}': (await anAppointment(api, token, profile)).id,
    '/api/health-stats/{id}': (await aHealthStat(api, token, profile)).id,
    '/api/auth/sessions/{id}': session.id,
  };
  return { account, accountId, ids };
}

/** The parameters of a path, each as the path up to it. */
export function parametersOf(path: string): string[] {
  return [...path.matchAll(/\{\w+\}/g)].map(({ 0: name, index }) => path.slice(0, index + name.length));
}

/** The path with its ids put in. */
export function urlOf(path: string, ids: Ids): string {
  return parametersOf(path).reduceRight((url, prefix) => {
    const id = ids[prefix];
    if (id === undefined) throw new Error(`No record for ${prefix}: say in aWorld() how a test makes one.`);
    return url.replace(/\{\w+\}(?!.*\{)/, encodeURIComponent(id));
  }, path);
}

/**
 * A body that the operation takes, from the examples of the document: the required fields, or all where none is.
 * What the examples cannot know is filled in.
 */
export function bodyOf(
  { path, body }: Operation,
  { account, ids }: World,
): Record<string, unknown> | undefined {
  if (!body) return undefined;
  const known: Record<string, () => unknown> = {
    profile_id: () => ids['/api/profiles/{id}'],
    current_password: () => account.password,
    email: anEmail,
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

export interface Attempt {
  token?: string;
  ids?: Ids;
  body?: object;
  query?: string;
  headers?: Record<string, string>;
}

/** Does what the operation does in a world, but for what `attempt` replaces. */
export function attempt(
  api: Api,
  operation: Operation,
  world: World,
  attempt: Attempt = {},
): Promise<Answer> {
  const url = urlOf(operation.path, { ...world.ids, ...attempt.ids }) + (attempt.query ?? '');
  const body = attempt.body ?? bodyOf(operation, world);
  return api.call(operation.method, url, body, {
    token: attempt.token ?? world.account.token,
    headers: attempt.headers,
  });
}

/** Everything that the owner can read, to see whether it has changed. */
export async function contentsOf(api: Api, { account, ids }: World): Promise<unknown[]> {
  const { token } = account;
  const medication = ids['/api/medications/{id}'];
  const paths = [
    'profiles',
    'medications',
    'appointments',
    'health-stats',
    `medications/${medication}/log`,
    'users/me',
  ];
  return Promise.all(paths.map(async (path) => (await api.get(`/api/${path}`, { token })).body));
}

/** What a matrix found, in words; and how much it has tried. */
export class Findings {
  cases = 0;
  readonly wrong: string[] = [];

  /** Notes a difference between what was seen and what the contract says. */
  expect(operation: { method: string; path: string }, what: string, seen: unknown, right: unknown): void {
    this.cases++;
    const [is, shouldBe] = [JSON.stringify(seen), JSON.stringify(right)];
    if (is !== shouldBe) this.wrong.push(`${nameOf(operation)}, ${what}: ${is} instead of ${shouldBe}`);
  }
}
